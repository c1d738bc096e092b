import { z } from 'zod'
import { SnapshotId } from '../../../names.ts'
import { CheckName } from '../../checks.ts'
import type { ExpectationKind } from '../expectation-kind.ts'
import { Count } from '../../../values.ts'

/** Maximum numbers of required names, and of reasons that are listed. */
const maxRequired = 20
const maxLacks = 10

const tooMany = `must have at most ${maxRequired} names`

/** What the heads of a branch must have to be good. */
export const good = {
  title: 'Good heads',
  meaning: 'The head of the branch is good: its checks have passed, it meets other expectations, and is not retracted',
  required: {},
  optional: {
    checks: z
      .array(CheckName)
      .max(maxRequired, tooMany)
      .nullable()
      .describe('Names of the checks that must have passed. Null, the default, means none')
      .meta({ examples: [['quality']] }),
    expectations: z
      .array(z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters'))
      .max(maxRequired, tooMany)
      .nullable()
      .describe(
        'Aliases of the expectations of the kinds `written` and `contract` that the head must meet. Null, the ' +
          'default, means all of the branch',
      )
      .meta({ examples: [['tile server']] }),
  },
  facts: {
    last_good_snapshot_id: SnapshotId.nullable().describe(
      'The newest head that is good, which `BRANCH@good` names; null if none is',
    ),
    behind: Count.nullable().describe('How many heads the branch has had since that one; null if none is good'),
    lacks: z
      .array(z.string())
      .max(maxLacks)
      .describe(`What the head lacks to be good, in words: the first ${maxLacks}. Empty if it is good`)
      .meta({ examples: [['quality failed: step 12 is NaN']] }),
  },
  example: {
    settings: { checks: ['quality'], expectations: null },
    met: { last_good_snapshot_id: 'P874YS3J196959RDHX7G', behind: 0, lacks: [] },
    unmet: { last_good_snapshot_id: 'P874YS3J196959RDHX7G', behind: 1, lacks: ['quality failed: step 12 is NaN'] },
    summary: 'not good: quality failed: step 12 is NaN; @good keeps P874YS3J196959RDHX7G, 1 head behind',
  },
} as const satisfies ExpectationKind
