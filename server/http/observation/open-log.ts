import { type DestinationStream, type Level, type Logger, pino } from 'pino'
import { hideSecrets } from './hide-secrets.ts'

/** Lines that wait while nobody reads the log, in bytes. Further ones are dropped: a service that waits for its log does not answer. */
const maxWaitingBytes = 4 * 1024 ** 2

/**
 * Opens the log of a process, lines of JSON.
 *
 * @param destination default: the standard error, written in the background and at the end of the process
 */
export function openLog(level: Level, destination: DestinationStream = openStandardError()): Logger {
  return pino({ level, hooks: { streamWrite: hideSecrets } }, destination)
}

/** Opens the standard error so that one that fails neither ends the process nor keeps it. */
function openStandardError(): DestinationStream {
  let isFailing = false
  let isEnding = false
  const retryEAGAIN = () => !isEnding
  const destination = pino.destination({ dest: 2, sync: false, maxLength: maxWaitingBytes, retryEAGAIN })
  // The next line makes it try again.
  destination.on('error', () => (isFailing = true)).on('write', () => (isFailing = false))
  // pino calls this at the end of the process. By itself, it would try for ever to write to a full disk or a pipe that nobody reads.
  const flush = destination.flushSync.bind(destination)
  destination.flushSync = () => {
    if (isFailing) return
    isEnding = true
    try {
      flush()
    } catch {
      // Nobody reads, and the process is about to end.
    }
  }
  return destination
}
