import { machine } from '../machine/machine.ts'
import { logLines } from '../machine/patch-files.ts'

/** Errors that no trouble excuses: mistakes of the program, and rows that the database refuses. */
const mistakes = /"type":"(?:TypeError|ReferenceError|RangeError|AssertionError)"|constraint failed|a timer failed/

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
