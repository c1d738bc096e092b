// What a reader asked for, in words, and the queries that ask for a little more or less.
import type { contract } from '@floe/contract'
import type { LinkQuery } from '../page-links.ts'

/** The query of a search, as the contract has it. */
export type SearchQuery = (typeof contract.search.get.query)['_output']

/** Parameters that restrict the results, by the words that readers see. */
export const parameterNames = {
  q: 'words',
  variable: 'variable',
  standard_name: 'standard name',
  units: 'units',
  dimension: 'dimension',
  dtype: 'data type',
  institution: 'institution',
  keyword: 'keyword',
  attribute: 'attribute',
  bbox: 'place',
  time: 'time',
  repo: 'repository',
} as const satisfies Partial<Record<keyof SearchQuery, string>>

type Parameter = keyof typeof parameterNames

/** A parameter that was asked for. A dataset must have one of its values. */
export type Condition = { readonly name: Parameter; readonly values: readonly string[] }

export function listValues(query: SearchQuery, name: keyof SearchQuery): readonly string[] {
  return [query[name] ?? []].flat().filter((value) => value !== '')
}

/** What was asked for. A dataset must meet every condition. */
export function listConditions(query: SearchQuery): Condition[] {
  const names = Object.keys(parameterNames) as Parameter[] // the keys of the object above
  return names.map((name) => ({ name, values: listValues(query, name) })).filter(({ values }) => values.length > 0)
}

/** The first page of the results without these parameters. Pages always have facets, so addresses need not ask for them. */
export function without(query: SearchQuery, ...names: readonly Parameter[]): LinkQuery {
  return { ...query, ...Object.fromEntries(names.map((name) => [name, ''])), before: '', facets: '' }
}

/** Adds a value to a parameter, or removes it if it was asked for. */
export function toggle(query: SearchQuery, name: Parameter, value: string): LinkQuery {
  const values = listValues(query, name)
  return {
    ...without(query),
    [name]: values.includes(value) ? values.filter((other) => other !== value) : [...values, value],
  }
}
