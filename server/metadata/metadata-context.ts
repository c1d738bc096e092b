import type { Database } from '@floe/storage/database'
import type { CommitCache } from './history/commit-cache.ts'
import type { PageLinks } from '../pages/page-links.ts'
import type { PublicAddress } from '../pages/public-address.ts'
import type { ServedCatalogs } from '../catalog/served-catalog.ts'
import type { CachedRefs } from '../catalog/cached-refs.ts'
import type { AnswerCache } from './answering/answer-cache.ts'
import type { SnapshotAnswers } from './answering/snapshot-answers.ts'
import type { Timing } from '../timing.ts'
import type { OpenedSearch } from '../search/open-search.ts'

/** What the metadata routes share: the repositories that are served, how they are read, and the addresses of pages. */
export type MetadataContext = {
  /** Public address, ending in `/v1`. */
  readonly baseUrl: () => string
  /** Contains the recorded heads and events, and the index of search. */
  readonly db: Database
  readonly catalogs: ServedCatalogs
  readonly cachedRefs: CachedRefs
  readonly answers: SnapshotAnswers
  readonly cache: AnswerCache
  readonly commitCache: CommitCache
  readonly search: Pick<OpenedSearch, 'enabled' | 'branches' | 'searcher' | 'review'>
  readonly timing: Pick<Timing, 'elapsed' | 'now'>
  /** Path of the API, ending in `/v1`. */
  readonly v1: string
  /** Address of the folder with stylesheets and scripts, without a trailing slash. */
  readonly assetsRoot: string
  /** Undefined if nobody can sign in. */
  readonly account: PublicAddress['account']
  readonly buildLinks: (deployment: string, org: string) => PageLinks
}
