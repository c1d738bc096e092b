/**
 * Runs a task for each item, at most `width` at the same time, and returns the results in order. When a task fails, no
 * other starts.
 */
export async function mapInParallel<Item, Result>(
  items: Iterable<Item>,
  width: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = number(items)
  const work = async () => {
    // An error ends the generator, and with it all loops.
    for (const [index, item] of waiting) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: width }, work))
  return results
}

function* number<Item>(items: Iterable<Item>): Generator<readonly [number, Item]> {
  let index = 0
  for (const item of items) yield [index++, item]
}
