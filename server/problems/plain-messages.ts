import { z } from 'zod'
import { listFirst, maxListed } from '../text/list-first.ts'
import { listNearest, suggestName } from '../text/nearest-name.ts'

/** Makes all schemas of this process use {@link writePlainMessage}, except where a schema has a message of its own. */
export function usePlainMessages(): void {
  z.config({ customError: writePlainMessage })
}

/**
 * Writes the message about a wrong value, such as `is required`; the caller puts the name of the member before it.
 * Returns undefined for a wrong format and other rare issues, which keep the message of zod.
 */
export function writePlainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && missing.has(issue.code)) return 'is required'
  // Usually because the query names a parameter twice.
  if (issue.code === 'invalid_type' && issue.expected === 'string' && Array.isArray(issue.input))
    return 'must be a single text'
  if (issue.code === 'invalid_type') return `must be ${types[issue.expected] ?? issue.expected}`
  if (issue.code === 'unrecognized_keys')
    return `has unknown members: ${listFirst(issue.keys).join(', ')}${suggestMembers(issue)}`
  if (issue.code === 'invalid_value') return `must be ${listChoices(issue.values)}`
  // No kind of an object, such as of a receiver, has this name.
  if (issue.code === 'invalid_union' && Array.isArray(issue.options)) return `must be ${listChoices(issue.options)}`
  if (issue.code === 'too_small') return describeBound(issue, issue.minimum, ['at least', 'more than'])
  if (issue.code === 'too_big') return describeBound(issue, issue.maximum, ['at most', 'less than'])
  return undefined
}

function listChoices(values: readonly unknown[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)))
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}

/** @param words for a bound that is allowed itself, and for one that is not */
function describeBound(
  { origin, inclusive, exact }: Pick<z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>, 'origin' | 'inclusive' | 'exact'>,
  bound: number | bigint,
  [inclusiveWords, exclusiveWords]: readonly [string, string],
): string {
  const words = exact ? 'exactly' : inclusive ? inclusiveWords : exclusiveWords
  const unit = units[origin]
  if (unit !== undefined && bound === 1 && words === 'at least') return 'must not be empty'
  return unit === undefined
    ? `must be ${words} ${bound}`
    : `must have ${words} ${bound} ${unit}${bound === 1 ? '' : 's'}`
}

/** What sizes count, by what has the size. Other values are compared themselves. */
const units: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'item',
  set: 'item',
  object: 'member',
  record: 'member',
}

/** The members that a schema has, by the list of unknown ones in its issue. zod keeps the list, but not the schema. */
const knownMembers = new WeakMap<readonly string[], readonly string[]>()

/**
 * Returns the members of the schema that were probably meant, such as `; did you mean host, port?`. Only for the
 * members that the message names, because a body can have tens of thousands of unknown ones.
 */
function suggestMembers({ keys, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>): string {
  const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : []
  knownMembers.set(keys, known)
  const meant = keys.slice(0, maxListed).flatMap((key) => listNearest(key, known).slice(0, 1))
  return meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`
}

/** Writes a message about each unknown member, such as `is not known; did you mean port?`; only the first get hints. */
export function explainUnknownMembers({
  keys,
}: z.core.$ZodIssueUnrecognizedKeys): readonly { readonly key: string; readonly message: string }[] {
  const known = knownMembers.get(keys) ?? []
  return keys.map((key, at) => ({ key, message: `is not known${at < maxListed ? suggestName(key, known) : ''}` }))
}

/** The codes that zod gives to a missing member. */
const missing: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

/** Plain names of zod's types. */
const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  never: 'left out',
}
