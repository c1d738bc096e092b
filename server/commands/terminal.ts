/** What a command knows of its process, and where it writes its results. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted when the process is asked to stop. */
  readonly stop: AbortSignal
  out(text: string): void
  err(text: string): void
}
