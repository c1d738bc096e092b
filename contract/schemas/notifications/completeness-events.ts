// The notifications of branches with fewer chunks written than expected, and of those that have enough again.
import { z } from 'zod'
import { type CompletenessEventName, eventDefinitions } from '../../lists.ts'
import { completenessFields } from '../expectation-state.ts'
import { Instant } from '../values.ts'
import { repositoryFields } from './new-commit.ts'
import { listSentForms, notificationForms } from './notification-forms.ts'

const fields = {
  ...repositoryFields,
  expectation_id: z.uuid().describe('Id of the expectation'),
  ...completenessFields,
  incomplete_since: Instant.describe('When an array with fewer chunks written was found'),
}

const incomplete = { path: 'forecast/temperature', chunks: { written: 46, total: 48 } }

function completenessEvent<Name extends CompletenessEventName>(
  name: Name,
  snapshotId: string,
  arrays: readonly object[],
) {
  const words = {
    event: eventDefinitions[name].meaning,
    details: 'The expectation, and the arrays that do not meet it',
    notification: eventDefinitions[name].meaning,
  }
  return notificationForms(name, fields, words, {
    org_name: 'acme',
    repo_name: 'weather',
    repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    expectation_id: '5b2d7c1e-93a4-4c0f-8e6d-1f7a2b9c4d30',
    branch: 'main',
    path: 'forecast/**',
    written: 0.99,
    snapshot_id: snapshotId,
    incomplete_since: '2026-11-21T12:00:01.000Z',
    arrays,
    incomplete_arrays: arrays.length,
  })
}

const forms = {
  DatasetIncomplete: completenessEvent('DatasetIncomplete', 'VHQMPVTZR0SCMXSGH9SG', [incomplete]),
  DatasetComplete: completenessEvent('DatasetComplete', 'P874YS3J196959RDHX7G', []),
} satisfies Record<CompletenessEventName, object>

export const DatasetIncomplete = forms.DatasetIncomplete.open
export const DatasetComplete = forms.DatasetComplete.open

/** A notification about written chunks, as the service sends it. */
export const SentCompletenessEvent = z.discriminatedUnion('event', listSentForms(forms))
export type CompletenessEvent = z.infer<typeof SentCompletenessEvent>
