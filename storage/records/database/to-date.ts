/** Reads a column of milliseconds since 1970. */
export function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}
