import type { PromiseSection } from '../proven-promise.ts'

const assessBranch = 'storage/records/database/expectations/assess-branch.ts'
const recordJudgements = 'storage/records/database/expectations/record-judgements.ts'
const judgeCompleteness = 'server/reading/completeness/judge-completeness.ts'
const judgeGaps = 'server/reading/gaps/judge-gaps.ts'
const watchedRepository = 'server/notifications/watch/watched-repository.ts'

/** Who is told when a branch does not meet what somebody expects of it. */
export const expectations: PromiseSection = {
  title: 'Expectations',
  introduction: "Floe's own promises. `npm run simulate` tries them while processes are killed and paused.",
  promises: {
    'each change of the state of an expectation is told once': [
      recordJudgements,
      'const [before, since] = [state?.unmetSince ?? null,',
      'const [before, since] = [null,',
    ],
    'while a branch stays unmet, it is told again once a period, whichever process sees it': [
      assessBranch,
      ': [toldAt, remindMs]',
      ': [null, remindMs]',
    ],
    'a judgement that another process overtook is ignored': [
      recordJudgements,
      '!isDeepStrictEqual(branch.state, from.state) ||',
      '',
    ],
    'a head that cannot be judged changes no state of an expectation': [
      assessBranch,
      'facts = null, dueAt = null } = state ?? {}',
      'facts = null, dueAt = null } = {}',
    ],
    'a head is good only when each check that is asked for has passed': [
      'storage/records/database/good/judge-heads.ts',
      "return state === 'passed' ? []",
      "return state !== 'missing' ? []",
    ],
    'the end of an expectation of good heads is told': [
      'storage/records/database/expectations/close-states.ts',
      "expectation.kind === 'good' ? 'facts' : 'unmet_since'",
      "'unmet_since'",
    ],
    'with another severity, what is unmet ends for those who were told, and is told again': [
      'storage/records/database/expectations/close-states.ts',
      'if (stays && isSame) continue',
      'if (stays) continue',
    ],
    'a branch is unmet only after its grace, and one that recovers before is not told': [
      assessBranch,
      'withinMs ?? 0]',
      '0]',
    ],
    'a service that was down tells once what is unmet when it is back': [
      'server/expectations/judge-repository.ts',
      "state.headId === (head?.snapshotId ?? '')",
      "state.headId !== ''",
    ],
    'checks do not wait for judgements': [
      watchedRepository,
      'this.#judgements.noteCheck({ judgedKey, version, startedAt })',
      'this.#judgements.noteCheck({ judgedKey, version, startedAt })\n      await this.#judgements.ended',
    ],
    'a branch that is due is told within a second, also while 50 contracts are judged': [
      'server/notifications/watch/judgements.ts',
      'const { isComplete, nextDueAt, unread } = await judgeRecorded(',
      'await this.#reading\n        const { isComplete, nextDueAt, unread } = await judgeRecorded(',
    ],
    'a branch becomes stale when the age of its last commit passes, and fresh with the next commit': [
      'server/expectations/kinds/freshness.ts',
      'dueAt <= checkedAt',
      'dueAt.getTime() + 600_000 <= checkedAt.getTime()',
    ],
    'with `due`, there is a commit since the due time before': [
      'server/expectations/kinds/freshness.ts',
      'findDueTime(settings, from - 1).getTime()',
      'from',
    ],
    'a repository that cannot be read does not become stale': [
      watchedRepository,
      "metrics.polls.inc({ result: 'failed' })",
      'this.#judgements.noteCheck({ judgedKey: this.#wanted.judgedKey, version: undefined, startedAt })',
    ],
    'a service that was down tells once what is stale when it is back': [
      assessBranch,
      'tellAt > checkedAt',
      'tellAt.getTime() !== checkedAt.getTime()',
    ],
    'a reset of a protected branch is told once, and that it leads to its last good head again': [
      'server/expectations/kinds/protected.ts',
      'violations.length === 0 ?',
      'violations.length >= 0 ?',
    ],
    'with `path`, the last commit that changed it counts': [
      'server/expectations/find-last-change.ts',
      'matches[0] ?? true',
      'true',
    ],
    'each array that counts needs its share of written chunks': [
      judgeCompleteness,
      'chunks.written / chunks.total < share',
      'chunks.written === 0',
    ],
    'a path that matches nothing is unmet, with that reason': [
      'server/reading/completeness/judged-arrays.ts',
      '|| nothing?.isMistake === true',
      '',
    ],
    'a path that no array has is not complete': [judgeCompleteness, 'glob !== null && matching === 0', 'false'],
    'with `along`, a step that lacks chunks is told once, and once more when it has them': [
      judgeGaps,
      'gap.written / gap.total >= share',
      'gap.written > 0',
    ],
    'the last steps are not judged while a writer may still add to them': [judgeGaps, ' - exceptLast', ''],
    'known gaps are not told': [judgeGaps, 'first = knownLast + 1', 'first = knownFirst'],
    'the branch of an expectation is watched': [
      'storage/records/database/heads/wanted-selections.ts',
      'branches: [branch]',
      'branches: []',
    ],
    'a receiver that is enabled with the latest held deliveries gets the last commit beside the last state': [
      'storage/records/database/heads/ref-text.ts',
      '${ref.kind}/${ref.id}/${ref.name}',
      'branch/${ref.name}',
    ],
    'expectations in `floe.yaml` keep their state when the service starts again': [
      'storage/records/database/expectations/declared-expectations.ts',
      '[writeKey(one), one]',
      '[randomUUID(), one]',
    ],
    'a repository has at most 50 expectations': [
      'storage/records/database/expectations/change-expectations.ts',
      '>= maxExpectations',
      '>= 1_000',
    ],
    '`max_age` is at least a minute and at most ten years': ['contract/schemas/max-age.ts', '3_652 *', '36_520 *'],
  },
}
