import { type DestinationStream, type Level, type Logger, pino } from 'pino'
import { hideSecrets } from './hide-secrets.ts'

/** Bytes of lines that wait while nobody reads the log. Further lines are dropped, so that the service never waits. */
const maxWaitingBytes = 4 * 1024 ** 2

/** Formats a line of JSON for people. */
export type FormatLine = (line: string) => string

/** Opens the log of a process. */
export function openLog(
  level: Level,
  {
    formatLine = (line) => line,
    destination = openStandardError(),
  }: {
    /** Default: lines of JSON. */
    readonly formatLine?: FormatLine | undefined
    /** Default: standard error, to which lines are written in the background, and at the end of the process. */
    readonly destination?: DestinationStream
  } = {},
): Logger {
  const hooks = { streamWrite: (line: string) => formatLine(hideSecrets(line)) }
  return pino({ level, formatters: { level: (name) => ({ level: name }) }, hooks }, destination)
}

/** Opens standard error. A failure to write neither ends the process nor keeps it alive. */
function openStandardError(): DestinationStream {
  let isFailing = false
  let isEnding = false
  const retryEAGAIN = () => !isEnding
  const destination = pino.destination({ dest: 2, sync: false, maxLength: maxWaitingBytes, retryEAGAIN })
  // The next line that can be written ends the failure.
  destination.on('error', () => (isFailing = true)).on('write', () => (isFailing = false))
  // pino calls this at the end of the process. Without these two flags, it would retry for ever on a full disk, or on a
  // pipe that nobody reads.
  const flush = destination.flushSync.bind(destination)
  destination.flushSync = () => {
    if (isFailing) return
    isEnding = true
    try {
      flush()
    } catch {
      // The process ends now, and the rest of the log is lost.
    }
  }
  return destination
}
