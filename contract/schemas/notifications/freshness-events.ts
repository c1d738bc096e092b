// The notifications of branches that have no commit as recent as expected, and of those that have one again.
import { z } from 'zod'
import { eventDefinitions, type FreshnessEventName } from '../../lists.ts'
import { freshnessFields } from '../expectation-state.ts'
import { Instant } from '../values.ts'
import { repositoryFields } from './new-commit.ts'
import { listSentForms, notificationForms } from './notification-forms.ts'

const fields = {
  ...repositoryFields,
  expectation_id: z.uuid().describe('Id of the expectation'),
  ...freshnessFields,
  stale_since: Instant.describe('When the last commit became older than `max_age`'),
}

function freshnessEvent<Name extends FreshnessEventName>(name: Name, lastCommitAt: string) {
  const words = {
    event: eventDefinitions[name].meaning,
    details: 'The expectation, and the last commit that counts',
    notification: eventDefinitions[name].meaning,
  }
  return notificationForms(name, fields, words, {
    org_name: 'acme',
    repo_name: 'weather',
    repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    expectation_id: '3f0c1c52-7a0e-4d5b-8d21-6e0b6a4d2f17',
    branch: 'main',
    path: null,
    max_age: '6h',
    last_commit_at: lastCommitAt,
    stale_since: '2026-11-21T18:00:00.000Z',
  })
}

const forms = {
  RepositoryStale: freshnessEvent('RepositoryStale', '2026-11-21T12:00:00.000Z'),
  RepositoryFresh: freshnessEvent('RepositoryFresh', '2026-11-21T19:30:00.000Z'),
} satisfies Record<FreshnessEventName, object>

export const RepositoryStale = forms.RepositoryStale.open
export const RepositoryFresh = forms.RepositoryFresh.open

/** A notification about an expectation, as the service sends it. */
export const SentFreshnessEvent = z.discriminatedUnion('event', listSentForms(forms))
export type FreshnessEvent = z.infer<typeof SentFreshnessEvent>
