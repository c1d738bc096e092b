import type { Gaps } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, JsonWriter, type JsonBytes } from '@floe/storage/json'

/** What a request for gaps asks. */
export type AskedGaps = {
  readonly group: string
  readonly path?: string
  readonly along?: string
  readonly limit?: number
  readonly after?: string
}

/** A stub, until the manifests can be read. */
export function writeGaps(snapshot: Snapshot, _asked: AskedGaps, cancellation?: Cancellation): JsonBytes<Gaps> {
  return new JsonWriter(undefined, cancellation).write<Gaps>({
    snapshot_id: snapshot.id,
    arrays: [],
    next: null,
    truncated: false,
  })
}
