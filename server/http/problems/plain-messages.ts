import { z } from 'zod'

/** Makes all schemas of this process use these messages, unless a schema has its own. Other issues keep zod's messages. */
export function usePlainMessages(): void {
  z.config({ customError: writePlainMessage })
}

/**
 * Writes the message about a value that is missing, has the wrong type or has unknown members, such as `is required`. The caller puts the
 * name of the member before it.
 */
export function writePlainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && missing.has(issue.code)) return 'is required'
  // Usually the query names a parameter twice.
  if (issue.code === 'invalid_type' && issue.expected === 'string' && Array.isArray(issue.input))
    return 'must be a single text'
  if (issue.code === 'invalid_type') return `must be ${types[issue.expected] ?? issue.expected}`
  if (issue.code === 'unrecognized_keys') return `has unknown members: ${issue.keys.join(', ')}`
  return undefined
}

/** zod's codes for a missing member. */
const missing: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

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
