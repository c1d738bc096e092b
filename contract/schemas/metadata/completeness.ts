import { z } from 'zod'
import { SnapshotId } from '../names.ts'
import { Count } from '../values.ts'

export const WrittenChunks = z
  .object({
    written: Count.describe('Chunks that are written, also those that are inline or virtual'),
    total: Count.describe('Chunks that the array has room for'),
  })
  .meta({
    id: 'WrittenChunks',
    description: 'How many chunks of an array are written. With sharding, shards are counted instead of chunks',
    examples: [{ written: 46, total: 48 }],
  })
export type WrittenChunks = z.infer<typeof WrittenChunks>

const ChunkBytes = z.object({
  chunks: Count.describe('Number of references to chunks'),
  bytes: Count.describe('Bytes that these chunks have, as stored'),
})

export const StoredBytes = z
  .object({
    native: ChunkBytes.describe('Chunks that are objects of the repository'),
    inline: ChunkBytes.describe('Chunks inside of manifests'),
    virtual: ChunkBytes.describe('Chunks that are parts of other files, outside of the repository'),
  })
  .meta({
    id: 'StoredBytes',
    description: 'Bytes of chunks by where they are stored. Chunks that only earlier snapshots have do not count',
    examples: [
      {
        native: { chunks: 40, bytes: 5_242_880 },
        inline: { chunks: 6, bytes: 1_536 },
        virtual: { chunks: 0, bytes: 0 },
      },
    ],
  })
export type StoredBytes = z.infer<typeof StoredBytes>

export const UncountedReason = z
  .enum(['shared_manifest', 'outside_grid', 'unknown_grid', 'too_large', 'too_many_manifests', 'contradictory'])
  .describe(
    'Why it is unknown how many chunks are written. `shared_manifest`: several arrays have one manifest. ' +
      '`outside_grid`: there may be references to chunks outside of the grid, which Icechunk before 1.0 leaves ' +
      'behind when an array shrinks. `unknown_grid`: the chunk grid is neither regular nor rectilinear, or ' +
      '`zarr.json` cannot be read. `too_large`: the array has room for more than 2^53 - 1 chunks. ' +
      '`too_many_manifests`: the snapshot has more than 1,000,000. `contradictory`: the snapshot contradicts itself.',
  )
  .meta({ id: 'UncountedReason' })
export type UncountedReason = z.infer<typeof UncountedReason>

const ArrayCompleteness = z
  .object({
    path: z.string().describe('Path of the array without a leading slash; the root is `""`'),
    chunks: WrittenChunks.nullable().describe('Null when it is unknown'),
    reason: UncountedReason.nullable().describe('Why `chunks` is null; otherwise null'),
    bytes: StoredBytes.nullable()
      .optional()
      .describe('Only with `bytes=true`. Null when a manifest of the array cannot be read'),
  })
  .meta({ id: 'ArrayCompleteness', description: 'How complete an array is' })

export const Completeness = z
  .object({
    snapshot_id: SnapshotId,
    arrays: z
      .array(ArrayCompleteness)
      .describe(
        'Arrays with chunks that are not written first, then unknown ones, then complete ones; each sorted by UTF-8 ' +
          'bytes of the path',
      ),
    counts: z
      .object({
        incomplete: Count.describe('Arrays with chunks that are not written'),
        unknown: Count.describe('Arrays whose written chunks are unknown'),
        complete: Count.describe('Arrays whose chunks are all written, and those without any'),
      })
      .describe('Number of arrays before the list was cut'),
    bytes: StoredBytes.nullable()
      .optional()
      .describe('Only with `bytes=true`: the sum of all arrays, also those that were cut. Null if one is unknown'),
    truncated: z.boolean().describe('Whether the list was cut to keep the answer small'),
  })
  .meta({
    id: 'Completeness',
    description: 'How many chunks of the arrays of a snapshot are written',
    examples: [
      {
        snapshot_id: 'VHQMPVTZR0SCMXSGH9SG',
        arrays: [
          { path: 'forecast/temperature', chunks: { written: 46, total: 48 }, reason: null },
          { path: 'forecast/time', chunks: { written: 1, total: 1 }, reason: null },
        ],
        counts: { incomplete: 1, unknown: 0, complete: 1 },
        truncated: false,
      },
    ],
  })
export type Completeness = z.infer<typeof Completeness>
