import type { PromiseSection } from '../proven-promise.ts'

const recordFreshness = 'storage/records/database/expectations/record-freshness.ts'

const recordCompleteness = 'storage/records/database/expectations/record-completeness.ts'

/** Who is told when a branch has had no commit for longer than somebody expects, or too few chunks. */
export const freshness: PromiseSection = {
  title: 'Expectations',
  introduction: "Floe's own promises. `npm run simulate` tries them while processes are killed and paused.",
  promises: {
    'a branch becomes stale once, and fresh once, whichever process sees it': [
      recordFreshness,
      'findStateChange(before, ',
      'findStateChange(null, ',
    ],
    'a branch becomes stale when the age of its last commit passes, and fresh with the next commit': [
      recordFreshness,
      'dueAt <= Math.max(',
      'dueAt + 600_000 <= Math.max(',
    ],
    'a repository that cannot be read does not become stale': [
      'server/notifications/watch/watched-repository.ts',
      "metrics.polls.inc({ result: 'failed' })",
      'this.#judgements.noteCheck({ judged: this.#wanted.judged, version: undefined, startedAt })',
    ],
    'a service that was down tells once what is stale when it is back': [
      recordFreshness,
      'expectation.freshness?.staleSince ?? null',
      'null',
    ],
    'with `path`, the last commit that changed it counts': [
      'server/notifications/watch/freshness/find-last-changes.ts',
      'matches[index] ?? true',
      'true',
    ],
    'each change of the state of written chunks is told once': [
      recordCompleteness,
      'findStateChange(before?.incompleteSince ?? null, ',
      'findStateChange(null, ',
    ],
    'where it is unknown how many chunks are written, no state changes': [
      recordCompleteness,
      'return { incompleteSince, arrays, incompleteArrays, unknownReason: makeStorable(judgement.reason) }',
      'return { incompleteSince: null, arrays, incompleteArrays, unknownReason: makeStorable(judgement.reason) }',
    ],
    'each array that counts needs its share of written chunks': [
      'server/reading/completeness/judge-completeness.ts',
      'chunks.written / chunks.total < share',
      'chunks.written === 0',
    ],
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
      '!wanted.has(',
      "'' !== (",
    ],
    'a repository has at most 50 expectations': [
      'storage/records/database/expectations/change-expectations.ts',
      '>= maxExpectations',
      '>= 1_000',
    ],
    '`max_age` is at least a minute and at most ten years': ['contract/schemas/max-age.ts', '3_652 *', '36_520 *'],
  },
}
