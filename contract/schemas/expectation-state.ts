// The members that expectations, their events and summaries of repositories share: what is expected, and what is known.
import { z } from 'zod'
import { maxListedArrays } from '../limits.ts'
import { WrittenChunks } from './metadata/completeness.ts'
import { SnapshotId } from './names.ts'
import { Instant } from './values.ts'

export const WrittenShare = z
  .number()
  .gt(0, 'must be greater than 0')
  .max(1, 'must be at most 1')
  .describe('Share of the chunks that must be written, greater than 0 and at most 1: of each array')
  .meta({ examples: [0.99] })

// In answers, the texts need no check.
const branch = z
  .string()
  .describe('The branch that must meet it')
  .meta({ examples: ['main'] })
const path = z
  .string()
  .nullable()
  .describe(
    'With `max_age`, only commits that changed a group or an array with such a path count; with `written`, only ' +
      'arrays with such a path. Null if all count',
  )
  .meta({ examples: ['forecast/**'] })
const maxAge = z
  .string()
  .describe('How old the last commit may become')
  .meta({ examples: ['6h'] })
const lastCommitAt = Instant.nullable().describe(
  'When the last commit that counts was written, or seen if its writer states a later time; null when none is known',
)
const written = z
  .number()
  .describe('Share of the chunks that must be written, of each array')
  .meta({ examples: [0.99] })
const snapshotId = SnapshotId.describe('The head of the branch that was judged')

const IncompleteArray = z
  .object({ path: z.string().describe('Path of the array without a leading slash'), chunks: WrittenChunks })
  .meta({ id: 'IncompleteArray', description: 'An array with fewer chunks written than expected' })
export type IncompleteArray = z.infer<typeof IncompleteArray>

const arrays = {
  arrays: z
    .array(IncompleteArray)
    .describe(
      `The first ${maxListedArrays} arrays with fewer chunks written, fewer if their paths are long. Empty while ` +
        'there are none',
    ),
  incomplete_arrays: z.int().min(0).describe('Number of all these arrays'),
}

/** What an event about the age of a commit says of the expectation. */
export const freshnessFields = { branch, path, max_age: maxAge, last_commit_at: lastCommitAt }

/** What an event about written chunks says of the expectation. */
export const completenessFields = { branch, path, written, snapshot_id: snapshotId, ...arrays }

/** An expectation with its state. */
export const expectationStateFields = {
  branch,
  path,
  max_age: maxAge.nullable().describe('How old the last commit may become; null if `written` is expected'),
  written: written.nullable().describe('Share of the chunks that must be written, of each array; null otherwise'),
  last_commit_at: lastCommitAt,
  due_at: Instant.nullable().describe(
    'When the branch becomes stale unless there is another commit, or when it did; null before the first check, and ' +
      'without `max_age`',
  ),
  stale_since: Instant.nullable().describe('Since when it is stale, as far as was told; null while it is fresh'),
  snapshot_id: snapshotId
    .nullable()
    .describe('The head that was judged last; null before the first, while Floe tries again, and without `written`'),
  incomplete_since: Instant.nullable().describe(
    'When an array with fewer chunks written was found; null while there is none',
  ),
  ...arrays,
  unknown_reason: z
    .string()
    .nullable()
    .describe('Why the last head could not be judged: the rest is about an earlier one. Null if it could'),
}

/** What answers say of an expectation with `max_age` about written chunks. */
const withoutWritten = {
  written: null,
  snapshot_id: null,
  incomplete_since: null,
  arrays: [],
  incomplete_arrays: 0,
  unknown_reason: null,
}

/** A branch that is fresh, for examples. */
export const expectationStateExample = {
  branch: 'main',
  path: 'forecast/**',
  max_age: '6h',
  last_commit_at: '2026-11-21T12:00:00.123Z',
  due_at: '2026-11-21T18:00:00.123Z',
  stale_since: null,
  ...withoutWritten,
}
