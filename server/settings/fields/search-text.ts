// A search as the text of one field: the query of a search page, such as `q=temperature&units=K`.
import type { StoredSearchCreation } from '@floe/client'
import type { SearchConditions } from '@floe/contract/lists'

/** Parameters of a search page that say nothing about the datasets. */
const ofPages: ReadonlySet<string> = new Set(['facets', 'sort', 'limit', 'before', 'format'])

/** Parameters with one value; others are lists. */
const single: ReadonlySet<string> = new Set(['q', 'bbox', 'time'])

/**
 * Reads a query, or the address of a search page; null if it is neither or has no condition. The service checks names
 * and values.
 */
export function readSearch(text: string): StoredSearchCreation | null {
  const query = readQuery(text.trim())
  // A bare word is no condition. To ignore it would select more events than its author wants.
  if (query.split('&').some((pair) => pair !== '' && !pair.includes('='))) return null
  const search: Record<string, string | string[]> = {}
  const parameters = new URLSearchParams(query)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name).filter((value) => value !== '')
    const [first] = values
    if (first === undefined || ofPages.has(name)) continue
    search[name] = single.has(name) ? first : values
  }
  return Object.keys(search).length > 0 ? search : null
}

function readQuery(text: string): string {
  if (!/^(?:http|\/)/i.test(text)) return text
  const [address = ''] = text.split('#')
  return address.includes('?') ? address.slice(address.indexOf('?') + 1) : ''
}

/** Writes what {@link readSearch} reads; the empty text for no search. */
export function writeSearch(search: SearchConditions | null): string {
  const pairs = Object.entries(search ?? {}).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, value]),
  )
  return new URLSearchParams(pairs).toString()
}
