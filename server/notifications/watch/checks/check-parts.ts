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
  readonly timing: Pick<Timing, 'now' | 'after'>
  /** Logs head moves, and repositories that cannot be read. */
  readonly states: StateLog
}
