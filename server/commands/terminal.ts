import type { Readable, Writable } from 'node:stream'

/** The parts of the process that a command uses. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted when the process is asked to stop. */
  readonly stop: AbortSignal
  out(text: string): void
  err(text: string): void
  /** Opens standard input and output, for a command that talks with a program. */
  openStreams(): { readonly input: Readable; readonly output: Writable }
}
