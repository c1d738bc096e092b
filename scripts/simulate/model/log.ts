import { machine } from '../machine/machine.ts'
import { logLines } from '../machine/patch-files.ts'

/** Errors that no trouble excuses: mistakes of the program, and rows that the database refuses. */
const mistakes = new RegExp(
  [
    '"type":"(?:TypeError|ReferenceError|RangeError|AssertionError)"',
    'constraint failed',
    'violates [a-z-]+ constraint',
    'a timer failed',
    'current transaction is aborted',
  ].join('|'),
)

/** A line that pino writes. */
type LogLine = { readonly msg?: string; readonly err?: { readonly message?: string } }

/** Shows what the service logs, and notes its mistakes. */
export function watchLog(): void {
  logLines.note = (owner, line) => {
    const { msg = '', err } = JSON.parse(line) as LogLine
    machine.say(owner, 'logs', `${msg} ${err?.message ?? ''}`)
    if (mistakes.test(line)) machine.fault(`${owner.name} logs ${line}`)
  }
}
