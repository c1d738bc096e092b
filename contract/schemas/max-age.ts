// How old the last commit of a branch may become: what expectations, their events and summaries of repositories share.
import { z } from 'zod'
import { Instant } from './values.ts'

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const minMs = unitMs.m
/** Ten years; they have at least 3,652 days. */
const maxMs = 3_652 * unitMs.d

const form = /^(?<count>[1-9]\d{0,8})(?<unit>[smhd])$/

/** Parses a {@link MaxAge} to milliseconds; NaN for another text. */
export function parseMaxAge(text: string): number {
  const { count, unit = '' } = form.exec(text)?.groups ?? {}
  // The form allows these units only.
  return Number(count) * unitMs[unit as keyof typeof unitMs]
}

export const MaxAge = z
  .string()
  .regex(/^[1-9]\d{0,8}[smhd]$/, 'must be a whole number and `s`, `m`, `h` or `d`, such as `6h`')
  .refine((text) => !(parseMaxAge(text) < minMs), 'must be at least one minute')
  .refine((text) => !(parseMaxAge(text) > maxMs), 'must be at most ten years')
  .describe(
    'How old the last commit may become, from a minute to ten years: a whole number of seconds (`s`), minutes (`m`), ' +
      'hours (`h`) or days (`d`)',
  )
  .meta({ examples: ['6h'] })

/** What is expected of a branch, and what is known. In answers, the texts need no check. */
export const freshnessFields = {
  branch: z
    .string()
    .describe('The branch that must be updated')
    .meta({ examples: ['main'] }),
  path: z
    .string()
    .nullable()
    .describe('Only commits that changed a group or an array with such a path count; null if every commit counts')
    .meta({ examples: ['forecast/**'] }),
  max_age: z
    .string()
    .describe('How old the last commit may become')
    .meta({ examples: ['6h'] }),
  last_commit_at: Instant.nullable().describe(
    'When the last commit that counts was written, or seen if its writer states a later time; null when none is known',
  ),
}

/** The same, with the state of the expectation. */
export const stateFields = {
  ...freshnessFields,
  due_at: Instant.nullable().describe(
    'When the branch becomes stale unless there is another commit, or when it did; null before the first check',
  ),
  stale_since: Instant.nullable().describe('Since when it is stale, as far as was told; null while it is fresh'),
}
