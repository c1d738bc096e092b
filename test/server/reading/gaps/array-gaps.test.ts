// Which chunks are written, beside rules that go position by position.
import type { ArrayGaps } from '@floe/contract'
import fc from 'fast-check'
import { t } from 'tap'
import { type AskedArrays, type FoundGaps, listArrayGaps } from '../../../../server/reading/gaps/array-gaps.ts'
import { checkProperty } from '../../../check-property.ts'
import { buildArrays, type Positions, type SampleArray } from './build-arrays.ts'
import { findNaively, listPositions } from './naive-gaps.ts'

async function find(arrays: readonly SampleArray[], asked: Partial<AskedArrays> = {}): Promise<FoundGaps[]> {
  const { open } = await buildArrays(arrays)
  return [...listArrayGaps(open(), { group: '', ...asked })]
}

async function findOne(array: SampleArray, asked: Partial<AskedArrays> = {}): Promise<ArrayGaps> {
  const [found] = await find([array], asked)
  if (found === undefined) throw new Error('no array')
  return found.array
}

const anyGrid = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 })

/** A grid, its written positions in some manifests, and a dimension. */
const anyArray = anyGrid.chain((grid) => {
  const positions = listPositions(grid)
  return fc.record({
    grid: fc.constant(grid),
    along: fc.nat({ max: Math.max(0, grid.length - 1) }),
    written: fc.oneof(
      fc.subarray(positions),
      // Slices that are empty, and steps that are lost.
      fc.func(fc.boolean()).map((isKept) => positions.filter((chunk) => chunk.every((at, axis) => isKept(at, axis)))),
    ),
    /** How many positions each manifest has along the first dimension. */
    split: fc.integer({ min: 1, max: 9 }),
    version: fc.constantFrom(1 as const, 2 as const),
  })
})

function splitPositions(written: Positions, split: number): SampleArray['manifests'] {
  const parts = Map.groupBy(written, ([first = 0]) => Math.floor(first / split))
  return [...parts].map(([id, positions]) => ({ id: id + 1, positions }))
}

// Proves: what is found agrees with the rules, whatever is written
t.test('gaps, patterns and profiles agree with rules that go position by position', async () => {
  await checkProperty(
    2_000,
    fc.asyncProperty(anyArray, async ({ grid, along, written, split, version }) => {
      const names = grid.map((_, axis) => `d${axis}`)
      const { open } = await buildArrays([{ path: 'a', grid, names, manifests: splitPositions(written, split) }], version)
      const expected = findNaively(grid, names, along, written)
      const asked = grid.length === 0 ? {} : { along: names[along] ?? '' }
      const [found] = listArrayGaps(open(), { group: '', ...asked })
      const [whole] = listArrayGaps(open(), { group: '' })
      if (found === undefined || whole === undefined) throw new Error('no array')
      const { chunks, last_written, gaps, patterns } = found.array
      const { profiles, ...rest } = expected
      const got = JSON.stringify({ chunks, last_written, gaps, patterns })
      const wanted = JSON.stringify(grid.length === 0 ? { ...rest, last_written: null, gaps: [] } : rest)
      if (got !== wanted) throw new Error(`${got} is not ${wanted}`)
      const gotProfiles = JSON.stringify(whole.array.dimensions.map(({ profile }) => profile?.written))
      if (gotProfiles !== JSON.stringify(profiles)) throw new Error(`${gotProfiles} is not ${JSON.stringify(profiles)}`)
      if (found.array.reason !== null || found.array.outside !== 0) throw new Error('nothing is unknown')
    }),
  )
})

// Proves: the example of a lost run, a partial run and a lead that is empty by design
t.test('a lost run is a gap, and a lead time that is never written is a pattern', async (t) => {
  const written = listPositions([31, 11]).filter(
    ([init = 0, lead = 0]) => lead !== 0 && init !== 7 && !(init === 12 && lead > 8),
  )
  const found = await findOne({
    path: 'forecast/temperature',
    grid: [40, 11],
    names: ['init_time', 'lead_time'],
    manifests: splitPositions(written, 10),
  })
  t.match(found, {
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
      { name: 'init_time', positions: 40, size: 2 },
      { name: 'lead_time', positions: 11, size: 2 },
    ],
  })
})
