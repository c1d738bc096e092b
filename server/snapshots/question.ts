import type { ViewName } from '@floe/contract'
import type { SnapshotId } from '@floe/storage/icechunk'
import type { DiffPageAddress } from './diff/build-diff-page.ts'
import type { PageAddress } from './page-address.ts'

/**
 * What can be asked about one snapshot. Plain data: it is sent to a thread, and its JSON is the key under which the answer is kept, so
 * it names everything that the answer depends on besides the snapshot.
 */
export type SnapshotQuestion =
  | { readonly kind: 'view'; readonly view: ViewName; readonly group: string }
  /** The groups that hold arrays, at and below a group; `''` is the root group. */
  | { readonly kind: 'datasets'; readonly below: string }
  | { readonly kind: 'dataset-page'; readonly group: string; readonly page: PageAddress }
  /** The page of a ref. `below` must exist, but does not restrict what the page lists. */
  | { readonly kind: 'ref-page'; readonly below: string; readonly page: PageAddress }

/** What changed from another snapshot to this one. Plain data, as {@link SnapshotQuestion}. With `page` the answer is HTML. */
export type DiffQuestion = { readonly kind: 'diff'; readonly from: SnapshotId; readonly page?: DiffPageAddress }
