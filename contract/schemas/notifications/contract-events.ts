// The notifications of branches that break a contract, and of those that keep it again.
import { z } from 'zod'
import { compatibilityRules } from '../../compatibility-rules.ts'
import { maxListedBreaks } from '../../limits.ts'
import { type ContractEventName, eventDefinitions } from '../../lists.ts'
import { breakingChanges, contractFields } from '../contract-state.ts'
import { DatasetChange } from '../metadata/compatibility.ts'
import { SnapshotId } from '../names.ts'
import { Instant } from '../values.ts'
import { repositoryFields } from './new-commit.ts'
import { listSentForms, notificationForms } from './notification-forms.ts'

const { name, branch } = contractFields

const BrokenPromise = z
  .object({
    group: z.string().describe('Path of the dataset without a leading slash; the root is `""`'),
    ...DatasetChange.shape,
  })
  .meta({
    id: 'BrokenPromise',
    description: 'What breaks a contract: `before` is what the contract says, `after` what readers see',
  })
export type BrokenPromise = z.infer<typeof BrokenPromise>

const fields = {
  ...repositoryFields,
  contract_id: z.uuid().describe('Id of the contract'),
  contract_name: name,
  branch,
  snapshot_id: SnapshotId.describe('The head of the branch that was judged'),
  broken_since: Instant.describe('When the contract was found to be broken'),
  changes: z
    .array(BrokenPromise)
    .describe(
      `What breaks the contract: at most the first ${maxListedBreaks.event} breaking changes, fewer if they are ` +
        'long. Empty if it is kept again',
    ),
  breaking_changes: breakingChanges,
}

const broken = {
  group: 'forecast',
  kind: 'type-changed',
  category: compatibilityRules['type-changed'].category,
  verdict: 'breaking',
  variable: 'temperature',
  dimension: null,
  attribute: null,
  before: 'float32',
  after: 'float64',
  widened: true,
} as const

function contractEvent<Name extends ContractEventName>(name: Name, snapshotId: string, changes: readonly object[]) {
  const words = {
    event: eventDefinitions[name].meaning,
    details: 'The contract, and what the head of its branch breaks of it',
    notification: eventDefinitions[name].meaning,
  }
  return notificationForms(name, fields, words, {
    org_name: 'acme',
    repo_name: 'weather',
    repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    contract_id: '8a54c1b2-4f0e-4c7d-9a51-0f2d3c6b7e10',
    contract_name: 'tile server',
    branch: 'main',
    snapshot_id: snapshotId,
    broken_since: '2026-11-21T12:00:01.000Z',
    changes,
    breaking_changes: changes.length,
  })
}

const forms = {
  ContractBroken: contractEvent('ContractBroken', 'VHQMPVTZR0SCMXSGH9SG', [broken]),
  ContractKept: contractEvent('ContractKept', 'P874YS3J196959RDHX7G', []),
} satisfies Record<ContractEventName, object>

export const ContractBroken = forms.ContractBroken.open
export const ContractKept = forms.ContractKept.open

/** A notification about a contract, as the service sends it. */
export const SentContractEvent = z.discriminatedUnion('event', listSentForms(forms))
export type ContractEvent = z.infer<typeof SentContractEvent>
