// Reads a version 1 repository. It has one small object per ref, `refs/branch.NAME/ref.json` or
// `refs/tag.NAME/ref.json`, and one snapshot object per commit, which names its parent. A deleted branch leaves at most
// an empty directory. A deleted tag keeps its `ref.json`, and Icechunk writes a `ref.json.deleted` beside it. Names
// contain no `/`. All of Icechunk's backends except native S3 percent-encode names in keys, so we take keys from the
// listing and never build them from a name.
import { compareUtf8, isSafeKey } from '../../objects/index.ts'
import { decodePercent } from '../../objects/location.ts'
import { type Damage, MissingObjectError, RefNotFoundError } from '../errors.ts'
import type { CommitAtTime, History, HistoryOptions, LogRange, SearchOptions, WalkOptions } from '../history.ts'
import { configKey, mainRefKey, formatRefKey, formatSnapshotKey } from '../layout.ts'
import type { VirtualContainer } from '../format/repository/virtual-container.ts'
import { parseSnapshotId } from '../format/object-id.ts'
import type { ObjectReader } from './object-reader.ts'
import { readSnapshotCommit } from '../format/snapshot/read-snapshot.ts'
import { mapInParallel } from '../../../waiting/map-in-parallel.ts'
import { Slices } from '../../../waiting/slices.ts'
import { searchHistory, walkHistory } from './walk-history.ts'
import type { Commit, ReachedCommits, Refs, ResolvedRef, SnapshotId } from '../types.ts'
import { DocumentAllowance, isJsonObject, type JsonValue, parseJson } from '../../json/index.ts'

const concurrentReads = 16

type RefKind = 'branch' | 'tag'

type RefFile = { readonly kind: RefKind; readonly name: string; readonly key: string }

type RefHead = { readonly file: RefFile; readonly head: SnapshotId | undefined }

/**
 * A version 1 repository. No single etag covers its state, so everything except the head of `main` is read on request.
 */
export class RefFiles {
  readonly formatVersion = 1
  readonly etag = null
  /** Head of `main` when the repository was opened. */
  readonly main: SnapshotId
  /** The same version means that nobody has written `main` in between. Undefined if the store cannot show that. */
  readonly version: string | undefined
  readonly #reader: ObjectReader

  /** Throws {@link DamagedObjectError} when the `ref.json` of `main` is not valid. */
  constructor(reader: ObjectReader, mainRef: Uint8Array, version?: string) {
    this.#reader = reader
    this.version = version
    this.main = parseRef(mainRef, this.#reader.errorsAbout(mainRefKey).damage)
  }

  /** Branches and tags. Costs one listing, one read per branch and two reads per tag. */
  async readRefs(signal: AbortSignal): Promise<Refs> {
    const files = await this.#list(signal)
    const heads = await this.#readHeads(files, signal)
    const slices = new Slices(signal)
    const refs = { branch: new Map<string, SnapshotId>(), tag: new Map<string, SnapshotId>() }
    for (const { file, head } of heads.sort((a, b) => compareUtf8(a.file.name, b.file.name))) {
      // A raw and an encoded key can stand for the same name. The encoded key is listed first; Icechunk uses that one.
      if (head !== undefined && !refs[file.kind].has(file.name)) refs[file.kind].set(file.name, head)
      if (slices.isOver) await slices.next()
    }
    return { branches: refs.branch, tags: refs.tag }
  }

  /**
   * Finds a snapshot id, else a branch, else a tag. Accepts any existing snapshot object, even if no branch or tag
   * leads to it. Throws {@link RefNotFoundError}.
   */
  async resolve(name: string, signal: AbortSignal): Promise<ResolvedRef> {
    if (name === 'main') return { kind: 'branch', name, snapshotId: this.main }
    const id = parseSnapshotId(name)
    if (id !== undefined && (await this.#reader.exists(formatSnapshotKey(id), signal))) {
      return { kind: 'snapshot', name, snapshotId: id }
    }
    const files = (await this.#list(signal)).filter((file) => file.name === name)
    for (const file of files) {
      const snapshotId = await this.#readHead(file, signal)
      if (snapshotId !== undefined) return { kind: file.kind, name, snapshotId }
    }
    throw new RefNotFoundError(this.#reader.location, name)
  }

  async readCommit(id: SnapshotId, signal: AbortSignal): Promise<Commit> {
    return readSnapshotCommit(await this.#reader.readSnapshot(id, signal), id, this.#reader.limits)
  }

  /**
   * A commit and its ancestors. Costs one sequential read per commit that is not cached. The search for `before` reads
   * at most `limit` objects, then assumes that the history contains it. Throws {@link NotInHistoryError}, and the
   * errors of {@link RefFiles.readCommit} about the first commit; at a missing ancestor, the history ends instead.
   */
  readHistory(id: SnapshotId, options: HistoryOptions): Promise<History> {
    return walkHistory(this.#reader, id, options, (next, signal) => this.readCommit(next, signal))
  }

  /**
   * Finds the last commit of a history at or before a time, as in version 2. Costs one sequential read per commit that
   * is not cached. Throws {@link TimeTooFarError}, and {@link MissingObjectError} also when an ancestor is missing.
   */
  findAtTime(head: SnapshotId, microseconds: bigint, options: SearchOptions): Promise<CommitAtTime> {
    return searchHistory(this.#reader, { head, microseconds }, options, (next, signal) => this.readCommit(next, signal))
  }

  /**
   * The transaction logs of the commits after `from` up to and including `to`; `too-many` when the last `limit` commits
   * do not contain `from`. Each commit costs a read.
   */
  async listLogsBetween(from: SnapshotId, to: SnapshotId, { limit, signal }: WalkOptions): Promise<LogRange> {
    const newestFirst: SnapshotId[] = []
    for (let next: SnapshotId | null = to; next !== null;) {
      if (next === from) return { kind: 'logs', ids: newestFirst.reverse() }
      if (newestFirst.length === limit) return { kind: 'too-many' }
      if (newestFirst.includes(next)) {
        throw this.#reader.errorsAbout(formatSnapshotKey(next)).damage('its history runs in a circle')
      }
      newestFirst.push(next)
      try {
        next = (await this.readCommit(next, signal)).parentId
      } catch (error) {
        if (newestFirst.length === 1 || !(error instanceof MissingObjectError)) throw error
        return { kind: 'not-an-ancestor' }
      }
    }
    return { kind: 'not-an-ancestor' }
  }

  /** Makes an empty set. Heads are added without their ancestors, because each ancestor would cost a read. */
  trackReached(): ReachedCommits {
    const heads = new Set<SnapshotId>()
    return { has: (id) => heads.has(id), add: async (id) => void heads.add(id) }
  }

  /** Reads the virtual chunk containers from the configuration file, if there is one. */
  async readVirtualContainers(signal: AbortSignal): Promise<readonly VirtualContainer[]> {
    const file = await this.#reader.find(configKey, signal, 'maxConfigBytes')
    if (file === undefined) return []
    // Its parser of YAML is large, and only repositories of version 1 have this file.
    const { readContainersOfFile } = await import('../format/repository/read-config-file.ts')
    return readContainersOfFile(file.bytes, this.#reader.errorsAbout(configKey).damage)
  }

  async #list(signal: AbortSignal): Promise<RefFile[]> {
    const { prefixes } = await this.#reader.list('refs/', signal)
    const { maxRefsBytes } = this.#reader.limits
    const slices = new Slices(signal)
    const files: RefFile[] = []
    let totalBytes = 0
    for (const kind of ['branch', 'tag'] as const) {
      for (const directory of prefixes) {
        if (slices.isOver) await slices.next()
        const key = formatRefKey(directory)
        // Every store refuses an unsafe key, so it cannot be a ref.
        if (!directory.startsWith(`${kind}.`) || !isSafeKey(key)) continue
        const raw = directory.slice(kind.length + 1)
        totalBytes += Buffer.byteLength(raw)
        if (totalBytes > maxRefsBytes) {
          throw this.#reader
            .errorsAbout('refs/')
            .exceed('maxRefsBytes', `its names have more than ${maxRefsBytes} bytes`)
        }
        // A name that is not percent-encoded UTF-8 was copied from S3, where Icechunk does not encode names.
        files.push({ kind, name: this.#reader.encodesKeys ? decodePercent(raw) : raw, key })
      }
    }
    return files
  }

  async #readHeads(files: readonly RefFile[], signal: AbortSignal): Promise<RefHead[]> {
    const slices = new Slices(signal)
    return mapInParallel(files, concurrentReads, async (file) => {
      const head = await this.#readHead(file, signal)
      if (slices.isOver) await slices.next()
      return { file, head }
    })
  }

  async #readHead({ kind, key }: RefFile, signal: AbortSignal): Promise<SnapshotId | undefined> {
    const tombstone = kind === 'tag' && this.#reader.exists(`${key}.deleted`, signal)
    const [ref, isDeleted] = await Promise.all([this.#reader.find(key, signal, 'maxRefFileBytes'), tombstone])
    if (ref === undefined || isDeleted) return undefined
    return parseRef(ref.bytes, this.#reader.errorsAbout(key).damage)
  }
}

/** Reads `{"snapshot":"..."}`. Ignores other members, which later versions of the format may add. */
function parseRef(bytes: Uint8Array, damage: Damage): SnapshotId {
  let ref: JsonValue
  try {
    ref = parseJson(bytes, new DocumentAllowance({ maxDepth: 8 }))
  } catch (cause) {
    throw damage('it is not JSON', { cause })
  }
  const text = isJsonObject(ref) ? ref.get('snapshot') : undefined
  const id = typeof text === 'string' ? parseSnapshotId(text) : undefined
  if (id === undefined) throw damage('it names no snapshot')
  return id
}
