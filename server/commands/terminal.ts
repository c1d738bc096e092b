/** The parts of the process that a command uses. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted when the process is asked to stop. */
  readonly stop: AbortSignal
  out(text: string): void
  err(text: string): void
}
