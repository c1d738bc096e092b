import type { Completeness } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, encodeJson, JsonWriter, type JsonBytes } from '@floe/storage/json'
import { type ChunkCount, isIncomplete } from '../../pages/parts/written-chunks.ts'
import type { AskedFor } from '../asked-for.ts'
import { BoundedLists } from '../bounded-lists.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import { findGroup } from '../../groups/group-documents.ts'
import { countChunks, describeChunkCount } from './count-chunks.ts'
import { listArrays } from './list-arrays.ts'
import { addUpAll, addUpArray } from './stored-bytes.ts'

/** An array by the index of its node: its path is a new text, and is made when it is written. */
type CountedArray = { readonly index: number; readonly chunks: ChunkCount }

/**
 * Writes how many chunks are written of the arrays at and below a group as JSON.
 *
 * @throws RequestProblem `group-not-found`
 * @throws AnswerTooLargeError, and what the cancellation throws
 */
export function writeCompleteness(
  source: SnapshotManifests,
  { group, bytes }: AskedFor<'completeness'>,
  cancellation?: Cancellation,
): JsonBytes<Completeness> {
  const { snapshot } = source
  if (group !== '') findGroup(snapshot, group)
  const { incomplete, unknown, complete } = countArrays(snapshot, group, cancellation)
  const arrays = [...incomplete, ...unknown, ...complete]
  const sums = bytes === 'true' ? arrays.map(({ index }) => addUpArray(source, index, cancellation)) : undefined
  const json = new JsonWriter(defaultMaxAnswerBytes, cancellation)
  const lists = new BoundedLists(json)
  return json.write<Completeness>({
    snapshot_id: snapshot.id,
    arrays: lists
      .take(arrays.entries())
      .map(([place, { index, chunks }]) =>
        encodeJson({
          path: snapshot.nodes.readPath(index),
          ...describeChunkCount(chunks),
          ...(sums && { bytes: sums[place] }),
        }),
      ),
    counts: { incomplete: incomplete.length, unknown: unknown.length, complete: complete.length },
    ...(sums && { bytes: addUpAll(sums) }),
    // Written last, when the list has ended.
    get truncated() {
      return lists.areCut
    },
  })
}

function countArrays(snapshot: Snapshot, below: string, cancellation: Cancellation | undefined) {
  const incomplete: CountedArray[] = []
  const unknown: CountedArray[] = []
  const complete: CountedArray[] = []
  for (const index of listArrays(snapshot, below, cancellation)) {
    const chunks = countChunks(snapshot, index, cancellation)
    const list = typeof chunks === 'string' ? unknown : isIncomplete(chunks) ? incomplete : complete
    list.push({ index, chunks })
  }
  return { incomplete, unknown, complete }
}
