import type { Database } from '@floe/storage/database'
import type { CommitCache } from './history/commit-cache.ts'
import type { PageLinks } from '../pages/page-links.ts'
import type { ServedCatalogs } from '../catalog/served-catalog.ts'
import type { RepositoryReading } from '../catalog/reading.ts'
import type { AnswerCache } from '../reading/answer-cache.ts'
import type { SnapshotAnswers } from '../reading/snapshot-answers.ts'
import type { Timing } from '../timing.ts'

/** What the metadata routes share: the repositories that are served, how they are read, and the addresses of pages. */
export type MetadataContext = {
  /** Public address, ending in `/v1`. */
  readonly baseUrl: () => string
  /** The recorded heads. */
  readonly db: Database
  readonly catalogs: ServedCatalogs
  readonly reading: RepositoryReading
  readonly answers: SnapshotAnswers
  readonly cache: AnswerCache
  readonly commitCache: CommitCache
  /** Whether the service indexes its repositories. */
  readonly search: { readonly enabled: boolean; readonly branches: readonly string[] }
  readonly timing: Pick<Timing, 'elapsed'>
  /** Path of the API, ending in `/v1`. */
  readonly v1: string
  /** Address below which stylesheets and scripts lie, without a trailing slash. */
  readonly assetsRoot: string
  readonly buildLinks: (deployment: string, org: string) => PageLinks
}
