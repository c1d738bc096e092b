import type { Database } from '@floe/storage/database'
import type { StateLog } from '../../../observation/state-log.ts'
import type { ReaderPool } from '../../../reading/threads/reader-pool.ts'
import type { Timing } from '../../../timing.ts'
import type { HeadRecords } from './head-records.ts'

/** What the checks of repositories use. */
export type CheckParts = {
  readonly db: Database
  readonly heads: HeadRecords
  /** Finds what head moves have changed. */
  readonly readers: Pick<ReaderPool, 'ask'>
  readonly timing: Timing
  /** Logs head moves, and repositories that cannot be read. */
  readonly states: StateLog
  /** Called when the database cannot be used, and with other failures that are none of a repository; work goes on. */
  readonly onError: (error: unknown) => void
}
