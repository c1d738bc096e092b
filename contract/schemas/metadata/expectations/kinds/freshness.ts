import { MaxAge } from '../../../max-age.ts'
import { Instant } from '../../../values.ts'
import { type ExpectationKind, pathSetting } from '../expectation-kind.ts'

/** How old the last commit of a branch may become. */
export const freshness = {
  title: 'Freshness',
  meaning: 'The last commit of the branch is not older than `max_age`',
  required: { max_age: MaxAge },
  optional: {
    path: pathSetting(
      'Only commits that created, deleted, moved or updated a node with such a path, or wrote its chunks, count',
    ),
  },
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
    settings: { max_age: '6h', path: 'forecast/**' },
    met: { last_commit_at: '2026-11-21T19:30:00.000Z', counts_from: '2026-11-21T19:30:00.000Z' },
    unmet: { last_commit_at: '2026-11-21T12:00:00.000Z', counts_from: '2026-11-21T12:00:00.000Z' },
    summary: 'updated 8 h ago, expected every 6 h: late',
  },
} as const satisfies ExpectationKind
