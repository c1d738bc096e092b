import type { ChangeKind } from '@floe/contract'
import { isJsonArray, isJsonObject, type JsonValue, writeJson } from '@floe/storage/json'
import type { Change } from './change.ts'

/** Longest value that is shown, in characters. */
const maxValueLength = 80

/** What a dataset is compared with. A contract says what must be, and not what was. */
export type Expectation = 'earlier state' | 'contract'

const phrases = {
  'earlier state': { absent: 'is gone', be: 'was', have: 'had' },
  contract: { absent: 'is missing', be: 'must be', have: 'must have' },
} as const satisfies Record<Expectation, object>

/**
 * Describes a change in a few words, such as `t2m is float64, was float32`. Names and later values are texts of the
 * repository, earlier values those of what it is compared with.
 */
export function describeChange({ kind, details }: Change, expectation: Expectation): string {
  const { variable = '', dimension = '', attribute = '', reason = '', movedTo } = details
  const { absent, be, have } = phrases[expectation]
  const [before, after] = [show(details.before), show(details.after)]
  const now = describeValues(details, phrases[expectation])
  const words: Record<ChangeKind, string> = {
    'dataset-removed': `the dataset ${describeMoved(movedTo) ?? absent}`,
    'dataset-unreadable': `the dataset cannot be opened: ${clip(reason)}`,
    'variable-removed': `${variable} ${describeMoved(movedTo) ?? absent}`,
    'dimension-removed': `dimension ${dimension} ${absent}`,
    'dimensions-changed': `${variable} has the dimensions ${after}, ${have} ${before}`,
    'size-shrunk': `dimension ${dimension} is ${after} long, ${be} ${before}`,
    'role-changed': `${variable} is ${nameRole(after)}, ${be} ${nameRole(before)}`,
    'type-changed': `${variable} is ${after}, ${be} ${before}`,
    'index-added': `dimension ${dimension} has a coordinate, had none`,
    'units-changed': `units of ${variable} ${now}`,
    'standard-name-changed': `standard name of ${variable} ${now}`,
    'calendar-changed': `calendar of ${variable} ${now}`,
    'meaning-changed': `${attribute} of ${variable} ${now}`,
    'values-reinterpreted': `stored values of ${variable} are decoded in another way (${listNames(details)})`,
    'fill-value-changed': `fill value of ${variable} is ${after}, ${be} ${before}`,
    'dataset-added': reason === '' ? 'the dataset is new' : `the dataset is new and cannot be opened: ${clip(reason)}`,
    'dataset-readable-again': 'the dataset can be opened again',
    'variable-added': `${variable} is new`,
    'dimension-added': `dimension ${dimension} is new`,
    'size-grown': `dimension ${dimension} is ${after} long, ${be} ${before}`,
    'text-width-changed': `${variable} is ${after}, ${be} ${before}`,
    'attribute-changed': `${attribute} of ${variable} ${now}`,
    'group-attributes-changed': `attribute ${attribute} ${now}`,
    'encoding-changed': `${variable} is stored in another way (${listNames(details)})`,
  }
  return words[kind]
}

function describeMoved(to: string | undefined): string | undefined {
  return to && `was ${to.startsWith('/') ? 'moved' : 'renamed'} to ${clip(to)}`
}

function describeValues(
  { before = null, after = null }: Change['details'],
  { absent, be }: (typeof phrases)[Expectation],
): string {
  if (after === null) return `${absent}, ${be} ${show(before)}`
  return before === null ? `is new: ${show(after)}` : `is ${show(after)}, ${be} ${show(before)}`
}

/** Shows a value; names of dimensions in parentheses. */
function show(value: JsonValue = null): string {
  if (typeof value === 'string') return clip(value)
  if (isJsonArray(value) && value.every((item) => item === null || typeof item === 'string'))
    return clip(`(${value.map((item) => item ?? 'null').join(', ')})`)
  return clip(writeJson(value))
}

function clip(text: string): string {
  return text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength - 1).toWellFormed()}…`
}

function nameRole(role: string): string {
  return role === 'coordinate' ? 'a coordinate' : 'a data variable'
}

/** The members that differ. */
function listNames({ before = null, after = null }: Change['details']): string {
  const names = [before, after].flatMap((value) => (isJsonObject(value) ? [...value.keys()] : []))
  return [...new Set(names)].join(', ')
}
