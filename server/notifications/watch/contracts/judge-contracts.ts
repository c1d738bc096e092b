import {
  type ContractJudgement,
  type ContractState,
  isJudged,
  listContracts,
  readContractDocument,
  recordJudgement,
} from '@floe/storage/database'
import { parseSnapshotId } from '@floe/storage/icechunk'
import { readWritten, type Written } from '@floe/storage/json'
import type { CatalogEntry } from '../../../catalog/catalog-entry.ts'
import type { JudgedSnapshot } from '../../../reading/compatibility/judge-contract.ts'
import { askAboutHead } from '../ask-about-head.ts'
import type { Judge, JudgeParts } from '../judge.ts'
import { describeContractEvent } from './describe-contract-event.ts'

/**
 * Judges the contracts of a repository whose branch has moved, or that were changed, with one event for each change of
 * state. Reader threads compare; a contract whose branch does not exist is not judged.
 */
export const judgeContracts: Judge = async (parts, { entry, signal }) => {
  const { db, timing, onEvent } = parts
  const repository = { id: entry.id, org: entry.org, name: entry.name }
  let isComplete = true
  for (const from of await listContracts(db, repository)) {
    if (isJudged(from)) continue
    const found = await findBreaks(parts, entry, from, signal)
    if (found === undefined) {
      isComplete = false
      continue
    }
    const { judgement, changes } = found
    const now = new Date(timing.now())
    const recorded = await recordJudgement(
      db,
      repository,
      { from, judgement },
      (change) => describeContractEvent(change, changes),
      now,
    )
    if (recorded.hasEvent) onEvent()
    if (!recorded.isCurrent) isComplete = false
  }
  return { isComplete, nextDueAt: undefined }
}

type FoundBreaks = { readonly judgement: ContractJudgement; readonly changes: JudgedSnapshot['changes'] }

/** Compares the head of a branch with a contract. Undefined if there is another contract or none now. */
async function findBreaks(
  parts: JudgeParts,
  entry: CatalogEntry,
  contract: ContractState,
  signal: AbortSignal,
): Promise<FoundBreaks | undefined> {
  const headId = parseSnapshotId(contract.headId ?? '')
  const document = await readContractDocument(parts.db, contract)
  if (headId === undefined || document === undefined) return undefined
  const question = { kind: 'contract-judgement' as const, contract: document }
  const lastReason = contract.findings?.unknownReason ?? null
  const read = (answer: Written<JudgedSnapshot>) => toJudgement(readWritten(answer))
  const found = await askAboutHead(parts, entry, { headId, question, lastReason }, read, signal)
  return 'judgement' in found ? found : { judgement: found, changes: [] }
}

function toJudgement({ verdict, breaks, changes, breakingChanges, unknownReason }: JudgedSnapshot): FoundBreaks {
  if (verdict === 'breaking') return { judgement: { verdict: 'broken', breaks, breakingChanges }, changes }
  if (unknownReason !== null)
    return { judgement: { verdict: 'unknown', reason: unknownReason, mayPass: false }, changes }
  return { judgement: { verdict: 'kept' }, changes }
}
