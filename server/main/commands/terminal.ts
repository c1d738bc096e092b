import type { Readable, Writable } from 'node:stream'

/** The parts of the process that a command uses. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted when the process is asked to stop. */
  readonly stop: AbortSignal
  out(text: string): void
  err(text: string): void
  /** Whether a person sees what `err` writes. */
  readonly isInteractive: boolean
  /** Hears when the process is asked to read its configuration again. Rejects when it is asked to stop. */
  listenForHangUps(): AsyncIterable<unknown>
  /** Opens standard input and output, for a command that talks with a program. */
  openStreams(): { readonly input: Readable; readonly output: Writable }
}

/** Escapes control characters, because names and messages come from strangers and could control the terminal. */
export function escapeControls(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
