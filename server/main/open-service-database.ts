import { DatabaseLockedError, type LanedDatabase } from '@floe/storage/database'
import type { Logger } from 'pino'
import type { Stopwatch } from '../timing.ts'

/** How long a start waits for a database that another process keeps locked, in milliseconds. */
const patienceMs = 60_000

type Waiting = {
  readonly elapsed: Stopwatch
  readonly log: Pick<Logger, 'warn'>
  /** Ends the wait when the service must stop. */
  readonly stop?: AbortSignal | undefined
}

/**
 * Opens the database of a service, and waits while another process keeps it locked: one that migrates, or one that was
 * paused while it changed something.
 *
 * @throws the errors of `open`
 */
export async function openServiceDatabase(
  open: () => Promise<LanedDatabase>,
  { elapsed, log, stop }: Waiting,
): Promise<LanedDatabase> {
  const end = elapsed() + patienceMs
  for (let hasTold = false; ; hasTold = true) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof DatabaseLockedError) || stop?.aborted || elapsed() >= end) throw error
      // Each attempt waits for the lock itself, so this loop needs no pause.
      if (!hasTold) log.warn({ reason: error.message }, 'the start waits, because the database is locked')
    }
  }
}
