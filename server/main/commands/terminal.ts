import type { Readable, Writable } from 'node:stream'
import { escapeUnits } from '../../text/escape-units.ts'
import { systemTiming, type Timing } from '../../timing.ts'

/** The parts of the process that a command uses. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborts when the process must stop. */
  readonly stop: AbortSignal
  out(text: string): void
  err(text: string): void
  /** Replaces the last line of `err`, if a person reads it. */
  replaceLine(text: string): void
  /** Whether a person reads what `err` writes. */
  readonly isInteractive: boolean
  /** Yields at each request to reload the configuration. Rejects when the process must stop. */
  listenForHangUps(): AsyncIterable<unknown>
  /** Opens standard input and output for a command that talks to a program. */
  openStreams(): { readonly input: Readable; readonly output: Writable }
}

/** Moves to the beginning of the line and erases it. */
const eraseLine = '\r\u001b[K'

/**
 * Makes the functions that write to the standard streams. They escape the characters with which names and messages of
 * repositories could control the terminal, except line feeds and tabs, with which commands lay out lines and columns.
 */
export function writeTo(output: Writable, errors: Writable): Pick<Terminal, 'out' | 'err' | 'replaceLine'> {
  const escapeLines = (text: string) => text.replace(/[^\n\t]+/g, escapeControls)
  return {
    out: (text) => void output.write(escapeLines(text)),
    err: (text) => void errors.write(escapeLines(text)),
    replaceLine: (text) => void errors.write(eraseLine + escapeControls(text)),
  }
}

/**
 * Escapes control characters and invisible ones as JSON does, also line feeds and tabs. For a line or a column with
 * texts of repositories, which must not begin another one. `writeTo` escapes all other characters in any case.
 */
export function escapeControls(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, escapeUnits)
}

/** A command that ends within this time shows no progress, in milliseconds. */
const quietMs = 1_000

/** Time between two updates of the line of progress, in milliseconds. */
const intervalMs = 200

/** Maximum length of the line of progress. A longer one would wrap, and its second line would not be erased. */
const maxLength = 78

/**
 * Runs work that may take long. If it takes more than a second, an interactive terminal shows its progress on one line,
 * which is erased at the end.
 *
 * @param work gets a function that sets the text of the line
 */
export async function showProgress<Result>(
  { isInteractive, replaceLine }: Pick<Terminal, 'isInteractive' | 'replaceLine'>,
  work: (show: (text: string) => void) => Promise<Result>,
  { after }: Pick<Timing, 'after'> = systemTiming,
): Promise<Result> {
  if (!isInteractive) return work(() => {})
  let latest = ''
  let shown = ''
  const draw = () => {
    if (latest !== shown) replaceLine(latest.slice(0, maxLength))
    shown = latest
    cancel = after(intervalMs, draw)
  }
  let cancel = after(quietMs, draw)
  try {
    return await work((text) => (latest = text))
  } finally {
    cancel()
    if (shown !== '') replaceLine('')
  }
}
