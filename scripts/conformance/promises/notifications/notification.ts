import type { PromiseSection } from '../../proven-promise.ts'

const headMove = 'server/notifications/watch/checks/head-move.ts'
const newCommit = 'contract/schemas/notifications/new-commit.ts'
const selectReceivers = 'storage/records/database/events/select-receivers.ts'
const otherId = "'00000000000000000000'"

/** The notification of a head move. */
export const notification: PromiseSection = {
  title: 'The notification',
  promises: {
    '`event` of a head move is `NewCommit`, and `details` has these members in this order': [
      'server/events/describe-event.ts',
      'SentNotification.parse(',
      '(',
    ],
    'each commit in `commits` has `snapshot_id`, `commit_message`, `written_at` and `author_id`': [
      newCommit,
      ', ...commitFacts }',
      ' }',
    ],
    'the service sends no other members': [newCommit, 'details: z.strict', 'details: z.loose'],
    '`org_name` and `repo_name` name the repository, and `commit_message` is the message of the head': [
      'server/events/describe-event.ts',
      'repo_name: ',
      "repo_name: 'other' || ",
    ],
    '`repo_id` is the id of the repository in the service': [
      'server/events/describe-event.ts',
      'repo_id: ',
      'repo_id: crypto.randomUUID() || ',
    ],
    '`branch` is `main`, unless a receiver or a stream names others; their moves are not notified': [
      'storage/repositories/icechunk/format/repository/repo-object.ts',
      "'main'",
      "'dev'",
    ],
    '`snapshot_id` is the new head': [headMove, ' snapshot_id: ', ` snapshot_id: ${otherId} || `],
    '`parent_snapshot_id` is the parent of the head': [
      headMove,
      'parent_snapshot_id: ',
      'parent_snapshot_id: null && ',
    ],
    '`parent_snapshot_id` is null for the first commit of a repository': [
      headMove,
      'parent_snapshot_id: ',
      `parent_snapshot_id: ${otherId} || `,
    ],
    '`written_at` is the time of the commit of the head, in ISO 8601 and UTC': [
      headMove,
      'written_at: ',
      'written_at: new Date().toISOString() || ',
    ],
    '`author_id` is the author, or `unknown`': [
      'storage/repositories/icechunk/format/repository/commit.ts',
      "'unknown'",
      "'nobody'",
    ],
    '`previous_snapshot_id` is the previously recorded head; null in the first notification': [
      headMove,
      'previous_snapshot_id: previous',
      `previous_snapshot_id: ${otherId} || previous`,
    ],
    '`commits` are all commits after the previous head up to the new head, oldest first': [
      headMove,
      '.map(',
      '.toReversed().map(',
    ],
    '`commits` is null exactly when `commits_unavailable_reason` is not': [newCommit, 'commits !== null', 'false'],
    'the reason is `first_observation` in the first notification of a branch': [
      headMove,
      "'first_observation'",
      "'history_rewritten'",
    ],
    'the reason is `history_rewritten` after a reset': [headMove, "'history_rewritten'", "'too_many_commits'"],
    'the reason is `too_many_commits` when there are more than 250 commits': [headMove, 'limit: ', 'limit: 1 + '],
    'the reason is `repo_format_v1` for format version 1, whose history would cost a request for each commit': [
      headMove,
      '=== 1',
      '!== 1',
    ],
    'each head move has one notification': [
      'storage/records/database/events/record-head-move.ts',
      "return { kind: 'outdated'",
      "void { kind: 'outdated'",
    ],
    'every enabled webhook and chat of the repository that selects the event is notified': [
      selectReceivers,
      '.map(({ id, filter',
      '.slice(1).map(({ id, filter',
    ],
    'a disabled webhook or chat misses no head move: its notifications are held until it is enabled': [
      selectReceivers,
      '.where(isFollowing)',
      ".where(isFollowing).where('is_enabled', '=', 1)",
    ],
    'the JSON Schema has the same rules': [newCommit, 'previous !== null', 'false'],
  },
}
