// The notification of a check of a snapshot.
import { z } from 'zod'
import type { EventNameAbout } from '../../lists.ts'
import { checkFacts, CheckName, CheckState } from '../metadata/checks.ts'
import { SnapshotId } from '../names.ts'
import { exampleRepository, repositoryFields } from './new-commit.ts'
import { type NotificationForms, notificationForms } from './notification-forms.ts'

const fields = {
  ...repositoryFields,
  branch: z
    .string()
    .nullable()
    .describe('A branch whose head the snapshot was; null if it was no head that Floe watches')
    .meta({ examples: ['main'] }),
  snapshot_id: SnapshotId.describe('The snapshot that was checked'),
  check: CheckName,
  state: CheckState,
  previous_state: CheckState.nullable().describe('What the check said before; null when it is new'),
  ...checkFacts,
}

const words = {
  details: 'The check, and the snapshot that it is about',
  notification: 'The notification of a check of a snapshot that has another state, or is new',
}

/** The notifications of checks, by event. */
export const checkEventForms = {
  CheckPosted: notificationForms('CheckPosted', fields, words, {
    ...exampleRepository,
    branch: 'main',
    snapshot_id: 'P874YS3J196959RDHX7G',
    check: 'quality',
    state: 'failed',
    previous_state: 'pending',
    text: 'step 12 is NaN',
    link: 'https://ci.example.org/runs/17',
    figures: { 'NaN share': { value: 98.2, unit: '%' } },
  }),
} satisfies Record<EventNameAbout<'check'>, NotificationForms>
