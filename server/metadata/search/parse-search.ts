// Turns the query of a search into conditions.
import { type ProblemError, searchFacets } from '@floe/contract'
import type { ApiKey, Search, SearchPlace, TermKind } from '@floe/storage/database'
import { makeStorable } from '@floe/storage/storable-text'
import { z } from 'zod'
import { explainInvalidRequest } from '../../http/problems/validation-problem.ts'
import { makeBox, readInstant } from '../../reading/search/extent.ts'
import { listValues, type SearchQuery } from '../../pages/search/search-query.ts'
import { splitQuery } from '../../reading/search/words.ts'

/** The parameters of exact values. Each is a kind of term. */
const exactKinds = [...searchFacets, 'attribute'] as const satisfies readonly TermKind[]

type ParsedSearch = { readonly search: Search; readonly after: SearchPlace | null }

/**
 * Parses a query.
 *
 * @param apiKey the key of the caller; null on a public deployment
 * @throws RequestProblem `invalid-request` that names each malformed parameter
 */
export function parseSearch(query: SearchQuery, org: string, apiKey: ApiKey | null): ParsedSearch {
  const errors: ProblemError[] = []
  const refuse = (name: string, message: string) => errors.push({ pointer: `/query/${name}`, message })
  const bbox = query.bbox === undefined ? null : parseBox(query.bbox)
  if (bbox === undefined) refuse('bbox', 'must be west,south,east,north in degrees, such as -25,34,45,72')
  const time = query.time === undefined ? null : parseTime(query.time)
  if (time === undefined) refuse('time', 'must be start/end in ISO 8601, such as 2026-01-01/2026-02 or 2026-01-01/..')
  const after = query.before === undefined ? null : parsePlace(query.before)
  if (after === undefined) refuse('before', 'must be the `next` of a page')
  if (errors.length > 0) throw explainInvalidRequest(errors)
  const values = exactKinds.map((kind) => ({ kind, values: listValues(query, kind).map(makeStorable) }))
  const search = {
    org,
    repos: apiKey?.repos ?? null,
    globs: listValues(query, 'repo').map(makeStorable),
    ...splitQuery(query.q ?? ''),
    values: values.filter(({ values }) => values.length > 0),
    bbox: bbox ?? null,
    time: time ?? null,
  }
  return { search, after: after ?? null }
}

/** Drops parameters without a text. Forms send them for fields that were left empty. */
export function dropEmpty(query: SearchQuery): SearchQuery {
  const isEmpty = (value: unknown) => (Array.isArray(value) ? value.every((text) => text === '') : value === '')
  return Object.fromEntries(Object.entries(query).filter(([, value]) => !isEmpty(value)))
}

function parseBox(text: string): Search['bbox'] | undefined {
  const edges = text.split(',', 5)
  if (edges.length !== 4 || !edges.every((edge) => /^\s*[+-]?\d{1,3}(?:\.\d{1,15})?\s*$/.test(edge))) return undefined
  return makeBox(edges.map(Number)) ?? undefined
}

function parseTime(text: string): Search['time'] | undefined {
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

const Place = z.tuple([z.int().min(0).max(1_000), z.string(), z.string(), z.string()])

/** Writes the place of a result for the next page. */
export function writePlace({ score, repo, branch, path }: SearchPlace): string {
  return Buffer.from(JSON.stringify([score, repo, branch, path])).toString('base64url')
}

function parsePlace(text: string): SearchPlace | undefined {
  try {
    const [score, ...names] = Place.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    const [repo, branch, path] = names.map(makeStorable)
    return { score, repo: repo ?? '', branch: branch ?? '', path: path ?? '' }
  } catch {
    return undefined
  }
}
