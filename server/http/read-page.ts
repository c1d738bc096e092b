/** Records of a page when the caller names no number. */
const defaultLimit = 50

/** A page, and the id after which the next one begins; null at the end. */
export type Page<Item> = { readonly items: Item[]; readonly next: string | null }

/**
 * Reads one page, and one record more to know whether there is another.
 *
 * @param limit as the contract's query has it: a number in its decimal form
 */
export async function readPage<Item extends { readonly id: string }>(
  limit: string | undefined,
  read: (limit: number) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const size = limit === undefined ? defaultLimit : Number(limit)
  const found = await read(size + 1)
  const items = found.slice(0, size)
  return { items, next: found.length > size ? (items.at(-1)?.id ?? null) : null }
}
