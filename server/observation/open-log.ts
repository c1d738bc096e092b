import { type DestinationStream, type Level, type Logger, pino } from 'pino'
import { hideSecrets } from './hide-secrets.ts'

/** Lines are written together when there are so many bytes of them, or after so many milliseconds. */
const writtenTogether = { minLength: 4_096, periodicFlush: 200 } as const

/** Bytes that wait while nobody reads the log. Lines beyond that are dropped: a service that waits for its log does not answer. */
const maxWaitingBytes = 4 * 1024 ** 2

/**
 * Opens the log of a process, lines of JSON.
 *
 * @param destination default: the standard error, written in the background and at the end of the process
 */
export function openLog(level: Level, destination: DestinationStream = openStandardError()): Logger {
  return pino({ level, hooks: { streamWrite: hideSecrets } }, destination)
}

function openStandardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: false, ...writtenTogether, maxLength: maxWaitingBytes })
}
