// Mistakes in expectations, checks, retractions and good heads.
import type { Mutation } from '../../mutants.ts'

const recordJudgements = 'storage/records/database/expectations/record-judgements.ts'
const assessBranch = 'storage/records/database/expectations/assess-branch.ts'
const judgeHeads = 'storage/records/database/good/judge-heads.ts'
const postChecks = 'storage/records/database/checks/post-checks.ts'
const findRemarks = 'storage/records/database/remarks/find-remarks.ts'
const changeRemarks = 'storage/records/database/remarks/change-remarks.ts'

export const expectationMutations: Readonly<Record<string, Mutation>> = {
  'a judgement of a head that has moved counts': [recordJudgements, '(!isSameHead && !ignoresHead) ||', ''],
  'a changed expectation is not judged again': [
    'storage/records/database/expectations/stored-states.ts',
    "row.judged_version === version ? row.head_id : ''",
    'row.head_id',
  ],
  'what was told of an expectation stays when it is deleted': [
    'storage/records/database/expectations/change-expectations.ts',
    "await closeStates(tx, [{ expectation, reason: 'The expectation was deleted' }])",
    'await closeStates(tx, [])',
  ],
  'an alert goes on under another severity': [
    'storage/records/database/expectations/close-states.ts',
    'if (stays && isSame) continue',
    'if (stays) continue',
  ],
  'a grace is over at once': [assessBranch, 'withinMs ?? 0]', '0]'],
  'nobody is told when a grace is over': [
    'server/expectations/judge-repository.ts',
    'tellAt.getTime() <= now',
    'tellAt.getTime() < 0',
  ],
  'nobody is reminded': [assessBranch, ': [toldAt, remindMs]', ': [null, remindMs]'],
  'reminders come twice as often': [assessBranch, ': [toldAt, remindMs]', ': [toldAt, remindMs && remindMs / 2]'],
  'nobody is told that a branch meets an expectation again': [
    recordJudgements,
    'if (before === null || state === null || since !== null) return moves',
    'if (before !== undefined) return moves',
  ],
  'freshness goes by the clock of the writer': [
    'storage/records/database/expectations/read-expectations.ts',
    'Math.min(written_at, moved_at)',
    'written_at',
  ],
  'a head is good whatever its check says': [
    judgeHeads,
    "return state === 'passed' ? []",
    "return state !== 'missing' ? []",
  ],
  'a head is good without a verdict about it': [
    judgeHeads,
    'if (verdict?.is_met === 1) return []',
    'if (verdict?.is_met !== 0) return []',
  ],
  'a check wakes nobody': [postChecks, 'const mayMoveGood = changed.length > 0 &&', 'const mayMoveGood = false &&'],
  'what is retracted stays good': [judgeHeads, 'if (!retracted.has(snapshotId)) return []', 'if (true) return []'],
  'a retraction of a branch counts for nothing': [
    findRemarks,
    'if (ofAll !== undefined) return new Set(snapshotIds)',
    'if (ofAll === null) return new Set(snapshotIds)',
  ],
  'a retraction wakes nobody': [
    changeRemarks,
    "return kind === 'retraction' && (await countRemark(tx, id))",
    "return kind === 'note' && (await countRemark(tx, id))",
  ],
  'a judgement of good heads counts although a check has overtaken it': [
    recordJudgements,
    "      (from.expectation.kind === 'good' && branch.head?.remarks !== head?.remarks) ||\n",
    '',
  ],
}
