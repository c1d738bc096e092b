import type { Catalog } from '../catalog/catalog.ts'
import type { LanedDatabase } from '@floe/storage/database'
import type { FaultLog } from '../observation/fault-log.ts'
import type { Metrics } from '../observation/metrics.ts'
import type { IndexReaders } from './index/index-head.ts'
import { Searcher, type SearchThreads } from './searcher.ts'
import type { SharedTiming } from '../timing.ts'
import { IndexReview } from './index/index-review.ts'
import { type IndexingReplica, SearchIndexer } from './index/search-indexer.ts'

/** What the search of a service is made of. */
export type OpenedSearch = {
  /** Whether the service indexes its repositories. */
  readonly enabled: boolean
  /** Patterns of the branches that are indexed besides `main`. */
  readonly branches: readonly string[]
  readonly searcher: Pick<Searcher, 'search'>
  readonly review: Pick<IndexReview, 'review'>
  /** Begins to index heads, if search is enabled. */
  readonly start: () => void
  /** Resolves when the index has all heads for the first time. */
  readonly caughtUp: Promise<void>
  /** Ends after the current steps. */
  readonly stop: () => Promise<void>
}

type SearchParts = {
  readonly db: LanedDatabase
  readonly catalogs: { readonly byOrg: ReadonlyMap<string, Catalog> }
  readonly reading: { readonly readers: IndexReaders & SearchThreads }
  /** `onEvents` gets a function to call when a head may have moved. */
  readonly notifier: { readonly onEvents: (callback: () => void) => void; readonly replica: IndexingReplica }
  readonly timing: SharedTiming
  readonly metrics: Metrics
  readonly faults: Pick<FaultLog, 'note'>
}

/** Opens the search of a service. Nothing runs before it is started. */
export function openSearch(
  { db, catalogs: { byOrg: catalogs }, reading: { readers }, notifier, timing, metrics, faults }: SearchParts,
  { enabled, branches }: Pick<OpenedSearch, 'enabled' | 'branches'>,
): OpenedSearch {
  const review = new IndexReview(db, catalogs)
  const searcher = new Searcher(db, readers, timing)
  const onError = (error: unknown) => faults.note(error, 'search failed to index')
  const { replica } = notifier
  const indexer = new SearchIndexer({ db, catalogs, readers, branches, review, replica, timing, metrics, onError })
  return {
    enabled,
    branches,
    searcher,
    review,
    start: () => {
      if (!enabled) return
      notifier.onEvents(() => indexer.wake())
      indexer.start()
    },
    caughtUp: indexer.caughtUp,
    stop: () => indexer.stop(),
  }
}
