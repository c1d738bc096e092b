/** Default maximum number of listed texts, such as of names in a line of the log. */
export const maxListed = 10

/** Shortens a list: the first texts, and how many more there are. */
export function listFirst(texts: readonly string[], max = maxListed): readonly string[] {
  const more = texts.length - max
  return more > 0 ? [...texts.slice(0, max), `and ${more} more`] : texts
}
