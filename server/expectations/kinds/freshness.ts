import { parseMaxAge } from '@floe/contract'
import type { Judgement } from '@floe/storage/database'
import { parseSnapshotId } from '@floe/storage/icechunk'
import { quoteMessage, writeTimeOfDay } from '../../events/name-commit.ts'
import { findDueTime } from '../due-time.ts'
import { findLastChange } from '../find-last-change.ts'
import type { BranchToJudge, FactsOf, Kind, Told } from '../kind.ts'

/** Whether the last commit of a branch came in time, when a check began: what came before is recorded. */
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
    unmet: (told) => ['LATE', describeChat(told)],
    met: (told) => ['ON TIME', describeChat(told)],
    state: ({ settings, facts }, state, now) => {
      const last = facts.last_commit_at
      const age = last === null ? 'no commit seen' : `updated ${describeAge(now - Date.parse(last))} ago`
      return `${age}, ${describeLimit(settings)}${state === 'unmet' ? ': late' : ''}`
    },
  },
}

function countFrom(countsFrom: Date, lastCommitAt: Date | null = countsFrom): FactsOf<'freshness'> {
  return { last_commit_at: lastCommitAt?.toISOString() ?? null, counts_from: countsFrom.toISOString() }
}

function judgeAge(toJudge: BranchToJudge<'freshness'>, facts: FactsOf<'freshness'>): Judgement {
  const { settings, head, checkedAt } = toJudge
  const dueAt = findDueAt(toJudge, facts)
  const isStale = dueAt <= checkedAt
  const isFound = settings.path === null || head === null || facts.last_commit_at !== null
  const reason = isFound ? {} : { reason: `No commit that was searched changed a path that matches ${settings.path}` }
  return isStale ? { verdict: 'unmet', facts, since: dueAt, ...reason } : { verdict: 'met', facts, dueAt, ...reason }
}

/** When the next commit must have come. */
function findDueAt({ settings, head }: BranchToJudge<'freshness'>, facts: FactsOf<'freshness'>): Date {
  const from = Date.parse(facts.counts_from)
  if (settings.max_age !== null) return new Date(from + parseMaxAge(settings.max_age))
  // The branch never was, so nothing came for the first time.
  if (head === null && facts.last_commit_at === null) return findDueTime(settings, from)
  // A commit also counts for the moment at which it was made, and another one must follow for the next.
  return findDueTime(settings, findDueTime(settings, from - 1).getTime())
}

/** `last commit 21 min ago (16:12 UTC, "Complete the run"), expected every 2 min`. */
function describeChat({ settings, facts, commit, now }: Told<'freshness'>): string {
  if (facts.last_commit_at === null) return `no commit seen, ${describeLimit(settings)}`
  const last = new Date(facts.last_commit_at)
  // With a path, the last commit that counts may be an earlier one than the head.
  const isHead = settings.path === null || commit?.writtenAt.getTime() === last.getTime()
  const quoted = isHead && commit !== null ? quoteMessage(commit.message) : ''
  const made = [writeTimeOfDay(last, now), quoted].filter((part) => part !== '').join(', ')
  return `last commit ${describeAge(now.getTime() - last.getTime())} ago (${made}), ${describeLimit(settings)}`
}

function describeLimit({ max_age, due, days }: BranchToJudge<'freshness'>['settings']): string {
  if (max_age === null) return `expected by ${due} UTC ${days === null ? 'every day' : `on ${days.join(', ')}`}`
  return `expected every ${max_age.slice(0, -1)} ${unitNames[max_age.slice(-1)] ?? ''}`
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
