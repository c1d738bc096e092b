// Records whether heads keep their contracts, so that each change of state causes one event, whichever process sees it.
import type { ContractEventName } from '@floe/contract/lists'
import { makeStorable } from '../../../storable-text.ts'
import type { EventTexts } from '../events/new-event.ts'
import { recordNextEvents } from '../events/record-events.ts'
import { lockRepository } from '../events/record-notice.ts'
import { findStateChange, type RecordedJudgement, type UnknownJudgement } from '../events/state-change.ts'
import type { RepositoryName } from '../expectations/expectations.ts'
import type { Database } from '../open-database.ts'
import {
  type AttachedContract,
  type ContractFindings,
  type ContractState,
  findContract,
  isJudged,
} from './contracts.ts'
import { transact } from '../transact.ts'

/** What a reader thread has found about a head and a contract. */
export type ContractJudgement =
  | { readonly verdict: 'kept' }
  | {
      readonly verdict: 'broken'
      /** What breaks it, in words: the first breaking changes. */
      readonly breaks: readonly string[]
      /** Number of all breaking changes. */
      readonly breakingChanges: number
    }
  | UnknownJudgement

/** The state of a contract when its judgement began, and the result. */
export type JudgedContract = { readonly from: ContractState; readonly judgement: ContractJudgement }

/** What an event about a contract says. */
export type ContractStateChange = {
  readonly name: ContractEventName
  readonly repository: RepositoryName
  readonly contract: AttachedContract
  readonly brokenSince: Date
  readonly findings: ContractFindings
}

/**
 * Records in one transaction what was found about a contract, with an event if its state changes. Ignores the judgement
 * if another process was quicker, or if the contract was changed.
 */
export async function recordJudgement(
  db: Database,
  repository: RepositoryName,
  { from, judgement }: JudgedContract,
  describe: (change: ContractStateChange) => EventTexts,
  now: Date,
): Promise<RecordedJudgement> {
  return transact(db, async (tx) => {
    const { id: repoId } = repository
    await lockRepository(tx, repoId)
    const contract = await findContract(tx, repository, from.id)
    const { headId } = from
    if (contract === undefined || headId === null || !isUnchanged(from, contract))
      return { hasEvent: false, isCurrent: false }
    const before = contract.findings
    const isFinal = judgement.verdict !== 'unknown' || !judgement.mayPass
    const subject = { contractVersion: from.version, headId: isFinal ? headId : '' }
    const findings = { ...subject, ...assess(before, judgement, now) }
    await save(tx, repository, contract, findings)
    const isCurrent = isJudged({ ...contract, findings })
    const change = findStateChange(before?.brokenSince ?? null, findings.brokenSince)
    if (change === undefined) return { hasEvent: false, isCurrent }
    const name = change.hasBegun ? 'ContractBroken' : 'ContractKept'
    const ref = { kind: 'contract', id: contract.id, name: contract.branch } as const
    const texts = describe({ name, repository, contract, brokenSince: change.since, findings })
    await recordNextEvents(tx, [{ repoId, name, ref, ...texts }], now)
    return { hasEvent: true, isCurrent }
  })
}

/** Whether a contract and what is known about it are as they were when its judgement began. */
function isUnchanged(from: ContractState, { version, findings }: ContractState): boolean {
  return (
    version === from.version &&
    findings?.headId === from.findings?.headId &&
    findings?.contractVersion === from.findings?.contractVersion
  )
}

/** What is known after a judgement. One that failed changes no state. */
function assess(
  before: ContractFindings | null,
  judgement: ContractJudgement,
  now: Date,
): Omit<ContractFindings, 'contractVersion' | 'headId'> {
  if (judgement.verdict === 'unknown') {
    const { state = null, brokenSince = null, breaks = [], breakingChanges = 0 } = before ?? {}
    return { state, brokenSince, breaks, breakingChanges, unknownReason: makeStorable(judgement.reason) }
  }
  if (judgement.verdict === 'kept')
    return { state: 'kept', brokenSince: null, breaks: [], breakingChanges: 0, unknownReason: null }
  const { breaks, breakingChanges } = judgement
  return { state: 'broken', brokenSince: before?.brokenSince ?? now, breaks, breakingChanges, unknownReason: null }
}

async function save(
  tx: Database,
  { id: repoId }: RepositoryName,
  { id }: AttachedContract,
  { contractVersion, headId, state, brokenSince, breaks, breakingChanges, unknownReason }: ContractFindings,
): Promise<void> {
  const columns = {
    contract_version: contractVersion,
    head_id: headId,
    state,
    broken_since: brokenSince?.getTime() ?? null,
    breaks: JSON.stringify(breaks),
    breaking_changes: breakingChanges,
    unknown_reason: unknownReason,
  }
  await tx
    .insertInto('contract_findings')
    .values({ contract_id: id, repo_id: repoId, ...columns })
    .onConflict((conflict) => conflict.columns(['contract_id', 'repo_id']).doUpdateSet(columns))
    .execute()
}
