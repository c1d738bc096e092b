import type { ChangeKind } from '@floe/contract'
import { readContractDocument } from '@floe/storage/database'
import { parseSnapshotId, type SnapshotId } from '@floe/storage/icechunk'
import { readJsonBytes } from '@floe/storage/json'
import { toReadingProblem } from '../../problems/reading-problem.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { JudgedSnapshot } from '../../reading/compatibility/judge-contract.ts'
import { listFirst } from '../../text/list-first.ts'
import { askAboutHead } from '../ask-about-head.ts'
import { type BranchToJudge, type FactsOf, type Found, type Kind, nameHead } from '../kind.ts'

/** Maximum number of breaking changes in words. */
const maxNamedBreaks = 3

/** What readers of the datasets of a branch rely on. */
export const datasetContract: Kind<'contract'> = {
  asks: 'head',
  judge: (toJudge) =>
    askAboutHead(
      toJudge,
      async ({ db }) => {
        const contract = await readContractDocument(db, toJudge.expectation)
        if (contract === undefined) throw new RequestProblem('unavailable', 'The contract was changed meanwhile')
        return { kind: 'contract-judgement', contract }
      },
      async (answer, { question: { contract }, headId, ask }) => {
        const judged = readJsonBytes(answer)
        if (judged.verdict !== 'breaking' && judged.unknownReason !== null)
          return { verdict: 'unknown', reason: judged.unknownReason, mayPass: false }
        if (judged.verdict !== 'breaking') return { verdict: 'met', facts: writeFacts(judged, headId) }
        const from = findLastGood(toJudge)
        const isMissing = judged.changes.some(({ kind }) => removals.has(kind))
        if (from === undefined || !isMissing) return { verdict: 'unmet', facts: writeFacts(judged, from ?? null) }
        const renamed = await ask({ kind: 'renames-judgement', from, contract }).catch((error: unknown) => {
          // It may have expired. Then what is missing has no new name.
          if (toReadingProblem(error) === undefined) throw error
          return answer
        })
        return { verdict: 'unmet', facts: writeFacts(readJsonBytes(renamed), from) }
      },
    ),
  words: {
    unmet: (told) => [told.alias === null ? 'BREAKS its contract' : 'BREAKS', listBreaks(told) + nameHead(told)],
    met: (told) => [
      told.alias === null ? 'KEEPS its contract' : 'KEEPS',
      `nothing is broken any more${nameHead(told)}`,
    ],
    state: (found, state) => {
      if (state === 'unknown') return `${nameContract(found)}: not kept yet`
      return state === 'met' ? `keeps ${nameContract(found)}` : `breaks ${nameContract(found)}: ${listBreaks(found)}`
    },
  },
}

/** What may have been renamed. */
const removals: ReadonlySet<ChangeKind> = new Set(['variable-removed', 'dataset-removed'])

/** The last head that kept this version of the contract. */
function findLastGood({ expectation, state }: BranchToJudge<'contract'>): SnapshotId | undefined {
  if (state?.version !== expectation.version) return undefined
  return parseSnapshotId(state.facts?.last_good_snapshot_id ?? '')
}

function writeFacts(judged: JudgedSnapshot, lastGood: SnapshotId | null): FactsOf<'contract'> {
  const { breaks, breakingChanges, changes } = judged
  return {
    breaks: [...breaks],
    breaking_changes: breakingChanges,
    changes: [...changes],
    last_good_snapshot_id: lastGood,
  }
}

function nameContract({ alias }: Found<'contract'>): string {
  return alias === null ? 'its contract' : `its contract ${alias}`
}

function listBreaks({ facts }: Found<'contract'>): string {
  return listFirst(facts.breaks, maxNamedBreaks, facts.breaking_changes).join('; ')
}
