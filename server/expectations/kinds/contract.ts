import { readContractDocument } from '@floe/storage/database'
import { readJsonBytes } from '@floe/storage/json'
import { RequestProblem } from '../../problems/request-problem.ts'
import { listFirst } from '../../text/list-first.ts'
import { askAboutHead } from '../ask-about-head.ts'
import type { Found, Kind } from '../kind.ts'

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
      (answer) => {
        const { verdict, breaks, changes, breakingChanges, unknownReason } = readJsonBytes(answer)
        if (verdict !== 'breaking' && unknownReason !== null)
          return { verdict: 'unknown', reason: unknownReason, mayPass: false }
        const facts = { breaks, breaking_changes: breakingChanges, changes }
        return { verdict: verdict === 'breaking' ? 'unmet' : 'met', facts }
      },
    ),
  words: {
    unmet: (found) => `breaks ${nameContract(found)}: ${listBreaks(found)}`,
    met: (found) => `keeps ${nameContract(found)} again`,
    state: (found, state) => {
      if (state === 'unknown') return `${nameContract(found)}: not kept yet`
      return state === 'met' ? `keeps ${nameContract(found)}` : `breaks ${nameContract(found)}: ${listBreaks(found)}`
    },
  },
}

function nameContract({ alias }: Found<'contract'>): string {
  return alias === null ? 'its contract' : `its contract ${alias}`
}

function listBreaks({ facts }: Found<'contract'>): string {
  return listFirst(facts.breaks, maxNamedBreaks, facts.breaking_changes).join('; ')
}
