// Derives which heads of a branch are good from what is recorded about them: checks, verdicts and retractions. Nothing
// stores who is good, so that what comes later counts at once.
import { type CheckState, headKindNames } from '@floe/contract/lists'
import { matchesSome } from '../../../globs.ts'
import { isOneOf } from '../engine/engine.ts'
import type { Expectation } from '../expectations/expectation.ts'
import { listExpectations } from '../expectations/read-expectations.ts'
import { maxSeenHeads } from '../heads/seen-heads.ts'
import type { Database } from '../open-database.ts'
import { findRetracted } from '../remarks/find-remarks.ts'
import type { RecordedRepository } from '../repositories.ts'

/** What a head must have to be good. */
export type GoodRequirements = {
  /** Names of checks that must have passed. */
  readonly checks: readonly string[]
  /** Names of expectations that it must meet: their aliases, or their kinds. */
  readonly expectations: readonly string[]
}

/** What a head lacks to be good. Only what is `missing` or `pending` may still come. */
export type Lack =
  | { readonly kind: 'check'; readonly name: string; readonly state: LackingCheck; readonly text: string | null }
  | {
      readonly kind: 'expectation'
      readonly name: string
      readonly state: 'missing' | 'unmet'
      readonly text: string | null
    }
  | { readonly kind: 'retraction'; readonly name: string; readonly state: 'retracted'; readonly text: string | null }

type LackingCheck = Exclude<CheckState, 'passed'> | 'missing'

/** A head of a branch as Floe saw it. */
export type JudgedHead = {
  readonly snapshotId: string
  /** Number of the event of the head: a higher one is newer. */
  readonly sequence: number
  readonly seenAt: Date
  readonly state: 'good' | 'pending' | 'failed'
  /** Empty if it is good. */
  readonly lacks: readonly Lack[]
  /** When a pending head fails, unless something comes before; null if never. */
  readonly dueAt: Date | null
}

export type JudgedHeads = {
  /** The requirements of all `good` expectations that cover the branch; null if there is none. */
  readonly requirements: GoodRequirements | null
  /** Newest first. */
  readonly heads: readonly JudgedHead[]
}

/** How many heads are judged first: mostly, one of them is good. */
const firstHeads = 20

/** Judges the newest heads of a branch, and all that are remembered if `find` returns null for these. */
export async function findAmongHeads<Found>(
  db: Database,
  repository: RecordedRepository,
  branch: string,
  { find, now }: { readonly find: (judged: JudgedHeads) => Promise<Found | null>; readonly now: Date },
): Promise<{ readonly judged: JudgedHeads; readonly found: Found | null }> {
  const newest = await judgeHeads(db, repository, branch, { limit: firstHeads, now })
  const found = await find(newest)
  if (found !== null || newest.heads.length < firstHeads) return { judged: newest, found }
  const all = await judgeHeads(db, repository, branch, { limit: maxSeenHeads, now })
  return { judged: all, found: await find(all) }
}

/** Judges the newest heads of a branch. The newest good one of all is the last good head of the branch. */
export async function judgeHeads(
  db: Database,
  repository: RecordedRepository,
  branch: string,
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<JudgedHeads> {
  const all = await listExpectations(db, repository)
  const required = findRequired(all.filter((one) => matchesSome([one.branch], branch)))
  if (required === null) return { requirements: null, heads: [] }
  const heads = await db
    .selectFrom('seen_heads')
    .select(['sequence', 'snapshot_id', 'seen_at', 'last_expectation'])
    .where('repo_id', '=', repository.id)
    .where('branch', '=', branch)
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute()
  const ids = [...new Set(heads.map(({ snapshot_id }) => snapshot_id))]
  const names = [...required.checks.keys()]
  const expectationIds = required.expectations.flatMap(({ expectation }) => expectation?.id ?? [])
  const checks = await db
    .selectFrom('checks')
    .select(['snapshot_id', 'name', 'state', 'text'])
    .where('repo_id', '=', repository.id)
    .where(isOneOf(db, 'snapshot_id', ids))
    .where(isOneOf(db, 'name', names))
    .execute()
  const verdicts = await db
    .selectFrom('head_verdicts')
    .select(['snapshot_id', 'expectation_id', 'is_met', 'words'])
    .where(isOneOf(db, 'expectation_id', expectationIds))
    .where('repo_id', '=', repository.id)
    .where(isOneOf(db, 'snapshot_id', ids))
    .execute()
  const retracted = await findRetracted(db, repository.id, ids, branch)
  const checksOf = Map.groupBy(checks, ({ snapshot_id }) => snapshot_id)
  const verdictsOf = Map.groupBy(verdicts, ({ snapshot_id }) => snapshot_id)

  return {
    requirements: { checks: names, expectations: required.expectations.map(({ name }) => name) },
    heads: heads.map(({ sequence, snapshot_id: snapshotId, seen_at, last_expectation: last }) => {
      const seenAt = new Date(seen_at)
      const found = [
        ...listRetractions(retracted, snapshotId),
        ...listLackingChecks(required, checksOf.get(snapshotId) ?? []),
        ...listLackingVerdicts(required, verdictsOf.get(snapshotId) ?? [], last),
      ]
      return { snapshotId, sequence, seenAt, ...decide(found, seenAt, now) }
    }),
  }
}

/** What is required, and how long each may be missing, in milliseconds: Infinity without a limit. */
type Required = { readonly checks: ReadonlyMap<string, number>; readonly expectations: readonly RequiredExpectation[] }

type RequiredExpectation = {
  readonly name: string
  readonly withinMs: number
  /** Undefined if no expectation has the alias. */
  readonly expectation: Expectation | undefined
}

type FoundLack = { readonly lack: Lack; readonly withinMs: number }

/** @param covering the expectations that cover a branch */
function findRequired(covering: readonly Expectation[]): Required | null {
  const good = covering.filter(({ kind }) => kind === 'good')
  if (good.length === 0) return null
  const aboutHeads = covering.filter(({ kind }) => headKindNames.some((name) => name === kind))
  const [checks, expectations] = [new Map<string, number>(), new Map<string, RequiredExpectation>()]
  for (const { settings, withinMs: within } of good) {
    const { checks: names, expectations: aliases } = settings as GoodSettings
    const withinMs = within ?? Infinity
    for (const name of names ?? []) checks.set(name, Math.min(withinMs, checks.get(name) ?? Infinity))
    const known = aboutHeads.map((one) => ({ name: one.alias ?? one.kind, expectation: one }))
    const named = (aliases ?? []).flatMap((name): readonly Omit<RequiredExpectation, 'withinMs'>[] => {
      const found = known.filter(({ expectation: { alias } }) => alias === name)
      return found.length > 0 ? found : [{ name, expectation: undefined }]
    })
    for (const { name, expectation } of aliases === null ? known : named) {
      const key = expectation?.id ?? name
      const before = expectations.get(key)?.withinMs ?? Infinity
      expectations.set(key, { name, expectation, withinMs: Math.min(withinMs, before) })
    }
  }
  return { checks, expectations: [...expectations.values()] }
}

/** The settings of the kind `good`, as the contract declares them. */
type GoodSettings = { readonly checks: readonly string[] | null; readonly expectations: readonly string[] | null }

type CheckRow = { readonly name: string; readonly state: CheckState; readonly text: string | null }

function listLackingChecks({ checks }: Required, rows: readonly CheckRow[]): readonly FoundLack[] {
  return [...checks].flatMap(([name, withinMs]) => {
    const { state, text } = rows.find((row) => row.name === name) ?? { state: 'missing' as const, text: null }
    return state === 'passed' ? [] : [{ lack: { kind: 'check' as const, name, state, text }, withinMs }]
  })
}

type VerdictRow = { readonly expectation_id: string; readonly is_met: 0 | 1; readonly words: string | null }

/** A head that was seen before an expectation was added needs no verdict about it. A verdict that came counts. */
function listLackingVerdicts(
  { expectations }: Required,
  rows: readonly VerdictRow[],
  lastExpectation: number,
): readonly FoundLack[] {
  return expectations.flatMap(({ name, expectation, withinMs }) => {
    const verdict = rows.find(({ expectation_id }) => expectation_id === expectation?.id)
    if (verdict?.is_met === 1) return []
    if (verdict === undefined && expectation !== undefined && expectation.number > lastExpectation) return []
    const state = verdict === undefined && expectation !== undefined ? ('missing' as const) : ('unmet' as const)
    const text = expectation === undefined ? 'no expectation has this alias' : (verdict?.words ?? null)
    return [{ lack: { kind: 'expectation' as const, name, state, text }, withinMs }]
  })
}

function decide(found: readonly FoundLack[], seenAt: Date, now: Date): Pick<JudgedHead, 'state' | 'lacks' | 'dueAt'> {
  const lacks = found.map(({ lack }) => lack)
  if (lacks.length === 0) return { state: 'good', lacks, dueAt: null }
  const due = seenAt.getTime() + Math.min(...found.map(({ withinMs }) => withinMs))
  if (due <= now.getTime() || !lacks.every(({ state }) => state === 'missing' || state === 'pending'))
    return { state: 'failed', lacks, dueAt: null }
  return { state: 'pending', lacks, dueAt: due === Infinity ? null : new Date(due) }
}

function listRetractions(retracted: ReadonlySet<string>, snapshotId: string): readonly FoundLack[] {
  if (!retracted.has(snapshotId)) return []
  return [{ lack: { kind: 'retraction', name: 'retracted', state: 'retracted', text: null }, withinMs: Infinity }]
}
