/** Records per page by default. */
const defaultLimit = 50

/** One page of records. The next page begins after the id `next`; null on the last page. */
export type RecordPage<Item> = { readonly items: Item[]; readonly next: string | null }

/**
 * Reads one page, and one more record to find out whether another page follows.
 *
 * @param limit a decimal number, as the query has it; default 50
 */
export async function readPage<Item extends { readonly id: string }>(
  limit: string | undefined,
  read: (limit: number) => Promise<readonly Item[]>,
): Promise<RecordPage<Item>> {
  const size = limit === undefined ? defaultLimit : Number(limit)
  const found = await read(size + 1)
  const items = found.slice(0, size)
  return { items, next: found.length > size ? (items.at(-1)?.id ?? null) : null }
}
