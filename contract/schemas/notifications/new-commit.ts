// The notification of a head move. Like the others, it has a form for receivers (`NewCommit`) and one for the service
// (`SentNewCommit`); see notification-forms.ts.
import { z } from 'zod'
import { maxChangedPaths, maxNotifiedLength } from '../../limits.ts'
import { OrgName, RepoName, SnapshotId } from '../names.ts'
import { Count, cutText, Instant } from '../values.ts'

/** What the notification says about a commit besides its id. */
const commitFacts = {
  commit_message: cutText(maxNotifiedLength.message, 'Message of the commit'),
  written_at: Instant.describe(
    "When the commit was written, by the writer's clock: ISO 8601, UTC, milliseconds. After a reset of the branch it " +
      'can go back, so order notifications by the header `webhook-sequence`',
  ),
  author_id: cutText(
    maxNotifiedLength.author,
    'Author of the commit: the first non-blank text among its metadata items `author_id`, `author_email`, ' +
      '`author_name` and `author`; `unknown` when there is none',
  ).meta({ examples: ['ada@example.org', 'unknown'] }),
}

const commitFields = { snapshot_id: SnapshotId.describe('Snapshot id of the commit'), ...commitFacts }

export const NotificationCommit = z
  .looseObject(commitFields)
  .meta({ id: 'NotificationCommit', description: 'One commit between the previous head and the new one' })
export type NotificationCommit = z.infer<z.ZodObject<typeof commitFields>>

/** Why a notification lists no commits, and what a receiver should do. */
export const CommitsUnavailableReason = z
  .enum(['first_observation', 'history_rewritten', 'too_many_commits', 'repo_format_v1'])
  .describe(
    '`first_observation`: the service has seen no earlier head of this branch; read the state at `snapshot_id`. ' +
      '`history_rewritten`: the previous head is not an ancestor of the new one, usually after a reset, so commits ' +
      'from earlier notifications may be gone; clear the cache of the branch and read it again from `snapshot_id`. ' +
      '`too_many_commits`: more commits than one notification carries; walk the history back from `snapshot_id`. ' +
      '`repo_format_v1`: the repository uses version 1 of the Icechunk format, where each listed commit costs a ' +
      'request; migrate it to version 2 to receive the list.',
  )
  .meta({ id: 'CommitsUnavailableReason' })
export type CommitsUnavailableReason = z.infer<typeof CommitsUnavailableReason>

/** The repository of an event. */
export const repositoryFields = {
  org_name: OrgName.describe('Organisation that owns the repository'),
  repo_name: RepoName,
  repo_id: z
    .uuid()
    .describe('Id of the repository in the service. It stays the same when the location changes')
    .meta({ examples: ['0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11'] }),
}

/** The same in examples. */
export const exampleRepository = {
  org_name: 'acme',
  repo_name: 'weather',
  repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
}

/** The head move of an event. */
export const moveFields = {
  ...repositoryFields,
  branch: z
    .string()
    .min(1)
    .describe('Branch whose head moved')
    .meta({ examples: ['main'] }),
  snapshot_id: SnapshotId.describe('The new head of the branch'),
  parent_snapshot_id: SnapshotId.nullable().describe(
    "Parent commit of the new head; null when the head is the repository's first commit",
  ),
}

function detailsFields<Commit extends z.ZodType>(commit: Commit) {
  return {
    ...moveFields,
    previous_snapshot_id: SnapshotId.nullable().describe(
      'The head that the service saw before this one; null in the first notification of the branch',
    ),
    ...commitFacts,
    commits: z
      .array(commit)
      .min(1)
      .nullable()
      .describe(
        'Every commit after `previous_snapshot_id` up to and including the head, oldest first; null when they ' +
          'cannot be listed',
      ),
    commits_unavailable_reason: CommitsUnavailableReason.nullable().describe(
      'Why `commits` is null; null when the commits are listed. The reason says what to do',
    ),
  }
}

/** The allowed combinations of the three fields that depend on each other. */
type Situation =
  | { previous_snapshot_id: string; commits: NotificationCommit[]; commits_unavailable_reason: null }
  | { previous_snapshot_id: null; commits: null; commits_unavailable_reason: 'first_observation' }
  | {
      previous_snapshot_id: string
      commits: null
      commits_unavailable_reason: Exclude<CommitsUnavailableReason, 'first_observation'>
    }

/**
 * The same combinations as JSON Schema. It names only these fields, so that an error in another field is not reported
 * here.
 */
const situationSchemas = [
  {
    title: 'Commits are listed',
    properties: {
      previous_snapshot_id: { type: 'string' },
      commits: { type: 'array' },
      commits_unavailable_reason: { type: 'null' },
    },
  },
  {
    title: 'First observation',
    properties: {
      previous_snapshot_id: { type: 'null' },
      commits: { type: 'null' },
      commits_unavailable_reason: { const: 'first_observation' },
    },
  },
  {
    title: 'Commits cannot be listed',
    properties: {
      previous_snapshot_id: { type: 'string' },
      commits: { type: 'null' },
      commits_unavailable_reason: { enum: CommitsUnavailableReason.exclude(['first_observation']).options },
    },
  },
]

type SituationFields = { readonly [Field in keyof Situation]: unknown }

/** Reports the field that does not fit the reason. */
function checkSituation(details: SituationFields, context: z.RefinementCtx): void {
  const { previous_snapshot_id: previous, commits, commits_unavailable_reason: reason } = details
  const report = (field: keyof Situation, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (reason === null && commits === null)
    report('commits_unavailable_reason', 'must give a reason when commits is null')
  if (reason !== null && commits !== null) report('commits', 'must be null when commits_unavailable_reason is given')
  const isFirst = reason === 'first_observation'
  if (isFirst && previous !== null) report('previous_snapshot_id', 'must be null for a first observation')
  if (!isFirst && previous === null) report('previous_snapshot_id', 'must be a snapshot id')
}

const NodePath = z.string().describe('Path without a leading slash; the root is `""`')
const ChangedList = z.array(NodePath).max(maxChangedPaths)
const MovedNode = { from: NodePath, to: NodePath }
const countOf = (list: string) => Count.describe(`Number of ${list} nodes`)
const changedCounts = {
  created: countOf('created'),
  deleted: countOf('deleted'),
  updated: countOf('updated'),
  moved: countOf('moved'),
}

function changedFields<Moved extends z.ZodType, Counts extends z.ZodType>(moved: Moved, counts: Counts) {
  return {
    created: ChangedList.describe('Nodes that were created'),
    deleted: ChangedList.describe('Nodes that were deleted'),
    updated: ChangedList.describe(
      'Nodes whose `zarr.json` was written, nodes that were deleted and created again, and arrays with chunks that ' +
        'were written or deleted',
    ),
    moved: z
      .array(moved)
      .max(maxChangedPaths)
      .describe('Each move of each commit, oldest first; a group moves with everything below it'),
    counts: counts.describe('Number of entries of each list before it was cut'),
  }
}

export const ChangedPaths = z
  .looseObject(changedFields(z.looseObject(MovedNode), z.looseObject(changedCounts)))
  .meta({
    id: 'ChangedPaths',
    description:
      `The groups and arrays that changed since \`previous_snapshot_id\`, at most ${maxChangedPaths} of each kind, ` +
      'sorted by path or, if they were moved, by time. Lists can be shorter, so that the notification stays small',
  })
export type ChangedPaths = z.infer<
  z.ZodObject<ReturnType<typeof changedFields<z.ZodObject<typeof MovedNode>, z.ZodObject<typeof changedCounts>>>>
>

export const SentChangedPaths = z.strictObject(changedFields(z.strictObject(MovedNode), z.strictObject(changedCounts)))

const changes = ChangedPaths.nullable()
  .optional()
  .describe('What changed; null when it is unknown. Absent unless the webhook sets `include_changes`')

export const NewCommitDetails = z
  .looseObject({ ...detailsFields(NotificationCommit), changes })
  .superRefine(checkSituation)
  .meta({
    id: 'NewCommitDetails',
    description: 'The facts of one head move: the head of a branch is another commit than before',
    oneOf: situationSchemas,
  })
export type NewCommitDetails = Omit<
  z.infer<z.ZodObject<ReturnType<typeof detailsFields<z.ZodType>>>>,
  keyof Situation
> &
  Situation & { changes?: ChangedPaths | null | undefined }

const exampleHead = 'P874YS3J196959RDHX7G'
const exampleFacts = {
  commit_message: 'Add the 12 UTC run',
  written_at: '2026-11-21T12:00:00.123Z',
  author_id: 'ada@example.org',
}

export const newCommitExample: NewCommit = {
  event: 'NewCommit',
  details: {
    ...exampleRepository,
    branch: 'main',
    snapshot_id: exampleHead,
    parent_snapshot_id: '1CECHNKREP0F1RSTCMT0',
    previous_snapshot_id: '1CECHNKREP0F1RSTCMT0',
    ...exampleFacts,
    commits: [{ snapshot_id: exampleHead, ...exampleFacts }],
    commits_unavailable_reason: null,
  },
}

const Event = z.literal('NewCommit').describe('What happened: `NewCommit` when the head of a branch moved')

/** {@link NewCommit} with the type that a union needs. */
export const openNewCommit = z
  .looseObject({ event: Event, details: NewCommitDetails })
  .meta({
    id: 'NewCommit',
    description: 'The notification of one head move. Accept fields that you do not know: later versions may add some',
    examples: [newCommitExample],
  })

/** The notification of one head move, as receivers accept it: fields that they do not know are kept. */
// The inferred type has unknown fields and allows combinations that `checkSituation` rejects; the type below does not.
export const NewCommit = openNewCommit as z.ZodType as z.ZodType<NewCommit>
export type NewCommit = { event: 'NewCommit'; details: NewCommitDetails }

/**
 * The notification as the service records it: the fields of the contract, in its order, and no others. `changes` is
 * added when it is sent.
 */
export const SentNewCommit = z.strictObject({
  event: Event,
  details: z.strictObject(detailsFields(z.strictObject(commitFields))).superRefine(checkSituation),
})
