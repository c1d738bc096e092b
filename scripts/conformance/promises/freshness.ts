import type { PromiseSection } from '../proven-promise.ts'

const recordFreshness = 'storage/records/database/expectations/record-freshness.ts'

/** Who is told when a branch has had no commit for longer than somebody expects. */
export const freshness: PromiseSection = {
  title: 'Expectations',
  introduction: "Floe's own promises. `npm run crash` tries them while the service is killed.",
  promises: {
    'a branch becomes stale once, and fresh once, whichever process sees it': [
      recordFreshness,
      'isStale !== (before !== null)',
      'true',
    ],
    'a branch becomes stale when the age of its last commit passes, and fresh with the next commit': [
      recordFreshness,
      'dueAt <= checkedAt.getTime()',
      'dueAt + 600_000 <= checkedAt.getTime()',
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
