/** `Promise.all` over any number of items, `width` at a time, so that a long list does not open everything at once. */
export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  width: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += width) {
    results.push(...(await Promise.all(items.slice(start, start + width).map(map))))
  }
  return results
}
