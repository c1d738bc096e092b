/**
 * Iterates over the entries of all pages.
 *
 * @param readPage - reads the page that begins after `before`, or the first one
 * @param list - lists the entries of a page
 * @param signal - ends the iteration, even between two entries of a page
 */
export async function* iteratePages<Page extends { readonly next: string | null }, Entry>(
  readPage: (before: string | undefined) => Promise<Page>,
  list: (page: Page) => readonly Entry[],
  { before, signal }: { readonly before?: string | undefined; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<Entry, void, undefined> {
  const seen = new Set<string>()
  for (let next: string | null | undefined = before; next !== null;) {
    const page: Page = await readPage(next)
    for (const entry of list(page)) {
      yield entry
      signal?.throwIfAborted()
    }
    next = page.next
    // A damaged repository can have a circular history.
    if (next !== null && seen.size === seen.add(next).size) throw new TypeError(`the list runs in a circle at ${next}`)
  }
}
