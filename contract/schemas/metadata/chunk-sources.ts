// The files that virtual chunks are in.
import { z } from 'zod'
import { maxFileRanges } from '../../limits.ts'
import { SnapshotId } from '../names.ts'
import { UnknownGapsReason } from './gaps.ts'
import { Count } from '../values.ts'

const Position = z.array(z.int().min(0)).describe('One number for each dimension')

const SourceFile = z
  .object({
    file: z
      .string()
      .describe(
        'Address of the file. One that is stored relative to a container is completed, if the repository declares ' +
          'the container. User information, query and fragment are left out, because they could be credentials; an ' +
          'address that is no URL and could contain some is `(not shown)`',
      ),
    chunks: Count.describe('Chunks that are parts of the file'),
    bytes: Count.describe('Bytes of these chunks'),
    arrays: Count.describe('Arrays that have such chunks'),
  })
  .meta({ id: 'SourceFile', description: 'A file that has virtual chunks' })

const UnreadArray = z
  .object({ path: z.string().describe('Path of the array without a leading slash'), reason: UnknownGapsReason })
  .meta({ id: 'UnreadArray', description: 'An array with a manifest that was not read' })

const ServedArray = z
  .object({
    path: z.string().describe('Path of the array without a leading slash'),
    chunks: Count.describe('Chunks of the array that are parts of the file'),
    bytes: Count.describe('Bytes of these chunks'),
    ranges: z
      .array(z.object({ first: Position, last: Position }))
      .max(maxFileRanges)
      .describe('Positions of these chunks: from the first to the last along each dimension, inclusive'),
  })
  .meta({ id: 'ServedArray', description: 'The chunks of an array that are parts of one file' })

export const ChunkSources = z
  .object({
    snapshot_id: SnapshotId,
    files: z.array(SourceFile).describe('Sorted by UTF-8 bytes of the address'),
    arrays: z.array(ServedArray).nullable().describe('Null without `file`. Sorted by UTF-8 bytes of the path'),
    unknown: z
      .array(UnreadArray)
      .describe('Arrays with a manifest that was not read. Their chunks in it are not counted'),
    next: z.string().nullable().describe('Send it as `after` for the next page; null on the last page'),
    truncated: z.boolean().describe('Whether `arrays`, `unknown` or ranges were cut'),
  })
  .meta({
    id: 'ChunkSources',
    description: 'The files that the virtual chunks of a snapshot are in',
    examples: [
      {
        snapshot_id: 'VHQMPVTZR0SCMXSGH9SG',
        files: [{ file: 's3://open-data/runs/007.nc', chunks: 10, bytes: 40_960, arrays: 1 }],
        arrays: [
          { path: 'forecast/temperature', chunks: 10, bytes: 40_960, ranges: [{ first: [7, 1], last: [7, 10] }] },
        ],
        unknown: [],
        next: null,
        truncated: false,
      },
    ],
  })
export type ChunkSources = z.infer<typeof ChunkSources>
