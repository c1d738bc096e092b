// The notification that another head of a branch is the last good one.
import { z } from 'zod'
import type { EventNameAbout } from '../../lists.ts'
import { ExpectationAlias, ExpectationId } from '../metadata/expectations/expectation-forms.ts'
import { good } from '../metadata/expectations/kinds/good.ts'
import { SnapshotId } from '../names.ts'
import { exampleRepository, repositoryFields } from './new-commit.ts'
import { type NotificationForms, notificationForms } from './notification-forms.ts'

const fields = {
  ...repositoryFields,
  expectation_id: ExpectationId,
  expectation_alias: ExpectationAlias.nullable().describe('Name of the expectation for people; null if it has none'),
  branch: z.string().describe('The branch'),
  snapshot_id: SnapshotId.nullable().describe('The last good head, which `BRANCH@good` names; null if none is good'),
  previous_snapshot_id: SnapshotId.nullable().describe('The one before; null if none was good'),
  behind: good.facts.behind,
  reason: z
    .string()
    .nullable()
    .describe('Why no head is good any more, such as that the expectation was deleted; null if the heads show why'),
}

const words = {
  details: 'The branch, and its last good head',
  notification: 'The notification that another head of a branch is the last good one, or none is any more',
}

/** The notifications of good heads, by event. */
export const goodEventForms = {
  GoodMoved: notificationForms('GoodMoved', fields, words, {
    ...exampleRepository,
    expectation_id: '3f0c1c52-7a0e-4d5b-8d21-6e0b6a4d2f17',
    expectation_alias: 'tile server',
    branch: 'main',
    snapshot_id: 'P874YS3J196959RDHX7G',
    previous_snapshot_id: 'VHQMPVTZR0SCMXSGH9SG',
    behind: 0,
    reason: null,
  }),
} satisfies Record<EventNameAbout<'good'>, NotificationForms>
