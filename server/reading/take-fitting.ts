/** The bytes that one or more lists may still use together. */
export type ByteBudget = { bytesLeft: number }

/**
 * Takes the first `max` items, without those that do not fit into the rest of the budget: one that is too long does not
 * hide shorter ones after it.
 *
 * @param measure returns the size of an item in bytes
 */
export function takeFitting<Item>(
  items: readonly Item[],
  max: number,
  budget: ByteBudget,
  measure: (item: Item) => number,
): Item[] {
  return items.slice(0, max).filter((item) => {
    const bytes = measure(item)
    if (bytes > budget.bytesLeft) return false
    budget.bytesLeft -= bytes
    return true
  })
}
