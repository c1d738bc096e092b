import type { Readable, Writable } from 'node:stream'
import { systemTiming, type Timing } from '../../timing.ts'

/** The parts of the process that a command uses. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted when the process must stop. */
  readonly stop: AbortSignal
  out(text: string): void
  err(text: string): void
  /** Whether a person sees what `err` writes. */
  readonly isInteractive: boolean
  /** Yields at each request to reload the configuration. Rejects when the process must stop. */
  listenForHangUps(): AsyncIterable<unknown>
  /** Opens standard input and output for a command that talks to a program. */
  openStreams(): { readonly input: Readable; readonly output: Writable }
}

/** Escapes control characters, because names and messages of repositories could control the terminal. */
export function escapeControls(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** A command that ends before this shows no progress, in milliseconds. */
const quietMs = 1_000

/** Time between two updates of the line, in milliseconds. */
const intervalMs = 200

/** Longer texts would wrap, and the second line would not be erased. */
const maxLength = 78

/** Moves to the beginning of the line and erases it. */
const eraseLine = '\r\u001b[K'

/**
 * Runs work that may take long. After a second, an interactive terminal shows its progress on one line, which is erased at the end.
 *
 * @param work gets a function that sets the text of the line
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
