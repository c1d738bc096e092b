// Which positions of chunks are written, along one dimension of each array.
import { z } from 'zod'
import { maxGapRanges, maxProfileBins } from '../../limits.ts'
import { SnapshotId } from '../names.ts'
import { WrittenChunks } from './completeness.ts'
import { Count } from '../values.ts'

const Position = z.int().min(0)

export const UnknownGapsReason = z
  .enum([
    'unknown_grid',
    'too_large',
    'too_many_manifests',
    'contradictory',
    'manifest_missing',
    'manifest_damaged',
    'manifest_too_large',
  ])
  .describe(
    'Why it is unknown which chunks are written. `unknown_grid`: the chunk grid is neither regular nor rectilinear, ' +
      'or `zarr.json` cannot be read. `too_large`: the array has room for too many chunks. `too_many_manifests`: it ' +
      'has too many manifests that must be read. `contradictory`: its manifests contradict the snapshot or each ' +
      'other. `manifest_missing`, `manifest_damaged`, `manifest_too_large`: a manifest cannot be read.',
  )
  .meta({ id: 'UnknownGapsReason' })
export type UnknownGapsReason = z.infer<typeof UnknownGapsReason>

export const ChunkGap = z
  .object({
    first: Position.describe('First position along the dimension'),
    last: Position.describe('Last position, inclusive'),
    written: Count.describe('Chunks that are written at each of these positions'),
    total: Count.describe('Chunks that each of these positions has, without those of patterns'),
  })
  .meta({
    id: 'ChunkGap',
    description: 'Positions along a dimension that lack the same number of chunks',
    examples: [{ first: 7, last: 7, written: 0, total: 10 }],
  })
export type ChunkGap = z.infer<typeof ChunkGap>

export const EmptySlices = z
  .object({
    dimension: z.string().describe('Name of another dimension'),
    first: Position.describe('First empty position'),
    last: Position.describe('Last empty position, inclusive'),
  })
  .meta({
    id: 'EmptySlices',
    description: 'Positions of another dimension that have no written chunk anywhere, as if by design',
    examples: [{ dimension: 'lead_time', first: 0, last: 0 }],
  })
export type EmptySlices = z.infer<typeof EmptySlices>

export const PositionRange = z
  .object({
    first: Position.describe('First position along the dimension'),
    last: Position.describe('Last position, inclusive'),
  })
  .meta({
    id: 'PositionRange',
    description: 'Positions of chunks along a dimension',
    examples: [{ first: 7, last: 7 }],
  })
export type PositionRange = z.infer<typeof PositionRange>

const WrittenProfile = z
  .object({
    bin: z.int().min(1).describe('Number of positions that a bin covers; the last bin can cover fewer'),
    written: z.array(Count).max(maxProfileBins).describe('Written chunks of each bin'),
  })
  .meta({ id: 'WrittenProfile', description: 'How many chunks are written along a dimension' })

const GapDimension = z
  .object({
    name: z.string().describe('As xarray names it: `dim_0`, `dim_1`, ... for dimensions without a name'),
    positions: Count.describe('Number of chunks along the dimension; with sharding, of shards'),
    size: Count.nullable().describe('Number of elements along one chunk; null if sizes differ'),
    profile: WrittenProfile.nullable().describe('Null if the request names `along`'),
  })
  .meta({ id: 'GapDimension', description: 'A dimension of an array, in positions of chunks' })
export type GapDimension = z.infer<typeof GapDimension>

export const ArrayGaps = z
  .object({
    path: z.string().describe('Path of the array without a leading slash'),
    along: z
      .string()
      .nullable()
      .describe(
        'The dimension along which gaps are listed: the one that the request names; else the first that is a time by ' +
          'its coordinate or its name; else the first with more than one position. Null for an array without ' +
          'dimensions or without the named one',
      ),
    chunks: WrittenChunks.nullable().describe('Of the whole array; null when it is unknown'),
    reason: UnknownGapsReason.nullable().describe('Why `chunks` is null; otherwise null'),
    outside: Count.describe(
      'References to chunks outside of the grid, which are not counted. Icechunk before 1.0 leaves them behind when ' +
        'an array shrinks',
    ),
    last_written: Position.nullable().describe(
      'The last position along the dimension that has any chunk. What lies beyond is not yet written, and no gap. ' +
        'Null when no chunk is written, or that is unknown',
    ),
    gaps: z.array(ChunkGap).max(maxGapRanges).describe('Positions up to `last_written` that lack chunks, ascending'),
    patterns: z
      .array(EmptySlices)
      .max(maxGapRanges)
      .describe('What is empty at every position along the dimension, and so is no gap'),
    dimensions: z.array(GapDimension).describe('In the order of the array'),
  })
  .meta({ id: 'ArrayGaps', description: 'Which chunks of an array are not written' })
export type ArrayGaps = z.infer<typeof ArrayGaps>

export const Gaps = z
  .object({
    snapshot_id: SnapshotId,
    arrays: z.array(ArrayGaps).describe('Sorted by UTF-8 bytes of the path'),
    next: z.string().nullable().describe('Send it as `after` for the next page; null on the last page'),
    truncated: z.boolean().describe(`Whether a list of an array was cut after ${maxGapRanges.toLocaleString('en')}`),
  })
  .meta({
    id: 'Gaps',
    description: 'Which chunks of the arrays of a snapshot are not written',
    examples: [
      {
        snapshot_id: 'VHQMPVTZR0SCMXSGH9SG',
        arrays: [
          {
            path: 'forecast/temperature',
            along: 'init_time',
            chunks: { written: 298, total: 440 },
            reason: null,
            outside: 0,
            last_written: 30,
            gaps: [
              { first: 7, last: 7, written: 0, total: 10 },
              { first: 12, last: 12, written: 8, total: 10 },
            ],
            patterns: [{ dimension: 'lead_time', first: 0, last: 0 }],
            dimensions: [
              { name: 'init_time', positions: 40, size: 1, profile: null },
              { name: 'lead_time', positions: 11, size: 6, profile: null },
            ],
          },
        ],
        next: null,
        truncated: false,
      },
    ],
  })
export type Gaps = z.infer<typeof Gaps>
