// The notifications of branches and tags that were created or deleted. Like that of a head move, each has an open form for receivers and a
// strict one for the service.
import { z } from 'zod'
import { SnapshotId } from '../names.ts'
import { repositoryMembers } from './new-commit.ts'

type RefKind = 'branch' | 'tag'

const ids = {
  created: {
    snapshot_id: SnapshotId.describe('The snapshot that it names'),
    previous_snapshot_id: z.null().describe('Always null'),
  },
  deleted: {
    snapshot_id: z.null().describe('Always null'),
    previous_snapshot_id: SnapshotId.describe('The last snapshot that it named, as far as the service saw it'),
  },
}

const exampleId = 'P874YS3J196959RDHX7G'

/** Makes both forms of one event. */
function refEvent<Name extends string, Kind extends RefKind, Change extends keyof typeof ids>(
  name: Name,
  kind: Kind,
  change: Change,
) {
  const ref = z
    .string()
    .min(1)
    .describe(`The ${kind} that was ${change}`)
    .meta({ examples: [kind === 'branch' ? 'experiment' : 'v1.0'] })
  // A computed key has the type `string`.
  const named = { [kind]: ref } as Record<Kind, typeof ref>
  const members = { ...repositoryMembers, ...named, ...ids[change] }
  const event = z.literal(name).describe(`A ${kind} was ${change}`)
  const example = {
    event: name,
    details: {
      org_name: 'acme',
      repo_name: 'weather',
      repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
      [kind]: kind === 'branch' ? 'experiment' : 'v1.0',
      snapshot_id: change === 'created' ? exampleId : null,
      previous_snapshot_id: change === 'created' ? null : exampleId,
    },
  }
  return {
    open: z
      .looseObject({ event, details: z.looseObject(members).describe(`The ${kind}, and the snapshot that it named`) })
      .meta({ id: name, description: `The notification of a ${kind} that was ${change}`, examples: [example] }),
    sent: z.strictObject({ event, details: z.strictObject(members) }),
  }
}

const branchCreated = refEvent('BranchCreated', 'branch', 'created')
const branchDeleted = refEvent('BranchDeleted', 'branch', 'deleted')
const tagCreated = refEvent('TagCreated', 'tag', 'created')
const tagDeleted = refEvent('TagDeleted', 'tag', 'deleted')

export const BranchCreated = branchCreated.open
export const BranchDeleted = branchDeleted.open
export const TagCreated = tagCreated.open
export const TagDeleted = tagDeleted.open

/** A notification of a branch or tag, as the service sends it. */
export const SentRefEvent = z.discriminatedUnion('event', [
  branchCreated.sent,
  branchDeleted.sent,
  tagCreated.sent,
  tagDeleted.sent,
])
export type RefEvent = z.infer<typeof SentRefEvent>
