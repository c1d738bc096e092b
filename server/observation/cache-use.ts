/** How a cache is used, counted since the start. */
export type CacheUse = {
  /** Look-ups that found what they looked for. */
  readonly hits: number
  readonly misses: number
  /** Size of what it holds, by its own account. */
  readonly bytes: number
  /** Most that it holds. */
  readonly maxBytes: number
}
