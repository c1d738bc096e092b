import { z } from 'zod'
import { listFirst, maxListed } from '../text/list-first.ts'
import { listNearest } from '../text/nearest-name.ts'

/** Makes all schemas of this process use {@link writePlainMessage}, except where a schema has a message of its own. */
export function usePlainMessages(): void {
  z.config({ customError: writePlainMessage })
}

/**
 * Writes the message about a value that is missing, has the wrong type or has unknown members, such as `is required`;
 * the caller puts the name of the member before it. Returns undefined for other issues, which keep the message of zod.
 */
export function writePlainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && missing.has(issue.code)) return 'is required'
  // Usually because the query names a parameter twice.
  if (issue.code === 'invalid_type' && issue.expected === 'string' && Array.isArray(issue.input))
    return 'must be a single text'
  if (issue.code === 'invalid_type') return `must be ${types[issue.expected] ?? issue.expected}`
  if (issue.code === 'unrecognized_keys')
    return `has unknown members: ${listFirst(issue.keys).join(', ')}${suggestMembers(issue)}`
  return undefined
}

/**
 * Returns the members of the schema that were probably meant, such as `; did you mean host, port?`. Only for the
 * members that the message names, because a body can have tens of thousands of unknown ones.
 */
function suggestMembers({ keys, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>): string {
  const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : []
  const meant = keys.slice(0, maxListed).flatMap((key) => listNearest(key, known).slice(0, 1))
  return meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`
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
