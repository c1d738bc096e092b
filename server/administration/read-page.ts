/** Records per page by default. */
const defaultLimit = 50

/** A page. `next` is the id after which the next page begins; null on the last page. */
export type RecordPage<Item> = { readonly items: Item[]; readonly next: string | null }

/**
 * Reads one page. It asks for one more record to know whether another page follows.
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
