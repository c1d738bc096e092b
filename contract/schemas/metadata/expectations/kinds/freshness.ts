import { z } from 'zod'
import { weekdays } from '../../../../lists.ts'
import { MaxAge } from '../../../max-age.ts'
import { Instant } from '../../../values.ts'
import { type ExpectationKind, pathSetting } from '../expectation-kind.ts'

/** How old the last commit of a branch may become, or by which time of the day there must be another one. */
export const freshness = {
  title: 'Freshness',
  meaning: 'The last commit of the branch is not older than `max_age`, or came in time for `due`',
  required: {},
  optional: {
    max_age: MaxAge.nullable().describe(`${MaxAge.description}. Exactly one of it and \`due\` is needed`),
    due: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day in UTC, such as `07:30`')
      .nullable()
      .describe(
        'In place of `max_age`: a time of day in UTC, such as `07:30`. By then there must be a commit since the due ' +
          'time before',
      )
      .meta({ examples: ['07:30'] }),
    days: z
      .array(z.enum(weekdays))
      .min(1, 'must not be empty')
      .max(weekdays.length)
      .refine((days) => new Set(days).size === days.length, 'must not name a day twice')
      .nullable()
      .describe('The days on which it is due, such as `mon`. Only with `due`. Null, the default, means every day')
      .meta({ examples: [['mon', 'tue', 'wed', 'thu', 'fri']] }),
    path: pathSetting(
      'Only commits that created, deleted, moved or updated a node with such a path, or wrote its chunks, count',
    ),
  },
  needs: { days: 'due' },
  oneOf: ['max_age', 'due'],
  facts: {
    last_commit_at: Instant.nullable().describe(
      'When the last commit that counts was written, or seen if its writer states a later time; null when none is ' +
        'known',
    ),
    counts_from: Instant.describe(
      'The time from which the age counts: that of the last commit that counts, or of the oldest that was searched',
    ),
  },
  example: {
    settings: { max_age: '6h', due: null, days: null, path: 'forecast/**' },
    met: { last_commit_at: '2026-11-21T19:30:00.000Z', counts_from: '2026-11-21T19:30:00.000Z' },
    unmet: { last_commit_at: '2026-11-21T12:00:00.000Z', counts_from: '2026-11-21T12:00:00.000Z' },
    summary: 'updated 8 h ago, expected every 6 h: late',
  },
} as const satisfies ExpectationKind
