import { z } from 'zod'
import { maxListedArrays } from '../../../../limits.ts'
import { WrittenChunks } from '../../completeness.ts'
import { type ExpectationKind, pathSetting } from '../expectation-kind.ts'

const IncompleteArray = z
  .object({ path: z.string().describe('Path of the array without a leading slash'), chunks: WrittenChunks })
  .meta({ id: 'IncompleteArray', description: 'An array with fewer chunks written than expected' })
export type IncompleteArray = z.infer<typeof IncompleteArray>

/** Which share of the chunks of each array must be written. */
export const written = {
  title: 'Written chunks',
  meaning: 'Each array of the branch has at least the share `share` of its chunks written',
  required: {
    share: z
      .number()
      .gt(0, 'must be greater than 0')
      .max(1, 'must be at most 1')
      .describe('Share of the chunks that must be written, greater than 0 and at most 1: of each array')
      .meta({ examples: [0.99] }),
  },
  optional: { path: pathSetting('Only arrays with such a path count') },
  facts: {
    arrays: z
      .array(IncompleteArray)
      .describe(
        `The first ${maxListedArrays} arrays with fewer chunks written, fewer if their paths are long. Empty while ` +
          'there are none',
      ),
    incomplete_arrays: z.int().min(0).describe('Number of all these arrays'),
  },
  example: {
    settings: { share: 0.99, path: 'forecast/**' },
    met: { arrays: [], incomplete_arrays: 0 },
    unmet: { arrays: [{ path: 'forecast/temperature', chunks: { written: 46, total: 48 } }], incomplete_arrays: 1 },
    summary: '99% of the chunks expected: fewer written, forecast/temperature 96% (46 of 48)',
  },
} as const satisfies ExpectationKind
