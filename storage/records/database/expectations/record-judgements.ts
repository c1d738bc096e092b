// Records what judgements have found, so that each change of a state causes one event, whichever process sees it.
import { isDeepStrictEqual } from 'node:util'
import { lockRepository } from '../events/record-notice.ts'
import { type HeadVerdict, recordVerdicts } from '../heads/head-verdicts.ts'
import type { HeadCommit } from '../heads/heads.ts'
import type { Database } from '../open-database.ts'
import { transact } from '../transact.ts'
import { type AssessedMoment, assessBranch, isOvertaken, listDueTimes } from './assess-branch.ts'
import type {
  BranchState,
  DescribeExpectation,
  ExpectationStateChange,
  ExpectedBranch,
  ExpectedHead,
  GoodMove,
  JudgedBranch,
} from './expectation.ts'
import { listExpectedBranches } from './read-expectations.ts'
import { findGoodMove, lockExpectations, recordChanges } from './record-changes.ts'
import { deleteStates, saveStates } from './stored-states.ts'
import type { RecordedRepository } from '../repositories.ts'

export type RecordedJudgements = {
  readonly hasEvents: boolean
  /** Whether all that is recorded is about the current heads, and about what is expected now. */
  readonly isCurrent: boolean
  /** When the first of these branches must be judged again although nothing has changed; null if never. */
  readonly nextDueAt: Date | null
}

/** When branches were judged, and what was known of them then. */
type JudgedMoment = {
  /** The clock of the database when the check began: graces are over at this time. */
  readonly checkedAt: Date
  /** The same clock now, for the times of events, which do not come before that of a commit they are about. */
  readonly now?: Date | undefined
  /** The branches of the repository if they were read just now. */
  readonly branches?: readonly ExpectedBranch[] | undefined
}

/**
 * Records in one transaction, which locks the repository, what was found about branches, with an event for each that
 * changes its state. Ignores a judgement if its expectation, the head or the state is no longer that of `from`, and one
 * about good heads also if a check or a retraction came since then.
 *
 * Most judgements change nothing, and need no lock. Those that seem to change a state are compared again under it.
 */
export async function recordJudgements(
  db: Database,
  repository: RecordedRepository,
  judged: readonly JudgedBranch[],
  describe: DescribeExpectation,
  { checkedAt, now = checkedAt, branches }: JudgedMoment,
): Promise<RecordedJudgements> {
  const moment = { checkedAt, now }
  const seen = assessAll(judged, branches ?? (await listExpectedBranches(db, repository)), moment)
  if (!seen.some(isChange)) return summarise(seen, false)
  return transact(db, async (tx) => {
    await lockExpectations(tx, repository.org, 'shared')
    await lockRepository(tx, repository.id)
    const steps = assessAll(judged, await listExpectedBranches(tx, repository), moment)
    const rows = steps.filter(isChange).map(({ branch: { expectation, branch }, after }) => {
      return { expectation_id: expectation.id, repo_id: repository.id, branch, state: after }
    })
    await saveStates(
      tx,
      rows.flatMap((row) => (row.state === null ? [] : [{ ...row, state: row.state }])),
    )
    await deleteStates(
      tx,
      rows.filter(({ state }) => state === null),
    )
    await recordVerdicts(
      tx,
      repository.id,
      judged.flatMap((one, place) => (steps[place]?.isAccepted ? listVerdicts(one) : [])),
    )
    const changes = steps.flatMap((step) => describeStep(step, repository))
    await recordChanges(tx, changes, describe, now)
    return summarise(steps, changes.length > 0)
  })
}

/** What a judgement does to a branch. */
type Step = {
  readonly branch: ExpectedBranch
  /** The head when the judgement began. */
  readonly head: ExpectedHead | null
  readonly after: BranchState | null
  /** Whether the judgement counts. */
  readonly isAccepted: boolean
  /** Whether the branch need not be judged again before something changes. */
  readonly isCurrent: boolean
}

function assessAll(
  judged: readonly JudgedBranch[],
  current: readonly ExpectedBranch[],
  moment: AssessedMoment,
): readonly Step[] {
  const known = new Map(current.map((branch) => [writeKey(branch), branch]))
  return judged.map(({ from, judgement, isAboutHead = false }) => {
    const branch = known.get(writeKey(from))
    const { head } = from
    const isSameHead = branch?.head?.snapshotId === head?.snapshotId
    const ignoresHead = judgement.verdict === 'unchanged' || (isAboutHead && branch?.head && head)
    if (
      branch === undefined ||
      branch.expectation.version !== from.expectation.version ||
      !isDeepStrictEqual(branch.state, from.state) ||
      (!isSameHead && !ignoresHead) ||
      (from.expectation.kind === 'good' && branch.head?.remarks !== head?.remarks) ||
      isOvertaken(branch, judgement)
    )
      return {
        branch: branch ?? { ...from, state: null },
        head,
        after: branch?.state ?? null,
        isAccepted: false,
        isCurrent: false,
      }
    const after = assessBranch({ ...branch, head }, judgement, moment)
    const isTried = judgement.verdict === 'unknown' && judgement.mayPass
    return {
      branch,
      head,
      after,
      isAccepted: true,
      isCurrent: !isTried && (isSameHead || judgement.verdict === 'unchanged'),
    }
  })
}

/** What a judgement says of a head whatever the time, if it does. */
function listVerdicts({ from, judgement: { verdict }, isAboutHead, words }: JudgedBranch): HeadVerdict[] {
  const { expectation, head } = from
  if (!isAboutHead || head === null || (verdict !== 'met' && verdict !== 'unmet')) return []
  const isMet = verdict === 'met'
  return [{ expectationId: expectation.id, snapshotId: head.snapshotId, isMet, words: (isMet ? null : words) ?? null }]
}

function writeKey({ expectation, branch }: ExpectedBranch): string {
  return `${expectation.id} ${branch}`
}

function isChange({ branch, after }: Step): boolean {
  return !isDeepStrictEqual(branch.state, after)
}

function describeStep(
  { branch: { expectation, branch, state }, head, after }: Step,
  repository: RecordedRepository,
): readonly (ExpectationStateChange | GoodMove)[] {
  const [before, since] = [state?.unmetSince ?? null, after?.unmetSince ?? null]
  const change = { repository, expectation, branch }
  const reason = after === null ? 'The branch was deleted' : null
  const moves = findGoodMove(change, state?.facts ?? null, after?.facts ?? null, reason)
  if (after !== null && since !== null && after.toldAt?.getTime() !== state?.toldAt?.getTime()) {
    const told = { ...change, since, isReminder: before !== null }
    return [{ name: 'ExpectationUnmet', ...told, state: after, commit: findCommit(after) }, ...moves]
  }
  if (before === null || state === null || since !== null) return moves
  const closed = after ?? { ...state, reason }
  const told = { ...change, since: before, isReminder: false }
  return [{ name: 'ExpectationMet', ...told, state: closed, commit: findCommit(closed) }, ...moves]

  function findCommit({ headId }: Pick<BranchState, 'headId'>): HeadCommit | null {
    return head?.snapshotId === headId ? head.commit : null
  }
}

function summarise(steps: readonly Step[], hasEvents: boolean): RecordedJudgements {
  const due = steps.flatMap(({ branch, after }) => (after === null ? [] : listDueTimes(branch.expectation, after)))
  return {
    hasEvents,
    isCurrent: steps.every(({ isCurrent }) => isCurrent),
    nextDueAt: due.length === 0 ? null : new Date(Math.min(...due)),
  }
}
