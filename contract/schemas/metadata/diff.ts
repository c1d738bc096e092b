import { z } from 'zod'
import { maxGapRanges } from '../../limits.ts'
import { SnapshotId } from '../names.ts'
import { Count, JsonObject } from '../values.ts'
import { StoredBytes, WrittenChunks } from './completeness.ts'
import { PositionRange } from './gaps.ts'

const Path = z.string().describe('Path without a leading slash; the root is `""`')
const Paths = z.array(Path).describe('Sorted by UTF-8 bytes')

/**
 * A value before and after. A list of two, because code generators for other languages do not know the tuples of JSON
 * Schema.
 */
const Values = z
  .array(z.unknown())
  .length(2)
  .describe('The value before and after; null where there is none') as z.ZodType as z.ZodType<[unknown, unknown]>

const ChangedAttributes = z
  .object({
    created: JsonObject.describe('Attributes that only the later snapshot has, with their values'),
    deleted: JsonObject.describe('Attributes that only the earlier snapshot has, with their values'),
    updated: z.record(z.string(), Values).describe('Attributes that both have with different values'),
  })
  .describe('Differences of the stored attributes; absent when there are none')
  .meta({ id: 'ChangedAttributes' })

const UpdatedNode = z
  .object({
    path: Path,
    replaced: z
      .literal(true)
      .optional()
      .describe(
        'Present if the path now belongs to another group or array, usually because it was deleted and created ' +
          'again, as `to_zarr(mode="w")` does. The two are compared',
      ),
    attributes: ChangedAttributes.optional(),
    shape: Values.optional(),
    data_type: Values.optional(),
    dimension_names: Values.optional(),
    chunk_shape: Values.optional().describe(
      'Elements of one chunk in each dimension; with sharding, of one inner chunk. Null if sizes differ',
    ),
    shard_shape: Values.optional().describe(
      'Elements of one shard in each dimension; null without sharding, or if sizes differ',
    ),
    codecs: Values.optional().describe('As stored, also those that zarr-python does not have'),
    fill_value: Values.optional(),
    other: z
      .record(z.string(), Values)
      .optional()
      .describe('Other fields of `zarr.json`, such as a `chunk_grid` with chunks of different sizes'),
    unreadable: z.string().optional().describe('Why the documents cannot be compared'),
  })
  .describe(
    'A node whose `zarr.json` was written, or that replaced another one, with the fields that differ. None differ ' +
      'when the same content was written again, or when only one of the snapshots has the node.',
  )
  .meta({ id: 'UpdatedNode' })

const ChangedNodes = z
  .object({
    created: Paths,
    deleted: Paths,
    updated: z.array(UpdatedNode).describe('Sorted by UTF-8 bytes of the path'),
  })
  .meta({ id: 'ChangedNodes', description: 'The groups, or the arrays, that were created, deleted or updated' })

const NodeCounts = z
  .object({
    created: Count.describe('Length of `created`'),
    deleted: Count.describe('Length of `deleted`'),
    updated: Count.describe('Length of `updated`'),
  })
  .meta({ id: 'ChangedNodeCounts', description: 'How many groups, or arrays, were created, deleted and updated' })

const ChangedBytes = z
  .object({
    before: StoredBytes.nullable().describe(
      'In the earlier snapshot; null if a manifest cannot be read, or the array did not exist',
    ),
    after: StoredBytes.nullable().describe(
      'In the later snapshot; null if a manifest cannot be read, or the array no longer exists',
    ),
  })
  .meta({ id: 'ChangedBytes', description: 'Stored bytes of chunks before and after' })
export type ChangedBytes = z.infer<typeof ChangedBytes>

const ChunksUnavailableReason = z.enum(['not_an_ancestor', 'transaction_log_missing'])

export const Diff = z
  .object({
    from_snapshot_id: SnapshotId,
    to_snapshot_id: SnapshotId,
    groups: ChangedNodes,
    arrays: ChangedNodes,
    moved: z
      .array(z.object({ from: Path, to: Path }))
      .describe('Moves in the order in which they were committed. Moving a group moves everything below it.'),
    chunks: z
      .array(
        z.object({
          path: Path,
          count: Count.describe('Number of chunks'),
          before: WrittenChunks.nullable().describe(
            'How many chunks were written in the earlier snapshot; null if it is unknown, or the array did not exist',
          ),
          after: WrittenChunks.nullable().describe(
            'How many chunks are written in the later snapshot; null if it is unknown, or the array no longer exists',
          ),
          bytes: ChangedBytes.optional().describe('Only with `manifests=true`'),
          along: z
            .string()
            .nullable()
            .optional()
            .describe(
              'Only with `manifests=true`: the dimension of `filled`, chosen as `/gaps` does in the later snapshot. ' +
                'Null without one',
            ),
          filled: z
            .array(PositionRange)
            .max(maxGapRanges)
            .nullable()
            .optional()
            .describe(
              'Only with `manifests=true`: gaps that were filled, as ranges of positions along the dimension that ' +
                'lacked chunks in the earlier snapshot and lack none in the later one. What was not yet written ' +
                'was no gap. Null if it is unknown, or only one snapshot has the array',
            ),
        }),
      )
      .nullable()
      .describe(
        'Number of chunks written or deleted in each array, sorted by UTF-8 bytes of the path; of a replaced array, ' +
          'those of the new one',
      ),
    bytes: ChangedBytes.optional().describe(
      'Only with `manifests=true`: the sums of the arrays in `chunks`, also those that were cut, where an array that ' +
        'does not exist has none. Null if one is unknown',
    ),
    chunks_unavailable_reason: ChunksUnavailableReason.nullable().describe(
      'Why `chunks` is null; otherwise null. `not_an_ancestor`: `from` is not an ancestor of `to`. ' +
        '`transaction_log_missing`: the transaction log of a commit in between is gone. In both cases, the nodes of ' +
        'the two snapshots were compared.',
    ),
    counts: z
      .object({
        groups: NodeCounts,
        arrays: NodeCounts,
        moved: Count.describe('Length of `moved`'),
        chunks: Count.nullable().describe('Number of arrays with changed chunks'),
      })
      .describe('Number of entries of each list before it was cut'),
    truncated: z.boolean().describe('Whether the lists were cut to keep the answer small, starting with the last list'),
  })
  .meta({
    id: 'Diff',
    description: 'What changed from one snapshot to another',
    examples: [
      {
        from_snapshot_id: '1CECHNKREP0F1RSTCMT0',
        to_snapshot_id: 'VHQMPVTZR0SCMXSGH9SG',
        groups: { created: ['wind'], deleted: [], updated: [] },
        arrays: {
          created: ['wind/speed'],
          deleted: [],
          updated: [
            {
              path: 'temperature',
              attributes: { created: {}, deleted: {}, updated: { units: ['degC', 'K'] } },
              shape: [
                [24, 2],
                [48, 2],
              ],
            },
          ],
        },
        moved: [],
        chunks: [{ path: 'temperature', count: 2, before: { written: 2, total: 2 }, after: { written: 4, total: 4 } }],
        chunks_unavailable_reason: null,
        counts: {
          groups: { created: 1, deleted: 0, updated: 0 },
          arrays: { created: 1, deleted: 0, updated: 1 },
          moved: 0,
          chunks: 1,
        },
        truncated: false,
      },
    ],
  })
export type Diff = z.infer<typeof Diff>
