import { z } from 'zod'
import { Instant, listOf } from '../values.ts'
import { SnapshotId } from '../names.ts'

const example = {
  name: 'weather',
  repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
  location: 's3://repos/weather',
  format_version: 2,
  head: 'P874YS3J196959RDHX7G',
  last_checked_at: '2026-11-21T12:00:01.000Z',
  error: null,
  search_index: { is_pending: false, error: null },
}

const SearchIndex = z
  .object({
    is_pending: z.boolean().describe('Whether the head is not indexed yet'),
    error: z
      .string()
      .nullable()
      .describe('Why the last attempt to index the head failed, or found no dataset; otherwise null'),
  })
  .nullable()
  .describe('The head in the index of search; null when search is disabled, and before the first head')

export const WatchedRepository = z
  .object({
    name: z.string().describe('Name of the repository'),
    repo_id: z.uuid().describe('Stable id, the same as in notifications'),
    location: z.string().describe('Location of the repository, without credentials'),
    format_version: z.int().nullable().describe('Version of the Icechunk format; null until it has been read'),
    head: SnapshotId.nullable().describe('The last head of `main` that was seen; null before the first'),
    last_checked_at: Instant.nullable().describe('Time of the last check of the head; null before the first'),
    error: z.string().nullable().describe('Why the last check failed; null when it succeeded'),
    search_index: SearchIndex,
  })
  .meta({ id: 'WatchedRepository', description: 'A repository as its administrators see it', examples: [example] })
export type WatchedRepository = z.infer<typeof WatchedRepository>

export const WatchedRepositoryList = listOf(
  WatchedRepository,
  { id: 'WatchedRepositoryList', description: 'The repositories of an organisation that the key covers' },
  'Sorted by UTF-8 bytes of their names',
)

export const HeadCheck = z
  .object({
    snapshot_id: SnapshotId.describe('The head of `main`'),
    previous_snapshot_id: SnapshotId.nullable().describe('The head seen before this check; null when there was none'),
    event_id: z
      .uuid()
      .nullable()
      .describe(
        'The event that this check recorded; null if the head had not moved, or was the first one and nothing listens',
      ),
  })
  .meta({
    id: 'HeadCheck',
    description: 'The result of a check of the head of `main`',
    examples: [
      {
        snapshot_id: 'P874YS3J196959RDHX7G',
        previous_snapshot_id: '1CECHNKREP0F1RSTCMT0',
        event_id: '0198c0de-0000-7000-8000-000000000002',
      },
    ],
  })
export type HeadCheck = z.infer<typeof HeadCheck>
