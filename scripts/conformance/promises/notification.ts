import type { PromiseSection } from '../proven-promise.ts'

const headMove = 'server/notifications/watch/head-move.ts'
const headMoveTest = 'server/notifications/watch/head-move.test.ts'
const newCommit = 'contract/schemas/notifications/new-commit.ts'
const headsTest = 'storage/database/heads/heads.test.ts'
const recordEvent = 'storage/database/events/record-event.ts'
const watcherTest = 'server/notifications/watch/head-watcher.test.ts'
const firstObservation = [headMoveTest, 'a first observation lists no commits, in either format version'] as const
const membersInOrder = [
  headMoveTest,
  'the payload has the members of the specification in its order, and no others',
] as const

/** The notification of a head move. */
export const notification: PromiseSection = {
  title: 'The notification',
  promises: [
    {
      promise: '`event` of a head move is `NewCommit`, and `details` has these members in this order',
      test: membersInOrder,
      mutation: [headMove, 'SentNewCommit.parse({ event: ', '({ event: '],
    },
    {
      promise: 'each commit in `commits` has `snapshot_id`, `commit_message`, `written_at` and `author_id`',
      test: membersInOrder,
      mutation: [newCommit, "'Snapshot id of the commit'), ...commitFacts }", "'Snapshot id of the commit') }"],
    },
    {
      promise: 'the service sends no other members',
      test: ['contract/notification.test.ts', 'receivers accept unknown members, and the service sends none'],
      mutation: [newCommit, 'details: z.strictObject(', 'details: z.looseObject('],
    },
    {
      promise: '`org_name` and `repo_name` name the repository, and `commit_message` is the message of the head',
      test: firstObservation,
      mutation: [headMove, 'repo_name: repository.name', 'repo_name: repository.org'],
    },
    {
      promise: '`repo_id` is the id of the repository in the service',
      test: [
        'server/notifications/notifier.test.ts',
        'declared receivers get the first head of a repository, signed, and chats a line',
      ],
      mutation: [headMove, 'repo_id: repository.id', 'repo_id: crypto.randomUUID()'],
    },
    {
      promise: '`branch` is `main`, unless a receiver or a stream names others; their moves are not notified',
      test: [watcherTest, 'only main is watched: the head of another branch that moves is no event'],
      mutation: ['storage/icechunk/format/repo-object.ts', "findRef('branches', 'main')", "findRef('branches', 'dev')"],
    },
    {
      promise: '`snapshot_id` is the new head',
      test: firstObservation,
      mutation: [headMove, 'snapshot_id: id,', 'snapshot_id: id.toLowerCase(),'],
    },
    {
      promise: '`parent_snapshot_id` is the parent of the head',
      test: firstObservation,
      mutation: [headMove, 'parent_snapshot_id: head.parentId', 'parent_snapshot_id: null'],
    },
    {
      promise: '`parent_snapshot_id` is null for the first commit of a repository',
      test: [headMoveTest, 'the parent of the first commit of a repository is null'],
      mutation: [headMove, 'parent_snapshot_id: head.parentId', 'parent_snapshot_id: head.parentId ?? snapshotId'],
    },
    {
      promise: '`written_at` is the time of the commit of the head, in ISO 8601 and UTC',
      test: firstObservation,
      mutation: [headMove, 'written_at: writtenAt.toISOString(),', 'written_at: new Date().toISOString(),'],
    },
    {
      promise: '`author_id` is the author, or `unknown`',
      test: [headMoveTest, 'commits since the last head are listed, oldest first, with their authors'],
      mutation: ['storage/icechunk/format/commit.ts', "const unknown = 'unknown'", "const unknown = 'nobody'"],
    },
    {
      promise: '`previous_snapshot_id` is the previously recorded head; null in the first notification',
      test: [watcherTest, 'every head is recorded once, and again when it has moved'],
      mutation: [headMove, 'previous_snapshot_id: previous.snapshotId', 'previous_snapshot_id: snapshotId'],
    },
    {
      promise: '`commits` are all commits after the previous head up to the new head, oldest first',
      test: [headMoveTest, 'commits since the last head are listed, oldest first, with their authors'],
      mutation: [
        headMove,
        'since.commits.map(toNotificationCommit)',
        'since.commits.toReversed().map(toNotificationCommit)',
      ],
    },
    {
      promise: '`commits` is null exactly when `commits_unavailable_reason` is not',
      test: ['contract/notification.test.ts', 'commits are null exactly when a reason is given'],
      mutation: [newCommit, 'if (reason !== null && commits !== null)', 'if (reason === undefined)'],
    },
    {
      promise: 'the reason is `first_observation` in the first notification of a branch',
      test: firstObservation,
      mutation: [
        headMove,
        "commits_unavailable_reason: 'first_observation' }",
        "commits_unavailable_reason: 'history_rewritten' }",
      ],
    },
    {
      promise: 'the reason is `history_rewritten` after a reset',
      test: [headMoveTest, 'a last head that is not an ancestor means that history was rewritten'],
      mutation: [
        headMove,
        "commits_unavailable_reason: 'history_rewritten' }",
        "commits_unavailable_reason: 'too_many_commits' }",
      ],
    },
    {
      promise: 'the reason is `too_many_commits` when there are more than `notifications.maxCommits`',
      test: [headMoveTest, 'no more commits than maxCommits are listed'],
      mutation: [headMove, 'limit: maxCommits, signal', 'limit: maxCommits + 1, signal'],
    },
    {
      promise:
        'the reason is `repo_format_v1` for format version 1, whose history would cost a request for each commit',
      test: [headMoveTest, 'version 1 costs one snapshot; its history is not walked'],
      mutation: [headMove, 'if (state.formatVersion === 1) return', 'if (state.formatVersion !== 1) return'],
    },
    {
      promise: 'each head move has one notification',
      test: [headsTest, 'SQLite: of watchers that see the same move at once, one records it'],
      mutation: ['storage/database/events/record-head-move.ts', "return { kind: 'outdated' }", 'console.log()'],
    },
    {
      promise: 'every enabled webhook and chat of the repository that selects the event is notified',
      test: [headsTest, 'SQLite: a head move changes the head and waits for every enabled receiver'],
      mutation: [
        recordEvent,
        'rows.filter((row) => row.id !== event.receiverId && selects(row, event)).map(',
        'rows.filter((row) => row.id !== event.receiverId && selects(row, event)).slice(1).map(',
      ],
    },
    {
      promise: 'a disabled webhook or chat misses no head move: its notifications are held until it is enabled',
      test: [headsTest, 'SQLite: a head move is held for every disabled receiver that selects it'],
      mutation: [
        recordEvent,
        ".where('repositories.id', '=', repoId)",
        ".where('repositories.id', '=', repoId).where('is_enabled', '=', 1)",
      ],
    },
    {
      promise: 'the JSON Schema has the same rules',
      test: [
        'contract/create-notification-schema.test.ts',
        'the JSON Schema and zod agree on each combination of previous head, commits and reason',
      ],
      mutation: [newCommit, 'if (isFirst && previous !== null)', 'if (previous === undefined)'],
    },
  ],
}
