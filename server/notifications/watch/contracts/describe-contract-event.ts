// Describes an event about a contract: the payload for webhooks and the line of text for chats.
import { type BrokenPromise, SentContractEvent } from '@floe/contract'
import type { ContractStateChange, EventTexts } from '@floe/storage/database'
import { listFirst } from '../../../text/list-first.ts'
import { cutLine } from '../../event-line.ts'

/** Maximum number of breaking changes in a line for chats. */
const maxLineBreaks = 3

/** Writes the texts of an event about a contract. `changes` are those that break it. */
export function describeContractEvent(change: ContractStateChange, changes: readonly BrokenPromise[]): EventTexts {
  const { name, repository, contract, findings, brokenSince } = change
  const details = {
    org_name: repository.org,
    repo_name: repository.name,
    repo_id: repository.id,
    contract_id: contract.id,
    contract_name: contract.name,
    branch: contract.branch,
    snapshot_id: findings.headId,
    broken_since: brokenSince.toISOString(),
    changes,
    breaking_changes: findings.breakingChanges,
  }
  const payload = JSON.stringify(SentContractEvent.parse({ event: name, details }))
  return { payload, line: cutLine(writeLine(change)) }
}

function writeLine({ name, repository, contract, findings }: ContractStateChange): string {
  const subject = `${repository.org}/${repository.name} branch ${contract.branch}`
  if (name === 'ContractKept') return `${subject} keeps its contract ${contract.name} again`
  const words = listFirst(findings.breaks, maxLineBreaks, findings.breakingChanges)
  return `${subject} breaks its contract ${contract.name}: ${words.join('; ')}`
}
