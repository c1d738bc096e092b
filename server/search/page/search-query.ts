// The conditions of a search, and queries with one condition more or less.
import type { contract } from '@floe/contract'
import type { LinkQuery, PageLinks } from '../../pages/page-links.ts'

/** The query parameters of a search, as the contract defines them. */
export type SearchQuery = (typeof contract.search.get.query)['_output']

/** The parameters that restrict the results, with their names for readers. */
export const parameterNames = {
  q: 'Words',
  variable: 'Variable',
  standard_name: 'Standard name',
  units: 'Units',
  dimension: 'Dimension',
  dtype: 'Data type',
  institution: 'Institution',
  keyword: 'Keyword',
  licence: 'Licence',
  kind: 'Kind',
  attribute: 'Attribute',
  bbox: 'Area',
  time: 'Time',
  changed_since: 'Changed since',
  changed_before: 'Changed before',
  repo: 'Repository',
} as const satisfies Partial<Record<keyof SearchQuery, string>>

type Parameter = keyof typeof parameterNames

/** Lists the values of a parameter that are not empty. */
export function listValues<Name extends string>(
  query: { readonly [Each in Name]?: string | readonly string[] | undefined },
  name: Name,
): readonly string[] {
  return [query[name] ?? []].flat().filter((value) => value !== '')
}

/** Lists the conditions: parameters with their values. A dataset must match one of the values of each parameter. */
export function listConditions(query: SearchQuery) {
  const names = Object.keys(parameterNames) as Parameter[] // the keys of the object above
  return names.map((name) => ({ name, values: listValues(query, name) })).filter(({ values }) => values.length > 0)
}

/**
 * Makes the query of the first page of results without these parameters. It leaves out `facets`, because the page
 * always has facets, and the format.
 */
export function without(query: SearchQuery, ...names: readonly Parameter[]): LinkQuery {
  return { ...query, ...Object.fromEntries(names.map((name) => [name, ''])), before: '', facets: '', format: '' }
}

/** Links to the last changes of the datasets that a search finds, as a feed. */
export function linkSearchFeed(query: SearchQuery, links: PageLinks) {
  const href = links.search({ ...without(query), sort: '', format: 'atom' })
  return { text: 'Changes of the datasets found', type: 'application/atom+xml', href }
}

/** Makes the query with one value more, or without the value if the query has it. */
export function toggle(query: SearchQuery, name: Parameter, value: string): LinkQuery {
  const values = listValues(query, name)
  const toggled = values.includes(value) ? values.filter((kept) => kept !== value) : [...values, value]
  return { ...without(query), [name]: toggled }
}
