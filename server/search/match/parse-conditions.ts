// Turns the words, values, area and time of a search into conditions.
import { type SearchConditions, searchFacets } from '@floe/contract/lists'
import { makeStorable } from '@floe/storage/storable-text'
import { listValues } from '../page/search-query.ts'
import { parseBox } from '../../self-description/extent/box.ts'
import { readInstant } from '../../self-description/extent/read-period.ts'
import { type ExactKind, makeTerm } from '../form/terms.ts'
import { splitQuery } from '../form/words.ts'
import type { Conditions } from './asked-terms.ts'
import type { ExtentConditions, TimeRange } from '../form/match-extent.ts'

/** The parameters of exact values. */
const exactKinds = [...searchFacets, 'attribute'] as const satisfies readonly ExactKind[]

/** What a search asks of a dataset. */
export type DatasetConditions = {
  readonly conditions: Conditions
  readonly extent: Pick<ExtentConditions, 'bbox' | 'time'>
}

/** Parses what a search asks of a dataset. `refuse` is called with the name of each malformed parameter. */
export function parseConditions(
  query: SearchConditions,
  refuse: (name: 'bbox' | 'time', message: string) => void,
): DatasetConditions {
  const bbox = query.bbox === undefined ? null : parseBox(query.bbox)
  if (query.bbox !== undefined && bbox === null)
    refuse('bbox', 'must be west,south,east,north in degrees, such as -25,34,45,72')
  const time = query.time === undefined ? null : parseTime(query.time)
  if (time === undefined) refuse('time', 'must be start/end in ISO 8601, such as 2026-01-01/2026-02 or 2026-01-01/..')
  const values = exactKinds.map((kind) => listValues(query, kind).map((value) => makeTerm(kind, makeStorable(value))))
  return {
    conditions: {
      ...splitQuery(query.q ?? ''),
      named: nameVariable(query.q ?? ''),
      values: values.filter(({ length }) => length > 0),
    },
    extent: { bbox, time: time ?? null },
  }
}

function nameVariable(q: string): string | null {
  const name = makeStorable(q.trim())
  return name === '' || /\s/.test(name) ? null : makeTerm('variable', name)
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
