/** Default number of records on a page. */
const defaultLimit = 50

/**
 * One page of records. `next` is the id of its last record, after which the next page begins; null on the last page.
 */
export type RecordPage<Item> = { readonly items: Item[]; readonly next: string | null }

/** Reads one page of records, and one more record to find out whether another page follows. */
export async function readPage<Item extends { readonly id: string }>(
  limit: number | undefined,
  read: (limit: number) => Promise<readonly Item[]>,
): Promise<RecordPage<Item>> {
  const size = limit ?? defaultLimit
  const records = await read(size + 1)
  const items = records.slice(0, size)
  return { items, next: records.length > size ? (items.at(-1)?.id ?? null) : null }
}
