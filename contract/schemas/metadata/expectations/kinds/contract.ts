import { z } from 'zod'
import { maxListedBreaks } from '../../../../limits.ts'
import { SnapshotId } from '../../../names.ts'
import { DatasetChange, exampleTypeChange } from '../../compatibility.ts'
import type { ExpectationKind } from '../expectation-kind.ts'
import { Count } from '../../../values.ts'

const BrokenPromise = z
  .object({
    group: z.string().describe('Path of the dataset without a leading slash; the root is `""`'),
    ...DatasetChange.shape,
  })
  .meta({
    id: 'BrokenPromise',
    description: 'What breaks a contract: `before` is what the contract says, `after` what readers see',
  })
export type BrokenPromise = z.infer<typeof BrokenPromise>

/** What readers of the datasets of a branch rely on. */
export const datasetContract = {
  title: 'Contract',
  meaning: 'The branch keeps the contract of its datasets, the document that says what readers rely on',
  required: {},
  optional: {},
  facts: {
    breaks: z
      .array(z.string())
      .describe(`What breaks it, in words: the first ${maxListedBreaks.words} breaking changes. Empty while it is kept`)
      .meta({ examples: [['forecast: temperature is float64, must be float32']] }),
    breaking_changes: Count.describe('Number of all breaking changes'),
    changes: z
      .array(BrokenPromise)
      .describe(
        `What breaks it, as data: at most the first ${maxListedBreaks.event} breaking changes, fewer if they are ` +
          'long. Empty while it is kept',
      ),
    last_good_snapshot_id: SnapshotId.nullable().describe(
      'The last head that kept it, with which a broken one can be compared; null before the first',
    ),
  },
  hasDocument: true,
  example: {
    settings: {},
    met: { breaks: [], breaking_changes: 0, changes: [], last_good_snapshot_id: 'VHQMPVTZR0SCMXSGH9SG' },
    unmet: {
      breaks: ['forecast: temperature is float64, must be float32'],
      breaking_changes: 1,
      changes: [{ group: 'forecast', ...exampleTypeChange }],
      last_good_snapshot_id: 'P874YS3J196959RDHX7G',
    },
    summary: 'breaks its contract tile server: forecast: temperature is float64, must be float32',
  },
} as const satisfies ExpectationKind
