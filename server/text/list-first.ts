/** Default maximum number of listed texts, such as of names in a line of the log. */
export const maxListed = 10

/** Shortens a list: the first texts, and how many more there are. `total`: the number of all, if some are left out. */
export function listFirst(texts: readonly string[], max = maxListed, total = texts.length): readonly string[] {
  const shown = texts.slice(0, max)
  const more = total - shown.length
  return more > 0 ? [...shown, `and ${more} more`] : shown
}
