// The notifications of branches and tags that were created or deleted.
import { z } from 'zod'
import type { EventNameAbout } from '../../lists.ts'
import { SnapshotId } from '../names.ts'
import { exampleRepository, repositoryFields } from './new-commit.ts'
import { type NotificationForms, notificationForms } from './notification-forms.ts'

type RefEventName = EventNameAbout<'branch' | 'tag'>

/** In documents a text that is always null: generators have no type for null alone. */
const nullId = z
  .null()
  .describe('Always null')
  .meta({ type: ['string', 'null'], const: null })

const ids = {
  created: { snapshot_id: SnapshotId.describe('The snapshot that it names'), previous_snapshot_id: nullId },
  deleted: {
    snapshot_id: nullId,
    previous_snapshot_id: SnapshotId.describe('The last snapshot that it named, as far as the service saw it'),
  },
}

const exampleId = 'P874YS3J196959RDHX7G'

function refEvent<Name extends RefEventName, Kind extends 'branch' | 'tag', Change extends keyof typeof ids>(
  name: Name,
  kind: Kind,
  change: Change,
) {
  const exampleName = kind === 'branch' ? 'experiment' : 'v1.0'
  const ref = z
    .string()
    .min(1)
    .describe(`The ${kind} that was ${change}`)
    .meta({ examples: [exampleName] })
  // A computed key has the type `string`.
  const named = { [kind]: ref } as Record<Kind, typeof ref>
  const words = {
    details: `The ${kind}, and the snapshot that it named`,
    notification: `The notification of a ${kind} that was ${change}`,
  }
  return notificationForms(name, { ...repositoryFields, ...named, ...ids[change] }, words, {
    ...exampleRepository,
    [kind]: exampleName,
    snapshot_id: change === 'created' ? exampleId : null,
    previous_snapshot_id: change === 'created' ? null : exampleId,
  })
}

/** The notifications of branches and tags, by event. */
export const refEventForms = {
  BranchCreated: refEvent('BranchCreated', 'branch', 'created'),
  BranchDeleted: refEvent('BranchDeleted', 'branch', 'deleted'),
  TagCreated: refEvent('TagCreated', 'tag', 'created'),
  TagDeleted: refEvent('TagDeleted', 'tag', 'deleted'),
} satisfies Record<RefEventName, NotificationForms>
