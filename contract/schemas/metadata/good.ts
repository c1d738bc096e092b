// Which heads of a branch are good.
import { z } from 'zod'
import { headStates, lackKinds, lackStates } from '../../lists.ts'
import { SnapshotId } from '../names.ts'
import { Count, Instant } from '../values.ts'

const lackExample = { kind: 'check' as const, name: 'quality', state: 'failed' as const, text: 'step 12 is NaN' }

const headExample = {
  snapshot_id: 'P874YS3J196959RDHX7G',
  seen_at: '2026-11-21T12:04:00.123Z',
  state: 'failed' as const,
  lacks: [lackExample],
  due_at: null,
}

const Lack = z
  .object({
    kind: z
      .enum(lackKinds)
      .describe('What is lacking: a passed check, a met expectation, or that the head is not retracted'),
    name: z
      .string()
      .describe('Name of the check, or alias of the expectation')
      .meta({ examples: ['quality'] }),
    state: z.enum(lackStates).describe('Why it is not fulfilled. Only what is `missing` or `pending` can still come'),
    text: z
      .string()
      .nullable()
      .describe('What the check says, or why the expectation is unmet or the snapshot retracted; null if unknown')
      .meta({ examples: ['step 12 is NaN'] }),
  })
  .meta({ id: 'GoodLack', description: 'What a head lacks to be good', examples: [lackExample] })

const JudgedHead = z
  .object({
    snapshot_id: SnapshotId,
    seen_at: Instant.describe('When Floe saw it first as the head'),
    state: z.enum(headStates).describe('`pending`: something is missing, and there is still time'),
    lacks: z.array(Lack).describe('What it lacks to be good; empty if it is good'),
    due_at: Instant.nullable().describe('When a pending head fails unless something comes before; null if never'),
  })
  .meta({ id: 'JudgedHead', description: 'A head of a branch as Floe saw it', examples: [headExample] })

/** Which heads of a branch are good. */
export const GoodBranch = z
  .object({
    branch: z
      .string()
      .describe('Name of the branch')
      .meta({ examples: ['main'] }),
    head_snapshot_id: SnapshotId.describe(
      'The head of the branch now. Until Floe has seen it, `heads` begins with an earlier one',
    ),
    requires: z
      .object({
        checks: z
          .array(z.string())
          .describe('Names of the checks that must have passed')
          .meta({ examples: [['quality']] }),
        expectations: z
          .array(z.string())
          .describe('Aliases of the expectations that must be met, or their kinds')
          .meta({ examples: [['tile server']] }),
      })
      .nullable()
      .describe('What a head must have; null if no expectation of the kind `good` covers the branch'),
    last_good_snapshot_id: SnapshotId.nullable().describe(
      'The newest good head that still exists, which `BRANCH@good` names; null if there is none',
    ),
    behind: Count.nullable().describe('How many heads the branch has had since that one; null if there is none'),
    since: Instant.nullable().describe('When the first of these was seen; null if the newest head is good, or none is'),
    heads: z.array(JudgedHead).describe('The newest heads that Floe saw, at most 20; newest first'),
  })
  .meta({
    id: 'GoodBranch',
    description: 'Which heads of a branch are good',
    examples: [
      {
        branch: 'main',
        head_snapshot_id: headExample.snapshot_id,
        requires: { checks: ['quality'], expectations: [] },
        last_good_snapshot_id: '3CMADCGEX6RP24Y4H640',
        behind: 1,
        since: headExample.seen_at,
        heads: [headExample],
      },
    ],
  })
export type GoodBranch = z.infer<typeof GoodBranch>
