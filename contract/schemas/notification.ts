// What a webhook receives when the head of `main` moves. `commits` is null exactly when `commits_unavailable_reason` is not.
import { z } from 'zod'
import { OrgName, RepoName, SnapshotId } from './names.ts'

const cut = 'longer ones are cut, and end in `…`'

const Author = z
  .string()
  .describe(`Author from the commit metadata, \`unknown\` when it names none; up to 1,024 characters, ${cut}`)
  .meta({ examples: ['Ada Lovelace <ada@example.org>'] })

const CommittedAt = z.iso
  .datetime({ precision: 3 })
  .describe("When the commit was written, by its writer's clock; UTC, milliseconds")

const CommitMessage = z.string().describe(`Message of the commit; up to 16,384 characters, ${cut}`)

/** One commit between the previous head and the new one. */
export const NotificationCommit = z
  .strictObject({ snapshot_id: SnapshotId, commit_message: CommitMessage, author: Author, committed_at: CommittedAt })
  .meta({ id: 'NotificationCommit' })
export type NotificationCommit = z.infer<typeof NotificationCommit>

/** Why the commits of a head move cannot be listed although an earlier head is known. */
const CommitsUnlistedReason = z.enum(['repo_format_v1', 'history_rewritten', 'too_many_commits'])

/** Why a notification carries no commits. */
export const CommitsUnavailableReason = z
  .enum(['first_observation', ...CommitsUnlistedReason.options])
  .describe(
    '`first_observation`: no earlier head is known. `repo_format_v1`: listing would walk the history object by object. ' +
      '`history_rewritten`: the previous head is not an ancestor of the new one. ' +
      '`too_many_commits`: above the configured limit, or more than fit into 256,000 bytes.',
  )
export type CommitsUnavailableReason = z.infer<typeof CommitsUnavailableReason>

const head = {
  org: OrgName,
  repo_name: RepoName,
  repo_id: z.uuid().describe('Stable id of the repository, kept through renames of its location'),
  branch: z.literal('main'),
  sequence: z.int().min(1).describe('Number of this head move of the branch, counted from 1'),
  snapshot_id: SnapshotId.describe('The new head'),
  commit_message: CommitMessage,
  author: Author,
  committed_at: CommittedAt,
}

const previous = SnapshotId.describe('The head that was seen last')

/** The facts of one head move. */
export const NewCommitDetails = z
  .discriminatedUnion('commits_unavailable_reason', [
    z.strictObject({
      ...head,
      previous_snapshot_id: previous,
      commits: z.array(NotificationCommit).min(1).describe('Oldest first; the last one is the new head'),
      commits_unavailable_reason: z.null(),
    }),
    z.strictObject({
      ...head,
      previous_snapshot_id: z.null(),
      commits: z.null(),
      commits_unavailable_reason: CommitsUnavailableReason.extract(['first_observation']),
    }),
    z.strictObject({
      ...head,
      previous_snapshot_id: previous,
      commits: z.null(),
      commits_unavailable_reason: CommitsUnlistedReason,
    }),
  ])
  .meta({ id: 'NewCommitDetails' })
export type NewCommitDetails = z.infer<typeof NewCommitDetails>

/** The notification of one head move. */
export const NewCommit = z
  .strictObject({ event: z.literal('NewCommit'), details: NewCommitDetails })
  .meta({
    id: 'NewCommit',
    title: 'Floe notification',
    examples: [
      {
        event: 'NewCommit',
        details: {
          org: 'acme',
          repo_name: 'weather',
          repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
          branch: 'main',
          sequence: 2,
          snapshot_id: 'P874YS3J196959RDHX7G',
          commit_message: 'Add the 12 UTC run',
          author: 'Ada Lovelace <ada@example.org>',
          committed_at: '2026-11-21T12:00:00.123Z',
          previous_snapshot_id: '1CECHNKREP0F1RSTCMT0',
          commits: [
            {
              snapshot_id: 'P874YS3J196959RDHX7G',
              commit_message: 'Add the 12 UTC run',
              author: 'Ada Lovelace <ada@example.org>',
              committed_at: '2026-11-21T12:00:00.123Z',
            },
          ],
          commits_unavailable_reason: null,
        },
      },
    ],
  })
export type NewCommit = z.infer<typeof NewCommit>
