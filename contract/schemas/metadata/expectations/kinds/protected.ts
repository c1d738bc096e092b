import { z } from 'zod'
import { Glob, globRule, SnapshotId } from '../../../names.ts'
import { Instant } from '../../../values.ts'
import type { ExpectationKind } from '../expectation-kind.ts'

/** Maximum number of protected tags that are remembered. */
const maxTags = 1_000

/** A branch is only moved forward. Floe tells what breaks that; it does not prevent it. */
export const protection = {
  title: 'Protection',
  meaning: 'The branch is only moved forward: it is not reset, rewritten or deleted',
  required: {},
  optional: {
    authors: z
      .array(Glob)
      .min(1, 'must not be empty')
      .max(20, 'must have at most 20 patterns')
      .nullable()
      .describe(
        `Patterns of the ids of the authors who may commit to the branch (\`author_id\`): ${globRule}. Null, the ` +
          'default, means everybody',
      )
      .meta({ examples: [['*@example.org']] }),
    tags: Glob.nullable()
      .describe(
        `Pattern of the tags of the repository that are never deleted: ${globRule}. Of more than ` +
          `${maxTags.toLocaleString('en')}, the first that were seen count. Null, the default, means none`,
      )
      .meta({ examples: ['v*'] }),
  },
  facts: {
    last_good_snapshot_id: SnapshotId.nullable().describe(
      'The last head that kept the branch protected; null before the first. The branch must lead to it',
    ),
    checked_at: Instant.nullable().describe('When that head was found; null before the first'),
    violations: z
      .array(z.string())
      .max(10)
      .describe(
        'What broke the protection, in words after the name of the branch: the first 10. Empty while nothing did',
      )
      .meta({ examples: [['was reset: it no longer leads to VHQMPVTZR0SCMXSGH9SG']] }),
    tags: z
      .array(z.string())
      .max(maxTags)
      .nullable()
      .describe('The protected tags that were seen, sorted; null without `tags`'),
  },
  example: {
    settings: { authors: null, tags: 'v*' },
    met: {
      last_good_snapshot_id: 'P874YS3J196959RDHX7G',
      checked_at: '2026-11-21T12:00:00.000Z',
      violations: [],
      tags: ['v1.0'],
    },
    unmet: {
      last_good_snapshot_id: 'VHQMPVTZR0SCMXSGH9SG',
      checked_at: '2026-11-21T12:00:00.000Z',
      violations: ['was reset: it no longer leads to VHQMPVTZR0SCMXSGH9SG'],
      tags: ['v1.0'],
    },
    summary: 'was reset: it no longer leads to VHQMPVTZR0SCMXSGH9SG',
  },
} as const satisfies ExpectationKind
