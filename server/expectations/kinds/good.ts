import { findAmongHeads, type JudgedHeads, type Judgement, rememberHead } from '@floe/storage/database'
import { nameLack } from '../../events/name-lack.ts'
import { listFirst } from '../../text/list-first.ts'
import { judgeMissing } from '../ask-about-head.ts'
import { type FactsOf, type Found, type Kind, nameHead } from '../kind.ts'

/** Maximum number of lacks that facts list, as the contract says, and that words name. */
const maxLacks = 10
const maxNamedLacks = 3

/** Whether the head is good, and which head of the branch was the last good one. */
export const good: Kind<'good'> = {
  asks: 'verdicts',
  judge: (toJudge) => {
    const { branch, head, state } = toJudge
    if (head === null) return state === null ? judgeMissing(toJudge) : { verdict: 'gone' }
    return async ({ db, entry, timing }) => {
      const now = new Date(timing.now())
      let { judged } = await findAmongHeads(db, entry, branch, { find: findGood, now })
      if (judged.heads[0]?.snapshotId !== head.snapshotId) {
        // It was recorded before somebody asked which heads are good.
        await rememberHead(db, entry.id, branch, now)
        ;({ judged } = await findAmongHeads(db, entry, branch, { find: findGood, now }))
      }
      return conclude(judged)
    }
  },
  words: {
    unmet: (told) => ['NOT GOOD', `${listLacks(told)}; ${nameKept(told)}${nameHead(told)}`],
    met: (told) => ['GOOD', `its head is good${nameHead(told)}`],
    state: (found, state) => {
      if (found.facts.lacks.length === 0) return 'good'
      return `${state === 'unmet' ? 'not good' : 'not good yet'}: ${listLacks(found)}; ${nameKept(found)}`
    },
  },
}

const findGood = async ({ heads }: JudgedHeads) => heads.find(({ state }) => state === 'good') ?? null

function conclude({ heads }: JudgedHeads): Judgement {
  const behind = heads.findIndex(({ state }) => state === 'good')
  const head = heads[0]
  const facts: FactsOf<'good'> = {
    last_good_snapshot_id: heads[behind]?.snapshotId ?? null,
    behind: behind < 0 ? null : behind,
    lacks: head?.lacks.slice(0, maxLacks).map(nameLack) ?? [],
  }
  if (head === undefined) return { verdict: 'unknown', reason: 'No head of the branch was seen yet', mayPass: true }
  if (head.state === 'good') return { verdict: 'met', facts }
  if (head.state === 'failed') return { verdict: 'unmet', facts, since: head.seenAt }
  return { verdict: 'undecided', facts, dueAt: head.dueAt }
}

function listLacks({ facts }: Found<'good'>): string {
  return listFirst(facts.lacks, maxNamedLacks).join('; ')
}

function nameKept({ facts: { last_good_snapshot_id: id, behind } }: Found<'good'>): string {
  if (id === null || behind === null) return 'no head is good'
  return `@good keeps ${id}, ${behind} ${behind === 1 ? 'head' : 'heads'} behind`
}
