import { write, writeSync } from 'node:fs'
import { type DestinationStream, type Level, type Logger, pino } from 'pino'
import { hideSecrets } from './hide-secrets.ts'
import { LogOutput } from './log-output.ts'

/** The standard error, which all logs of the process share. Nothing that it waits for keeps the process. */
const standardError = new LogOutput(
  { write: (bytes, done) => write(2, bytes, done), writeNow: (bytes) => writeSync(2, bytes) },
  (ms, callback) => {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
)
process.once('exit', () =>
  standardError.end((ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)),
)

/**
 * Opens the log of a process, lines of JSON.
 *
 * @param destination default: the standard error, written in the background and at the end of the process
 */
export function openLog(level: Level, destination: DestinationStream = standardError): Logger {
  return pino({ level, hooks: { streamWrite: hideSecrets } }, destination)
}
