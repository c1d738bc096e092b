import { z } from 'zod'
import { maxListedArrays, maxListedGaps } from '../../../../limits.ts'
import { WrittenChunks } from '../../completeness.ts'
import { type ExpectationKind, pathSetting } from '../expectation-kind.ts'
import { Count } from '../../../values.ts'

const IncompleteArray = z
  .object({ path: z.string().describe('Path of the array without a leading slash'), chunks: WrittenChunks })
  .meta({ id: 'IncompleteArray', description: 'An array with fewer chunks written than expected' })
export type IncompleteArray = z.infer<typeof IncompleteArray>

const Position = z.int().min(0, 'must not be negative')
const first = Position.describe('First position of chunks')
const last = Position.describe('Last position, inclusive')
const dimension = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters')
  .describe('Name of a dimension, as xarray names it')

/** Whether a range does not end before it begins. */
const isRange = (range: { readonly first: number; readonly last: number }) => range.first <= range.last
const notARange = { path: ['last'], message: 'must not be before `first`' }

// Open objects, because they are also in notifications, whose objects can get members.
const IgnoredSlices = z
  .object({ dimension, first, last })
  .refine(isRange, notARange)
  .meta({ id: 'IgnoredSlices', description: 'Positions of a dimension that do not count, because they stay empty' })
export type IgnoredSlices = z.infer<typeof IgnoredSlices>

const AcceptedGap = z
  .object({
    first,
    last,
    note: z
      .string()
      .min(1, 'must not be empty')
      .max(200, 'must have at most 200 characters')
      .describe('Why, for people'),
  })
  .refine(isRange, notARange)
  .meta({ id: 'AcceptedGap', description: 'Positions that may lack chunks, for a known reason' })
export type AcceptedGap = z.infer<typeof AcceptedGap>

const IncompleteSteps = z
  .object({
    path: z.string().describe('Path of the array without a leading slash'),
    along: z.string().describe('Name of the dimension'),
    first,
    last,
    written: Count.describe('Chunks that are written at each of these positions'),
    total: Count.describe('Chunks that each of them has, without those that do not count'),
    of: Count.describe('Number of positions up to the last one that has any chunk'),
  })
  .meta({ id: 'IncompleteSteps', description: 'Positions along a dimension with fewer chunks written than expected' })
export type IncompleteSteps = z.infer<typeof IncompleteSteps>

/** Which share of the chunks of each array, or of each of its steps, must be written. */
export const written = {
  title: 'Written chunks',
  meaning: 'Each array of the branch, or each step of it, has at least the share `share` of its chunks written',
  required: {
    share: z
      .number()
      .gt(0, 'must be greater than 0')
      .max(1, 'must be at most 1')
      .describe(
        'Share of the chunks that must be written, greater than 0 and at most 1: of each array, or with `along` of ' +
          'each step',
      )
      .meta({ examples: [0.99] }),
  },
  optional: {
    path: pathSetting('Only arrays with such a path count'),
    along: dimension
      .nullable()
      .describe(
        'Name of a dimension, such as that of the runs of a forecast. Each position of chunks along it is a step, ' +
          'which is judged by itself, up to the last one that has any chunk. Only arrays with the dimension count. ' +
          'Null, the default, means that each array is judged as a whole',
      )
      .meta({ examples: ['init_time'] }),
    except_last: z
      .int()
      .min(0, 'must not be negative')
      .max(10_000, 'must be at most 10,000')
      .nullable()
      .describe(
        'How many of the last steps are not judged, because a writer may still add chunks. Only with `along`. Null, ' +
          'the default, means none',
      )
      .meta({ examples: [1] }),
    ignore: z
      .array(IgnoredSlices)
      .max(20, 'must have at most 20 entries')
      .nullable()
      .describe(
        'Positions of chunks of other dimensions that do not count, because they are empty by design. What is empty ' +
          'in every step never counts. Only with `along`. Null, the default, means none',
      )
      .meta({ examples: [[{ dimension: 'lead_time', first: 0, last: 0 }]] }),
    accepted: z
      .array(AcceptedGap)
      .max(100, 'must have at most 100 entries')
      .nullable()
      .describe(
        'Steps that are known to lack chunks, and are not judged. Only with `along`. Null, the default, means none',
      )
      .meta({ examples: [[{ first: 3, last: 4, note: 'lost when the store was moved' }]] }),
  },
  needs: { except_last: 'along', ignore: 'along', accepted: 'along' },
  facts: {
    arrays: z
      .array(IncompleteArray)
      .describe(
        `The first ${maxListedArrays} arrays with fewer chunks written, fewer if their paths are long, with the ` +
          'counts of the whole array. Empty while there are none',
      ),
    incomplete_arrays: Count.describe('Number of all these arrays'),
    gaps: z
      .array(IncompleteSteps)
      .describe(
        `With \`along\`, the first ${maxListedGaps} ranges of steps with fewer chunks written, fewer if the paths ` +
          'are long. Otherwise empty',
      ),
    incomplete_ranges: Count.describe('Number of all these ranges'),
  },
  example: {
    settings: {
      share: 1,
      path: 'forecast/**',
      along: 'init_time',
      except_last: 1,
      ignore: [{ dimension: 'lead_time', first: 0, last: 0 }],
      accepted: [{ first: 3, last: 4, note: 'lost when the store was moved' }],
    },
    met: { arrays: [], incomplete_arrays: 0, gaps: [], incomplete_ranges: 0 },
    unmet: {
      arrays: [{ path: 'forecast/temperature', chunks: { written: 168, total: 220 } }],
      incomplete_arrays: 1,
      gaps: [
        { path: 'forecast/temperature', along: 'init_time', first: 7, last: 7, written: 0, total: 10, of: 20 },
        { path: 'forecast/temperature', along: 'init_time', first: 12, last: 12, written: 8, total: 10, of: 20 },
      ],
      incomplete_ranges: 2,
    },
    summary:
      '100% of the chunks of each init_time expected: fewer written, forecast/temperature lacks init_time 7 of 20 ' +
      '(0 of 10 chunks), forecast/temperature lacks init_time 12 of 20 (8 of 10 chunks)',
  },
} as const satisfies ExpectationKind
