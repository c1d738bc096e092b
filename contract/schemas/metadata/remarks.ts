// Remarks: what administrators say of snapshots.
import { z } from 'zod'
import { maxRemarkedSnapshots, remarkLimits } from '../../limits.ts'
import { remarkKinds } from '../../lists.ts'
import { GroupPath, noControls, RefName, RepoName, SnapshotId } from '../names.ts'
import { Instant, isSafeLink, isWellFormed, lineOf, listOf, safeLinkRule } from '../values.ts'

export const RemarkId = z
  .uuid('must be a UUID')
  .describe('Id of the remark')
  .meta({ examples: ['7d0c1b52-19a4-4c1e-8f5b-2a6f0f4d3e11'] })

const Kind = z
  .enum(remarkKinds)
  .describe('`note`: something to know. `retraction`: nobody should use what it is about any more')

const Text = lineOf(remarkLimits.text)
  .describe('What it says, in plain text')
  .meta({ examples: ['Step 12 is NaN; the run was repaired'] })

const Link = lineOf(remarkLimits.link)
  .describe('An https URL')
  .meta({ examples: ['https://doi.org/10.5067/ABC'] })

/** A name that every database can store. */
const storable = (name: z.ZodString) =>
  name.regex(noControls, 'must not contain control characters').refine(...isWellFormed)

const successorMeaning = 'What to use instead: a repository, perhaps with a ref, or a link'

const Successor = z
  .object({
    repo: RepoName.nullable().describe('Name of the repository; null for a link'),
    ref: z.string().nullable().describe('Branch, tag or snapshot of it; null when none is named'),
    link: Link.nullable().describe('An https URL; null for a repository'),
  })
  .meta({ id: 'Successor', description: successorMeaning, examples: [{ repo: 'weather-v2', ref: null, link: null }] })

const PostedSuccessor = z
  .strictObject({
    repo: storable(RepoName).optional(),
    ref: storable(RefName).optional().describe('Branch, tag or snapshot of the repository'),
    link: Link.refine(isSafeLink, safeLinkRule).optional(),
  })
  .refine(({ repo, link }) => (repo === undefined) !== (link === undefined), 'must have either `repo` or `link`')
  .refine(({ ref, link }) => ref === undefined || link === undefined, 'must have `ref` only with `repo`')
  .describe(successorMeaning)

const since = 'When the note is first shown'
const until = 'When the note is no longer shown'

/** What a remark is about. In answers and events, what is not named is null. */
const targetFacts = {
  snapshot: SnapshotId.nullable().describe('The snapshot that it is about'),
  from: SnapshotId.nullable().describe('The first of a range of snapshots'),
  to: SnapshotId.nullable().describe('The last of a range of snapshots'),
  ref: z.string().nullable().describe('The branch or tag that it is about, as long as readers use this name'),
  path: z.string().nullable().describe('The group that it is about, with all that is in it, or the array'),
}

/** What a remark is about and says, in answers and events. */
export const remarkFacts = {
  ...targetFacts,
  text: Text,
  since: Instant.nullable().describe(`${since}; null for always`),
  until: Instant.nullable().describe(`${until}; null for never`),
  superseded_by: Successor.nullable().describe(`${successorMeaning}; null when there is nothing`),
}

const example = {
  kind: 'retraction' as const,
  snapshot: 'P874YS3J196959RDHX7G',
  text: 'Step 12 is NaN; the run was repaired',
  superseded_by: { repo: 'weather', ref: 'main' },
}

/** The facts of the example. */
export const exampleFacts = {
  snapshot: example.snapshot,
  from: null,
  to: null,
  ref: null,
  path: null,
  text: example.text,
  since: null,
  until: null,
  superseded_by: { ...example.superseded_by, link: null },
}

const changed = {
  text: Text.refine(...isWellFormed).optional(),
  since: Instant.nullable().optional().describe(`${since}. Only of a note; null for always`),
  until: Instant.nullable().optional().describe(`${until}. Only of a note; null for never`),
  superseded_by: PostedSuccessor.nullable().optional(),
}

export const RemarkCreation = z
  .strictObject({
    kind: Kind,
    snapshot: SnapshotId.optional().describe('The snapshot that it is about'),
    from: SnapshotId.optional().describe(
      `The first of a range of at most ${maxRemarkedSnapshots.toLocaleString('en')} snapshots, an ancestor of \`to\``,
    ),
    to: SnapshotId.optional().describe('The last of the range'),
    ref: storable(RefName).optional().describe('The branch or tag that it is about, as long as readers use this name'),
    path: storable(GroupPath)
      .optional()
      .describe('The group that it is about, with all that is in it, or the array; default: all of them'),
    ...changed,
    text: Text.refine(...isWellFormed),
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), 'must have both `from` and `to`, or neither')
  .refine(
    ({ snapshot, from, ref }) => [snapshot, from, ref].filter((named) => named !== undefined).length <= 1,
    'must name one snapshot, one range or one ref',
  )
  .meta({
    id: 'RemarkCreation',
    description: 'A remark to post. It is about the whole repository if it names no snapshot, range, ref or path',
    examples: [example],
  })
export type RemarkCreation = z.infer<typeof RemarkCreation>

export const RemarkChange = z
  .strictObject(changed)
  .meta({ id: 'RemarkChange', description: 'What the remark says from now on', examples: [{ text: example.text }] })
export type RemarkChange = z.infer<typeof RemarkChange>

export const Remark = z
  .object({
    id: RemarkId,
    kind: Kind,
    ...remarkFacts,
    created_at: Instant.describe('When it was posted'),
    updated_at: Instant.describe('When it was last changed'),
  })
  .meta({
    id: 'Remark',
    description: 'What an administrator says of snapshots. It is about whatever matches all that it names',
    examples: [
      {
        id: '7d0c1b52-19a4-4c1e-8f5b-2a6f0f4d3e11',
        kind: example.kind,
        ...exampleFacts,
        created_at: '2026-11-21T12:04:00.123Z',
        updated_at: '2026-11-21T12:04:00.123Z',
      },
    ],
  })
export type Remark = z.infer<typeof Remark>

export const RemarkList = listOf(Remark, { id: 'RemarkList', description: 'Remarks of a repository' })
export type RemarkList = z.infer<typeof RemarkList>

export const FoundRemarks = listOf(
  Remark,
  { id: 'FoundRemarks', description: 'What administrators say of a dataset' },
  'Retractions before notes, newest first',
)
