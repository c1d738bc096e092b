// What a reader asked for, and the queries that ask for a little more or less.
import type { contract } from '@floe/contract'
import type { LinkQuery } from '../page-links.ts'

/** The query of a search, as the contract has it. */
export type SearchQuery = (typeof contract.search.get.query)['_output']

/** Parameters that restrict the results, and what readers call them. */
export const parameterNames = {
  q: 'Words',
  variable: 'Variable',
  standard_name: 'Standard name',
  units: 'Units',
  dimension: 'Dimension',
  dtype: 'Data type',
  institution: 'Institution',
  keyword: 'Keyword',
  attribute: 'Attribute',
  bbox: 'Place',
  time: 'Time',
  repo: 'Repository',
} as const satisfies Partial<Record<keyof SearchQuery, string>>

type Parameter = keyof typeof parameterNames

export function listValues(query: SearchQuery, name: keyof SearchQuery): readonly string[] {
  return [query[name] ?? []].flat().filter((value) => value !== '')
}

/** What was asked for: parameters and their values. A dataset must have one of the values of each. */
export function listConditions(query: SearchQuery) {
  const names = Object.keys(parameterNames) as Parameter[] // the keys of the object above
  return names.map((name) => ({ name, values: listValues(query, name) })).filter(({ values }) => values.length > 0)
}

/** The first page of the results without these parameters. The page has facets always, so that its addresses need not ask for them. */
export function without(query: SearchQuery, ...names: readonly Parameter[]): LinkQuery {
  return { ...query, ...Object.fromEntries(names.map((name) => [name, ''])), before: '', facets: '' }
}

/** Adds a value to a parameter, or removes it if it was asked for. */
export function toggle(query: SearchQuery, name: Parameter, value: string): LinkQuery {
  const values = listValues(query, name)
  const others = values.filter((other) => other !== value)
  return { ...without(query), [name]: values.includes(value) ? others : [...values, value] }
}
