import type { ChunkSources, UnknownGapsReason } from '@floe/contract'
import { maxFileRanges } from '@floe/contract/constants'
import { type ChunkFile, FirstFiles, mergeRanges } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, encodeJson, JsonWriter, type JsonBytes } from '@floe/storage/json'
import { findGroup } from '../../groups/group-documents.ts'
import type { AskedFor } from '../asked-for.ts'
import { BoundedLists } from '../bounded-lists.ts'
import { type AskedArray, listAskedArrays } from '../gaps/array-gaps.ts'
import { findArray, type SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import { askForFiles, limitFiles } from './asked-files.ts'

/** Maximum number of ranges of one array that are compared, to join those of several manifests. */
const maxCompared = 20_000

type Counted = { chunks: number; bytes: number }

/** A file, and the index of the last array that has chunks in it. */
type FoundFile = Counted & { arrays: number; lastArray: number }

type ServedArray = NonNullable<ChunkSources['arrays']>[number]

/**
 * Writes a page of the files that the virtual chunks of the arrays at and below a group are in as JSON.
 *
 * @throws RequestProblem `group-not-found`
 * @throws AnswerTooLargeError, and what the cancellation throws
 */
export function writeChunkSources(
  source: SnapshotManifests,
  asked: AskedFor<'chunk-sources'>,
  cancellation?: Cancellation,
): JsonBytes<ChunkSources> {
  const { snapshot } = source
  const { group, path, file } = asked
  if (group !== '') findGroup(snapshot, group)
  const finder = new SourceFinder(source, asked)
  for (const array of listAskedArrays(snapshot, { group, path }, cancellation)) finder.read(array, cancellation)
  const { files, next } = finder.listPage()
  const json = new JsonWriter(defaultMaxAnswerBytes, cancellation)
  const lists = new BoundedLists(json)
  return json.write<ChunkSources>({
    snapshot_id: snapshot.id,
    files: files.map(([file, { chunks, bytes, arrays }]) => ({ file, chunks, bytes, arrays })),
    arrays: file === undefined ? null : lists.take(finder.served).map((array) => encodeJson(array)),
    unknown: lists.take(finder.unknown).map((array) => encodeJson(array)),
    next,
    // Written last, when the lists have ended.
    get truncated() {
      return lists.areCut || finder.isCut
    },
  })
}

/** Finds the files of arrays. What it finds counts only if no manifest is missing from the source then. */
class SourceFinder {
  readonly #source: SnapshotManifests
  readonly #limit: number
  readonly #isOneFile: boolean
  readonly #files: FirstFiles<FoundFile>
  readonly served = new Array<ServedArray>()
  readonly unknown = new Array<{ readonly path: string; readonly reason: UnknownGapsReason }>()
  /** Whether ranges were cut. */
  isCut = false

  constructor(source: SnapshotManifests, asked: AskedFor<'chunk-sources'>) {
    this.#source = source
    this.#limit = limitFiles(asked)
    this.#isOneFile = asked.file !== undefined
    this.#files = new FirstFiles(askForFiles(asked).limit)
  }

  /** @throws what the cancellation throws */
  read({ index, path }: AskedArray, cancellation: Cancellation | undefined): void {
    cancellation?.throwIfAborted()
    const { chunkReferences, nodes } = this.#source.snapshot
    const named = chunkReferences.listManifests(index, cancellation)
    if (typeof named === 'string') return void this.unknown.push({ path, reason: named })
    const node = nodes.readId(index)
    const found = new Array<ChunkFile>()
    let reason: UnknownGapsReason | undefined
    for (const { id } of named) {
      const manifest = this.#source.find(id)
      if (typeof manifest === 'string') reason ??= manifest
      else if (manifest !== undefined) found.push(...(findArray(manifest, node)?.files ?? []))
    }
    if (reason !== undefined) this.unknown.push({ path, reason })
    for (const file of found) this.#count(file, index)
    if (this.#isOneFile && found.length > 0) this.served.push({ path, ...addUp(found), ranges: this.#join(found) })
  }

  #count({ file, chunks, bytes }: ChunkFile, array: number): void {
    const known = this.#files.find(file, () => ({ chunks: 0, bytes: 0, arrays: 0, lastArray: -1 }))
    if (known === undefined) return
    known.chunks += chunks
    known.bytes += bytes
    if (known.lastArray !== array) known.arrays++
    known.lastArray = array
  }

  #join(found: readonly ChunkFile[]): ServedArray['ranges'] {
    const ranges = found.flatMap((file) => file.ranges)
    const joined = mergeRanges(ranges.slice(0, maxCompared))
    this.isCut ||= found.some(({ isCut }) => isCut) || ranges.length > maxCompared || joined.length > maxFileRanges
    return joined.slice(0, maxFileRanges)
  }

  listPage(): { readonly files: readonly [string, FoundFile][]; readonly next: string | null } {
    const files = this.#files.list()
    const page = files.slice(0, this.#limit)
    return { files: page, next: files.length > page.length ? (page.at(-1)?.[0] ?? null) : null }
  }
}

function addUp(files: readonly ChunkFile[]): Counted {
  return files.reduce((sum, { chunks, bytes }) => ({ chunks: sum.chunks + chunks, bytes: sum.bytes + bytes }), {
    chunks: 0,
    bytes: 0,
  })
}
