import { parseMaxAge } from '@floe/contract'
import type { Judgement } from '@floe/storage/database'
import { parseSnapshotId } from '@floe/storage/icechunk'
import { findLastChange } from '../find-last-change.ts'
import type { FactsOf, Found, Kind, BranchToJudge } from '../kind.ts'

/** How old the last commit of a branch may become, at the time when a check began: what came before is recorded. */
export const freshness: Kind<'freshness'> = {
  asks: 'now',
  judge: (toJudge) => {
    const { expectation, branch, head, state, checkedAt, settings } = toJudge
    const { path } = settings
    const facts = state?.facts ?? null
    if (head === null) {
      if (branch !== expectation.branch) return { verdict: 'gone' }
      // A branch that never existed becomes stale as if it had been made when somebody first expected it.
      return judgeAge(toJudge, facts ?? { last_commit_at: null, counts_from: checkedAt.toISOString() })
    }
    if (path === null) return judgeAge(toJudge, countFrom(head.committedAt))
    if (facts !== null && state?.headId === head.snapshotId) return judgeAge(toJudge, facts)
    return async (reading) => {
      const headId = parseSnapshotId(head.snapshotId)
      // Empty after a change of the expectation, so that the search goes back as far as for a new one.
      const sinceId = facts === null ? undefined : parseSnapshotId(state?.headId ?? '')
      const found = headId && (await findLastChange(reading, { path, headId, sinceId }))
      if (found === undefined)
        return { verdict: 'unknown', reason: 'The history of the branch could not be read', mayPass: true }
      if (found !== 'unchanged') return judgeAge(toJudge, countFrom(found.countsFrom, found.lastCommitAt))
      // A search ends early only at a head that was judged.
      return judgeAge(toJudge, facts ?? countFrom(checkedAt, null))
    }
  },
  words: {
    unmet: (found) => `is stale: ${describeChat(found)}`,
    met: (found) => `is up to date again: ${describeChat(found)}`,
    state: ({ settings, facts }, state, now) => {
      const last = facts.last_commit_at
      const age = last === null ? 'no commit seen' : `updated ${describeAge(now - Date.parse(last))} ago`
      const limit = `${settings.max_age.slice(0, -1)} ${unitNames[settings.max_age.slice(-1)] ?? ''}`
      return `${age}, expected every ${limit}${state === 'unmet' ? ': late' : ''}`
    },
  },
}

function countFrom(countsFrom: Date, lastCommitAt: Date | null = countsFrom): FactsOf<'freshness'> {
  return { last_commit_at: lastCommitAt?.toISOString() ?? null, counts_from: countsFrom.toISOString() }
}

function judgeAge({ settings, head, checkedAt }: BranchToJudge<'freshness'>, facts: FactsOf<'freshness'>): Judgement {
  const dueAt = new Date(Date.parse(facts.counts_from) + parseMaxAge(settings.max_age))
  const isStale = dueAt <= checkedAt
  const isFound = settings.path === null || head === null || facts.last_commit_at !== null
  const reason = isFound ? {} : { reason: `No commit that was searched changed a path that matches ${settings.path}` }
  return isStale ? { verdict: 'unmet', facts, since: dueAt, ...reason } : { verdict: 'met', facts, dueAt, ...reason }
}

function describeChat({ settings, facts }: Found<'freshness'>): string {
  const last = facts.last_commit_at
  return `${last === null ? 'no commit seen' : `last commit at ${last}`}, expected every ${settings.max_age}`
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

const unitNames: Readonly<Record<string, string>> = { s: 's', m: 'min', h: 'h', d: 'd' }

/** `8 h`. */
function describeAge(ms: number): string {
  const ageMs = Math.max(0, ms)
  const [unitMs, unit] = units.find(([unitMs]) => ageMs >= unitMs) ?? units[3]
  return `${Math.floor(ageMs / unitMs)} ${unit}`
}
