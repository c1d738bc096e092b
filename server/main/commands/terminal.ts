import type { Readable, Writable } from 'node:stream'
import { systemTiming, type Timing } from '../../timing.ts'

/** The parts of the process that a command uses. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted when the process is asked to stop. */
  readonly stop: AbortSignal
  out(text: string): void
  err(text: string): void
  /** Whether a person sees what `err` writes. */
  readonly isInteractive: boolean
  /** Yields when the process is asked to read its configuration again. Rejects when it is asked to stop. */
  listenForHangUps(): AsyncIterable<unknown>
  /** Opens standard input and output, for a command that talks with a program. */
  openStreams(): { readonly input: Readable; readonly output: Writable }
}

/** Escapes control characters: names and messages come from strangers, and could control the terminal. */
export function escapeControls(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** A command that ends before this shows nothing, in milliseconds. */
const quietMs = 1_000

/** Time between two updates of the line, in milliseconds. */
const intervalMs = 200

/** Longer texts would take a second line, which would not be erased. */
const maxLength = 78

/** Goes to the beginning of the line and erases it. */
const eraseLine = '\r\u001b[K'

/**
 * Runs work that may take long. After a second, an interactive terminal shows what is being done, on one line that is erased at the end.
 *
 * @param work gets a function that says what is being done
 */
export async function showProgress<Result>(
  { isInteractive, err }: Pick<Terminal, 'isInteractive' | 'err'>,
  work: (show: (text: string) => void) => Promise<Result>,
  { after }: Pick<Timing, 'after'> = systemTiming,
): Promise<Result> {
  if (!isInteractive) return work(() => {})
  let latest = ''
  let shown = ''
  const draw = () => {
    if (latest !== shown) err(`${eraseLine}${latest.slice(0, maxLength)}`)
    shown = latest
    cancel = after(intervalMs, draw)
  }
  let cancel = after(quietMs, draw)
  try {
    return await work((text) => (latest = text))
  } finally {
    cancel()
    if (shown !== '') err(eraseLine)
  }
}
