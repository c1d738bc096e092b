import type { Gaps } from '@floe/contract'
import { type Cancellation, JsonWriter, type JsonBytes } from '@floe/storage/json'
import type { AskedFor } from '../asked-for.ts'
import type { SnapshotManifests } from './snapshot-manifests.ts'

/** What a request for gaps asks. */
export type AskedGaps = AskedFor<'gaps'>

/** A stub, until the manifests can be read. */
export function writeGaps(
  { snapshot }: SnapshotManifests,
  _asked: AskedGaps,
  cancellation?: Cancellation,
): JsonBytes<Gaps> {
  return new JsonWriter(undefined, cancellation).write<Gaps>({
    snapshot_id: snapshot.id,
    arrays: [],
    next: null,
    truncated: false,
  })
}
