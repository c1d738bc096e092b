// Messages for zod's issues in plain words, for people who send requests or write configuration. A message set on a schema takes
// precedence over these.
import { z } from 'zod'

type Issue = z.core.$ZodRawIssue

/** Makes all schemas of this process use these messages, unless a schema sets its own. */
export function usePlainMessages(): void {
  z.config({ customError: writePlainMessage })
}

/** Writes the message without its subject, such as `is required`. The caller puts the name of the member before it. */
export function writePlainMessage(issue: Issue): string {
  if (issue.input === undefined && missing.has(issue.code)) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      // Most often a name that a query has twice.
      if (issue.expected === 'string' && Array.isArray(issue.input)) return 'must be a single text'
      return `must be ${types[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${listAlternatives(issue.values)}`
    case 'too_small':
      return writeSizeMessage(
        issue.origin,
        issue.minimum,
        issue.exact ? 'exactly' : issue.inclusive ? 'at least' : 'more than',
      )
    case 'too_big':
      return writeSizeMessage(
        issue.origin,
        issue.maximum,
        issue.exact ? 'exactly' : issue.inclusive ? 'at most' : 'less than',
      )
    case 'invalid_format':
      return writeFormatMessage(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has members that are not known: ${issue.keys.join(', ')}`
    case 'invalid_key':
      return `has a name that is not allowed${describeReason(issue.issues)}`
    case 'invalid_element':
      return `has an entry that is not allowed${describeReason(issue.issues)}`
    case 'invalid_union':
      return writeUnionMessage(issue)
    case 'custom':
      return 'is not valid'
  }
}

/** Codes that zod gives to a member that was left out. */
const missing: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  tuple: 'a list',
  set: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  date: 'a time',
  never: 'left out',
  undefined: 'left out',
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  url: 'a URL',
  datetime: 'a time such as 2027-01-31T00:00:00Z',
  date: 'a date such as 2027-01-31',
  cidrv4: 'a network such as 10.0.0.0/8',
  cidrv6: 'a network such as fd00::/8',
}

function writeFormatMessage({ format, ...rule }: Extract<Issue, { code: 'invalid_format' }>): string {
  const { prefix, suffix, includes, pattern } = rule
  if (typeof prefix === 'string') return `must start with ${JSON.stringify(prefix)}`
  if (typeof suffix === 'string') return `must end with ${JSON.stringify(suffix)}`
  if (typeof includes === 'string') return `must contain ${JSON.stringify(includes)}`
  if (format === 'regex') return `must match ${pattern}`
  return `must be ${formats[format] ?? `in the format ${format}`}`
}

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
  file: ['byte', 'bytes'],
}

function writeSizeMessage(origin: string, limit: number | bigint, bound: string): string {
  const unit = units[origin]
  const amount = origin === 'date' ? new Date(Number(limit)).toISOString() : limit.toLocaleString('en')
  if (unit === undefined) return bound === 'exactly' ? `must be ${amount}` : `must be ${bound} ${amount}`
  if (bound === 'at least' && Number(limit) === 1) return 'must not be empty'
  return `must have ${bound} ${amount} ${Number(limit) === 1 ? unit[0] : unit[1]}`
}

function writeUnionMessage({ inclusive, options }: Extract<Issue, { code: 'invalid_union' }>): string {
  if (inclusive === false) return 'matches two of the allowed forms at once'
  return Array.isArray(options) && options.length > 0
    ? `must be ${listAlternatives(options)}`
    : 'matches none of the allowed forms'
}

function listAlternatives(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)))
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}

function describeReason([issue]: readonly { readonly message?: string | undefined }[]): string {
  return issue?.message === undefined ? '' : `: it ${issue.message}`
}
