// A version 1 repository: one small object per reference, `refs/branch.NAME/ref.json` or `refs/tag.NAME/ref.json`, and
// one snapshot object per commit, which names its parent. A deleted branch leaves at most an empty directory; a deleted
// tag stays and gets `ref.json.deleted` beside it. Names hold no `/`. All backends but native S3 percent-encode them in
// keys, so keys come from the listing, never from a name.
import pLimit from 'p-limit'
import { isSafeKey } from '../objects/index.ts'
import { damageIn, MissingObjectError, RefNotFoundError } from './errors.ts'
import type { History, HistoryOptions } from './history.ts'
import { parseSnapshotId } from './object-id.ts'
import type { ObjectReader } from './object-reader.ts'
import { readSnapshotCommit } from './read-snapshot.ts'
import { sortedByName } from './refs.ts'
import type { Commit, Refs, ResolvedRef, SnapshotId } from './types.ts'
import { isJsonObject, parseJson } from '../json/index.ts'
import type { JsonValue } from '../json/index.ts'

/** Where the head of `main` stands, which every version 1 repository has. */
export const mainRefKey = 'refs/branch.main/ref.json'

/** A `ref.json` has 35 bytes; the rest is for members to come. */
export const maxRefBytes = 4_096

/** Reads of reference objects under way at the same time. */
const concurrentReads = 16

type RefKind = 'branch' | 'tag'

/** A listed name, and where its `ref.json` would be. */
type RefFile = { readonly kind: RefKind; readonly name: string; readonly key: string }

/** A version 1 repository. There is no single mark of its state; what is not `main` is read when asked for. */
export class RefFiles {
  readonly formatVersion = 1
  readonly etag = null
  /** Head of `main` when this was opened. */
  readonly main: SnapshotId
  readonly #reader: ObjectReader

  /** Throws {@link DamagedObjectError} when the `ref.json` of `main` is none. */
  constructor(reader: ObjectReader, mainRef: Uint8Array) {
    this.#reader = reader
    this.main = parseRef(reader.location, mainRefKey, mainRef)
  }

  /** Costs one listing and a read per branch, two per tag. */
  async refs(signal: AbortSignal): Promise<Refs> {
    const files = await this.#list(signal)
    const branches = new Map<string, SnapshotId>()
    const tags = new Map<string, SnapshotId>()
    const limit = pLimit(concurrentReads)
    const heads = await limit
      .map(files, (file) => this.#head(file, signal))
      // One failure fails the whole, so what still waits need not begin.
      .finally(() => limit.clearQueue())
    for (const [index, { kind, name }] of files.entries()) {
      const head = heads[index]
      const refs = kind === 'branch' ? branches : tags
      // A raw and an encoded name can be the same; the encoded one is listed first, and it is what Icechunk finds.
      if (head !== undefined && !refs.has(name)) refs.set(name, head)
    }
    return { branches: sortedByName(branches), tags: sortedByName(tags) }
  }

  /** Throws {@link RefNotFoundError}. Any snapshot object counts, also one that no reference reaches. */
  async resolve(name: string, signal: AbortSignal): Promise<ResolvedRef> {
    if (name === 'main') return { kind: 'branch', name, snapshotId: this.main }
    const files = (await this.#list(signal)).filter((file) => file.name === name)
    for (const file of files) {
      const snapshotId = await this.#head(file, signal)
      if (snapshotId !== undefined) return { kind: file.kind, name, snapshotId }
    }
    const snapshotId = parseSnapshotId(name)
    if (snapshotId !== undefined && (await this.#reader.exists(`snapshots/${snapshotId}`, signal))) {
      return { kind: 'snapshot', name, snapshotId }
    }
    throw new RefNotFoundError(this.#reader.location, name)
  }

  /** Throws {@link MissingObjectError} when the snapshot object does not exist. */
  async commit(id: SnapshotId, signal: AbortSignal): Promise<Commit> {
    return readSnapshotCommit(await this.#reader.snapshot(id, signal), id, this.#reader.limits)
  }

  /** Costs one read per commit, one after the other. Throws as {@link RefFiles.commit} for the first snapshot. */
  async history(id: SnapshotId, { limit, signal }: HistoryOptions): Promise<History> {
    const commits: Commit[] = []
    const seen = new Set<SnapshotId>()
    for (let next: SnapshotId | null = id; next !== null; next = commits.at(-1)?.parentId ?? null) {
      if (commits.length === Math.min(limit, this.#reader.limits.maxHistory)) return { commits, complete: false }
      if (seen.has(next)) throw damageIn(this.#reader.location, `snapshots/${next}`)('its history runs in a circle')
      seen.add(next)
      try {
        commits.push(await this.commit(next, signal))
      } catch (error) {
        if (commits.length === 0 || !(error instanceof MissingObjectError)) throw error
        return { commits, complete: false }
      }
    }
    return { commits, complete: true }
  }

  /** Branches before tags, each in the order of their keys. */
  async #list(signal: AbortSignal): Promise<RefFile[]> {
    const { prefixes } = await this.#reader.list('refs/', signal)
    const files: RefFile[] = []
    for (const kind of ['branch', 'tag'] as const) {
      for (const directory of prefixes) {
        const key = `refs/${directory}/ref.json`
        // A key that no store may be asked for is no reference.
        if (!directory.startsWith(`${kind}.`) || !isSafeKey(key)) continue
        const raw = directory.slice(kind.length + 1)
        files.push({ kind, name: this.#reader.encodesKeys ? decodeName(raw) : raw, key })
      }
    }
    return files
  }

  /** Undefined when the reference was deleted. */
  async #head({ kind, key }: RefFile, signal: AbortSignal): Promise<SnapshotId | undefined> {
    const tombstone = kind === 'tag' && this.#reader.exists(`${key}.deleted`, signal)
    const [ref, isDeleted] = await Promise.all([this.#reader.find(key, signal, maxRefBytes), tombstone])
    if (ref === undefined || isDeleted) return undefined
    return parseRef(this.#reader.location, key, ref.bytes)
  }
}

/** `{"snapshot":"..."}`; other members are left to later versions of the format. */
function parseRef(repository: string, key: string, bytes: Uint8Array): SnapshotId {
  const damage = damageIn(repository, key)
  let ref: JsonValue
  try {
    ref = parseJson(bytes, { maxNesting: 8 })
  } catch (cause) {
    throw damage('it is not JSON', { cause })
  }
  const text = isJsonObject(ref) ? ref.get('snapshot') : undefined
  const id = typeof text === 'string' ? parseSnapshotId(text) : undefined
  if (id === undefined) throw damage('it names no snapshot')
  return id
}

/** A name that is not percent-encoded UTF-8 was not encoded: the tree was copied from S3. */
function decodeName(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}
