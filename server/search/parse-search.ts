// Turns the query of a search into conditions.
import type { ProblemError } from '@floe/contract'
import { makeStorable } from '@floe/storage/storable-text'
import { explainInvalidRequest } from '../problems/validation-problem.ts'
import { readInstant } from '../self-description/extent/read-period.ts'
import type { TimeRange } from './form/match-extent.ts'
import { parseConditions } from './match/parse-conditions.ts'
import { listValues, type SearchQuery } from './page/search-query.ts'
import type { Search } from './find/find-datasets.ts'
import { parseCursor } from './find/search-cursor.ts'

const defaultLimit = 20
const defaultFeedLimit = 100

/**
 * Parses a query.
 *
 * @param scope the organisation, and the repositories that the caller may read; null for all
 * @throws RequestProblem `invalid-request` that names each malformed parameter
 */
export function parseSearch(query: SearchQuery, scope: Omit<Search['scope'], 'globs'>): Search {
  const errors: ProblemError[] = []
  const refuse = (name: string, message: string) => errors.push({ pointer: `/query/${name}`, message })
  const { conditions, extent } = parseConditions(query, refuse)
  const changed = parseChanged(query, refuse)
  const after = query.before === undefined ? null : parseCursor(query.before)
  if (after === undefined) refuse('before', 'must be the `next` of a page')
  if (errors.length > 0) throw explainInvalidRequest(errors)
  const isFeed = query.format === 'atom'
  return {
    scope: { ...scope, globs: listValues(query, 'repo').map(makeStorable) },
    conditions,
    extent: { ...extent, changed },
    order: isFeed ? 'changed' : (query.sort ?? 'relevance'),
    after: after ?? null,
    limit: query.limit ?? (isFeed ? defaultFeedLimit : defaultLimit),
    facets: isFeed ? [] : (query.facets ?? []),
  }
}

/** Reads `changed_since` and `changed_before`; null without both. */
function parseChanged(query: SearchQuery, refuse: (name: string, message: string) => void): TimeRange | null {
  const read = (name: 'changed_since' | 'changed_before') => {
    const text = query[name]
    if (text === undefined) return null
    const instant = readInstant(text, 'start')
    if (instant === null) refuse(name, 'must be a date or an instant in ISO 8601, such as 2026-11-01')
    return instant
  }
  const [start, before] = [read('changed_since'), read('changed_before')]
  return start === null && before === null ? null : { start, end: before === null ? null : before - 1 }
}

/** Drops parameters without a text. Forms send them for fields that were left empty. */
export function dropEmpty(query: SearchQuery): SearchQuery {
  const isEmpty = (value: unknown) => (Array.isArray(value) ? value.every((text) => text === '') : value === '')
  return Object.fromEntries(Object.entries(query).filter(([, value]) => !isEmpty(value)))
}
