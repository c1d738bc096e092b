import type { Gaps } from '@floe/contract'
import { type Cancellation, defaultMaxAnswerBytes, encodeJson, JsonWriter, type JsonBytes } from '@floe/storage/json'
import type { AskedFor } from '../asked-for.ts'
import { BoundedLists } from '../bounded-lists.ts'
import { GapsPart } from './gaps-part.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'

/**
 * Writes a page of the gaps of the arrays at and below a group as JSON. A page ends early where its arrays have taken
 * what one question may read, or the answer is full.
 *
 * @throws RequestProblem `group-not-found`
 * @throws AnswerTooLargeError, and what the cancellation throws
 */
export function writeGaps(
  source: SnapshotManifests,
  asked: AskedFor<'gaps'>,
  cancellation?: Cancellation,
): JsonBytes<Gaps> {
  const json = new JsonWriter(defaultMaxAnswerBytes, cancellation)
  const part = new GapsPart(source, asked, cancellation)
  return json.write<Gaps>({
    snapshot_id: source.snapshot.id,
    arrays: part.list(new BoundedLists(json)).map((array) => encodeJson(array)),
    // These are written when the list has ended.
    get next() {
      return part.next
    },
    get truncated() {
      return part.isCut
    },
  })
}
