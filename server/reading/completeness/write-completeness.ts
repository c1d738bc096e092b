import type { Completeness } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, encodeJson, JsonWriter, type JsonBytes } from '@floe/storage/json'
import { type ChunkCount, isIncomplete } from '../../pages/parts/written-chunks.ts'
import { BoundedLists } from '../bounded-lists.ts'
import { findGroup } from '../../groups/group-documents.ts'
import { countChunks, describeChunkCount } from './count-chunks.ts'
import { listArrays } from './list-arrays.ts'

/** An array by the index of its node: its path is a new text, and is made when it is written. */
type CountedArray = { readonly index: number; readonly chunks: ChunkCount }

/**
 * Writes how many chunks are written of the arrays at and below a group as JSON.
 *
 * @throws RequestProblem `group-not-found`
 * @throws AnswerTooLargeError, and what the cancellation throws
 */
export function writeCompleteness(
  snapshot: Snapshot,
  group: string,
  cancellation?: Cancellation,
): JsonBytes<Completeness> {
  if (group !== '') findGroup(snapshot, group)
  const { incomplete, unknown, complete } = countArrays(snapshot, group, cancellation)
  const json = new JsonWriter(defaultMaxAnswerBytes, cancellation)
  const lists = new BoundedLists(json)
  return json.write<Completeness>({
    snapshot_id: snapshot.id,
    arrays: lists
      .take([...incomplete, ...unknown, ...complete])
      .map(({ index, chunks }) => encodeJson({ path: snapshot.nodes.readPath(index), ...describeChunkCount(chunks) })),
    counts: { incomplete: incomplete.length, unknown: unknown.length, complete: complete.length },
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
