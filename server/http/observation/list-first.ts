/** A line of the log lists up to this many names. */
export const maxListed = 10

/** Lists the first names, and how many others there are. */
export function listFirst(names: readonly string[]): readonly string[] {
  const others = names.length - maxListed
  return others > 0 ? [...names.slice(0, maxListed), `and ${others} more`] : names
}
