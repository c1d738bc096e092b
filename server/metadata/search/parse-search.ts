// Turns the query of a search into conditions.
import { type ProblemError, searchFacets } from '@floe/contract'
import { makeStorable } from '@floe/storage/storable-text'
import { explainInvalidRequest } from '../../problems/validation-problem.ts'
import { type Box, makeBox, readInstant } from '../../self-description/read-extent.ts'
import { type ExactKind, makeTerm } from '../../reading/search/terms.ts'
import { splitQuery } from '../../reading/search/words.ts'
import { listValues, type SearchQuery } from '../../pages/search/search-query.ts'
import type { Search } from './find/find-datasets.ts'
import type { TimeRange } from './find/match-extent.ts'
import { parseCursor } from './find/search-cursor.ts'

/** The parameters of exact values. */
const exactKinds = [...searchFacets, 'attribute'] as const satisfies readonly ExactKind[]

const defaultLimit = '20'
const defaultFeedLimit = '100'

/**
 * Parses a query.
 *
 * @param scope the organisation, and the repositories that the caller may read; null for all
 * @throws RequestProblem `invalid-request` that names each malformed parameter
 */
export function parseSearch(query: SearchQuery, scope: Omit<Search['scope'], 'globs'>): Search {
  const errors: ProblemError[] = []
  const refuse = (name: string, message: string) => errors.push({ pointer: `/query/${name}`, message })
  const bbox = query.bbox === undefined ? null : parseBox(query.bbox)
  if (bbox === undefined) refuse('bbox', 'must be west,south,east,north in degrees, such as -25,34,45,72')
  const time = query.time === undefined ? null : parseTime(query.time)
  if (time === undefined) refuse('time', 'must be start/end in ISO 8601, such as 2026-01-01/2026-02 or 2026-01-01/..')
  const changed = parseChanged(query, refuse)
  const after = query.before === undefined ? null : parseCursor(query.before)
  if (after === undefined) refuse('before', 'must be the `next` of a page')
  if (errors.length > 0) throw explainInvalidRequest(errors)
  const isFeed = query.format === 'atom'
  const values = exactKinds.map((kind) => listValues(query, kind).map((value) => makeTerm(kind, makeStorable(value))))
  return {
    scope: { ...scope, globs: listValues(query, 'repo').map(makeStorable) },
    conditions: { ...splitQuery(query.q ?? ''), values: values.filter(({ length }) => length > 0) },
    extent: { bbox: bbox ?? null, time: time ?? null, changed },
    order: isFeed ? 'changed' : (query.sort ?? 'relevance'),
    after: after ?? null,
    limit: Number(query.limit ?? (isFeed ? defaultFeedLimit : defaultLimit)),
    facets: isFeed ? [] : [query.facets ?? []].flat(),
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

function parseBox(text: string): Box | undefined {
  const edges = text.split(',', 5)
  if (edges.length !== 4 || !edges.every((edge) => /^\s*[+-]?\d{1,3}(?:\.\d{1,15})?\s*$/.test(edge))) return undefined
  return makeBox(edges.map(Number)) ?? undefined
}

function parseTime(text: string): TimeRange | undefined {
  const [start = '', end = start, ...others] = text.split('/', 3)
  const isOpen = (edge: string) => edge === '' || edge === '..'
  const time = {
    start: isOpen(start) ? null : readInstant(start, 'start'),
    end: isOpen(end) ? null : readInstant(end, 'end'),
  }
  const isMalformed = (time.start === null && !isOpen(start)) || (time.end === null && !isOpen(end))
  const isEmpty = isOpen(start) && isOpen(end)
  const isBackward = time.start !== null && time.end !== null && time.end < time.start
  return others.length > 0 || isMalformed || isEmpty || isBackward ? undefined : time
}
