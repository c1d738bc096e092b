import type { Completeness } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, defaultMaxAnswerBytes, JsonWriter, type JsonBytes } from '@floe/storage/json'
import { type ChunkCount, isIncomplete } from '../../pages/parts/written-chunks.ts'
import { BoundedLists } from '../bounded-lists.ts'
import { findGroup } from '../../groups/group-documents.ts'
import { countChunks, describeChunkCount } from './count-chunks.ts'
import { listArrays } from './list-arrays.ts'

type CountedArray = { readonly path: string; readonly chunks: ChunkCount }

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
      .map(({ path, chunks }) => ({ path, ...describeChunkCount(chunks) })),
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
  for (const { index, path, document } of listArrays(snapshot, below, cancellation)) {
    const chunks = countChunks(snapshot, index, document, cancellation)
    const list = typeof chunks === 'string' ? unknown : isIncomplete(chunks) ? incomplete : complete
    list.push({ path, chunks })
  }
  return { incomplete, unknown, complete }
}
