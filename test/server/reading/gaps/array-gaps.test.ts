// Which chunks are written, beside rules that go position by position.
import type { ArrayGaps } from '@floe/contract'
import fc from 'fast-check'
import { t } from 'tap'
import { type AskedArrays, type FoundGaps, listArrayGaps } from '../../../../server/reading/gaps/array-gaps.ts'
import { SnapshotManifests } from '../../../../server/reading/manifests/snapshot-manifests.ts'
import { buildId } from '../../../storage/repositories/icechunk/build-object.ts'
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

t.test('gaps, patterns and profiles agree with rules that go position by position', async () => {
  await checkProperty(
    2_000,
    fc.asyncProperty(anyArray, async ({ grid, along, written, split, version }) => {
      const names = grid.map((_, axis) => `d${axis}`)
      const { open } = await buildArrays(
        [{ path: 'a', grid, names, manifests: splitPositions(written, split) }],
        version,
      )
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

/** Positions of one step. */
const row = (first: number, columns: readonly number[]) => columns.map((column) => [first, column])

t.test('scalars and arrays without elements have no gaps', async (t) => {
  const names = ['time', 'x']
  t.match(await findOne({ path: 'a', grid: [], manifests: [] }), {
    along: null,
    chunks: { written: 0, total: 1 },
    last_written: null,
    gaps: [],
    dimensions: [],
  })
  const scalar = await findOne({ path: 'a', grid: [], manifests: [{ id: 1, positions: [[]] }] })
  t.match(scalar, { along: null, chunks: { written: 1, total: 1 }, last_written: null })
  t.match(await findOne({ path: 'a', grid: [0, 3], names, manifests: [] }), {
    along: 'time',
    chunks: { written: 0, total: 0 },
    last_written: null,
    gaps: [],
    patterns: [],
    dimensions: [
      { positions: 0, profile: { bin: 1, written: [] } },
      { positions: 3, profile: { bin: 1, written: [0, 0, 0] } },
    ],
  })
  t.match(await findOne({ path: 'a', grid: [2 ** 31, 2 ** 20], names, manifests: [] }), {
    chunks: { written: 0, total: 2 ** 51 },
    reason: null,
    dimensions: [{ profile: { bin: Math.ceil(2 ** 31 / 2_000) } }, {}],
  })
})

t.test('references outside of the grid of an array that shrank are told, not counted', async (t) => {
  const found = await findOne({
    path: 'a',
    grid: [3, 2],
    names: ['time', 'x'],
    manifests: [
      {
        id: 1,
        positions: [
          [0, 0],
          [0, 1],
          [2, 0],
          [2, 3],
          [5, 0],
        ],
      },
      {
        id: 2,
        positions: [
          [7, 7],
          [8, 1],
        ],
      },
    ],
  })
  t.match(found, {
    chunks: { written: 3, total: 6 },
    reason: null,
    outside: 4,
    last_written: 2,
    gaps: [
      { first: 1, last: 1, written: 0, total: 2 },
      { first: 2, last: 2, written: 1, total: 2 },
    ],
  })
})

t.test('shards and chunks of different sizes have positions too', async (t) => {
  const sharded = await findOne({
    path: 'a',
    grid: [2, 2],
    names: ['time', 'x'],
    document: {
      shape: [4, 4],
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [2, 2] } },
      codecs: [
        {
          name: 'sharding_indexed',
          configuration: {
            chunk_shape: [1, 1],
            codecs: [{ name: 'bytes' }],
            index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
          },
        },
      ],
    },
    manifests: [
      {
        id: 1,
        positions: [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
      },
    ],
  })
  t.match(sharded, {
    gaps: [{ first: 0, last: 0, written: 1, total: 2 }],
    dimensions: [
      { positions: 2, size: 2 },
      { positions: 2, size: 2 },
    ],
  })
  const rectilinear = await findOne({
    path: 'a',
    grid: [3, 2],
    names: ['time', 'x'],
    document: {
      shape: [9, 4],
      chunk_grid: { name: 'rectilinear', configuration: { kind: 'inline', chunk_shapes: [[2, 3, 4], [[2, 2]]] } },
    },
    manifests: [{ id: 1, positions: [...row(0, [0, 1]), ...row(2, [1])] }],
  })
  t.match(rectilinear, {
    chunks: { written: 3, total: 6 },
    gaps: [
      { first: 1, last: 1, written: 0, total: 2 },
      { first: 2, last: 2, written: 1, total: 2 },
    ],
    dimensions: [
      { positions: 3, size: null },
      { positions: 2, size: 2 },
    ],
  })
  const unknown = await findOne({
    path: 'a',
    grid: [3],
    document: { chunk_grid: { name: 'none', configuration: {} } },
    manifests: [],
  })
  t.match(unknown, { along: null, chunks: null, reason: 'unknown_grid', gaps: [], dimensions: [] })
})

t.test('manifests that contradict each other or the snapshot are no answer', async (t) => {
  const contradictory: Readonly<Record<string, SampleArray['manifests']>> = {
    'two manifests name a position': [
      {
        id: 1,
        positions: [
          [0, 0],
          [1, 1],
        ],
      },
      {
        id: 2,
        positions: [
          [1, 1],
          [2, 2],
        ],
      },
    ],
    'a whole range and a manifest name a position': [
      {
        id: 1,
        positions: [
          [0, 0],
          [0, 1],
        ],
      },
      {
        id: 2,
        positions: [
          [0, 1],
          [2, 2],
        ],
      },
    ],
    'two whole ranges name a position': [
      {
        id: 1,
        positions: [
          [0, 0],
          [0, 1],
        ],
      },
      {
        id: 2,
        positions: [
          [0, 1],
          [0, 2],
        ],
      },
    ],
    'a position outside of the range': [
      {
        id: 1,
        positions: [
          [0, 0],
          [2, 2],
        ],
        ranges: [
          [0, 2],
          [0, 2],
        ],
      },
    ],
    'fewer references than the manifest names': [
      {
        id: 1,
        positions: [
          [0, 0],
          [1, 1],
          [2, 2],
        ],
        references: 2,
      },
    ],
    'a manifest without the array': [
      {
        id: 1,
        positions: [],
        references: 2,
        ranges: [
          [0, 3],
          [0, 3],
        ],
      },
    ],
    'more references than room': [{ id: 1, positions: [[0, 0]], references: 2 }],
    'a range of another number of dimensions': [
      {
        id: 1,
        positions: [
          [0, 0],
          [2, 2],
        ],
        ranges: [[0, 3]],
      },
    ],
  }
  for (const [what, manifests] of Object.entries(contradictory)) {
    const found = await findOne({ path: 'a', grid: [3, 3], names: ['time', 'x'], manifests })
    t.match(found, { chunks: null, reason: 'contradictory', last_written: null, gaps: [], patterns: [] }, what)
    t.ok(found.dimensions.every(({ profile }) => profile === null))
  }
})

t.test('a manifest of several arrays is read for each', async (t) => {
  const names = ['time']
  const found = await find([
    { path: 'a', grid: [3], names, manifests: [{ id: 1, positions: [[0], [2]] }] },
    { path: 'b', grid: [4], names, manifests: [{ id: 1, positions: [[0], [1], [2]] }] },
  ])
  t.match(
    found.map(({ array }) => array),
    [
      { path: 'a', chunks: { written: 2, total: 3 }, gaps: [{ first: 1, last: 1 }] },
      { path: 'b', chunks: { written: 3, total: 4 }, last_written: 2, gaps: [] },
    ],
  )
})

t.test('a manifest is looked up only when the snapshot leaves its positions open', async (t) => {
  const names = ['time', 'x']
  const written = listPositions([1_000, 20]).filter(([time, x]) => !(time === 250 && x === 3) && !(time === 731))
  const array = {
    path: 'a',
    grid: [1_000, 20],
    names,
    manifests: [
      ...splitPositions(written, 100),
      {
        id: 99,
        positions: [],
        ranges: [
          [0, 0],
          [0, 0],
        ] as const,
      },
    ],
  }
  const { open } = await buildArrays([
    array,
    { path: 'x', grid: [1], names: ['x'], manifests: [{ id: 50, positions: [[0]] }] },
  ])
  const planned = open(() => false)
  t.match([...listArrayGaps(planned, { group: '' })], [{ array: { chunks: null, reason: null } }, {}])
  t.strictSame([...planned.missing], [buildId(3), buildId(8)])
  const answered = open((id) => planned.missing.has(id))
  const [found] = listArrayGaps(answered, { group: '' })
  t.equal(answered.missing.size, 0)
  t.match(found?.array, {
    chunks: { written: written.length, total: 20_000 },
    gaps: [
      { first: 250, last: 250, written: 19, total: 20 },
      { first: 731, last: 731, written: 0, total: 20 },
    ],
  })
  const withoutDimension = open(() => false)
  t.match(
    [...listArrayGaps(withoutDimension, { group: '', along: 'level' })],
    [
      { array: { along: null, chunks: { written: written.length }, gaps: [] } },
      { array: { along: null, chunks: { written: 1, total: 1 } } },
    ],
  )
  t.equal(withoutDimension.missing.size, 0, 'an array without the dimension only needs its count')
})

t.test('why a manifest cannot be read is the reason of its arrays', async (t) => {
  const { open, manifests } = await buildArrays([
    { path: 'a', grid: [3], manifests: [{ id: 1, positions: [[0], [2]] }] },
    { path: 'b', grid: [3], manifests: [{ id: 2, positions: [[0], [2]] }] },
  ])
  const [first = '' as never] = manifests.keys()
  for (const fault of ['manifest_missing', 'manifest_damaged', 'manifest_too_large'] as const) {
    const source = new SnapshotManifests(open().snapshot, new Map([...manifests, [first, fault]]))
    t.match(
      [...listArrayGaps(source, { group: '' })],
      [
        { array: { path: 'a', chunks: null, reason: fault } },
        { array: { path: 'b', chunks: { written: 2 }, reason: null } },
      ],
    )
  }
})

t.test('slices that are ignored count neither as written nor as missing', async (t) => {
  const array = {
    path: 'a',
    grid: [4, 3],
    names: ['time', 'lead'],
    manifests: [{ id: 1, positions: [...row(0, [0, 1, 2]), ...row(1, [1, 2]), ...row(2, [2]), ...row(3, [0])] }],
  }
  t.match(await findOne(array), { last_written: 3, gaps: [{ first: 1 }, { first: 2, last: 3, written: 1, total: 3 }] })
  const ignore = [{ dimension: 'lead', first: 0, last: 0 }]
  t.match(await findOne(array, { ignore }), {
    chunks: { written: 7, total: 12 },
    last_written: 2,
    gaps: [{ first: 2, last: 2, written: 1, total: 2 }],
    patterns: [{ dimension: 'lead', first: 0, last: 0 }],
  })
  const others = [
    { dimension: 'none', first: 0, last: 0 },
    { dimension: 'lead', first: 3, last: 9 },
    { dimension: 'time', first: 0, last: 3 },
  ]
  t.strictSame(await findOne(array, { ignore: others }), await findOne(array))
})

t.test('lists are cut', async (t) => {
  const positions = Array.from({ length: 1_002 }, (_, index) => [2 * index, 0])
  const [found] = await find([{ path: 'a', grid: [2_004, 1], names: ['time', 'x'], manifests: [{ id: 1, positions }] }])
  t.equal(found?.array.gaps.length, 1_000)
  t.equal(found?.isCut, true)
  t.equal(found?.array.last_written, 2_002)
  t.strictSame(found?.array.dimensions[0]?.profile?.bin, 2)
  const swapped = positions.map(([time = 0]) => [0, time])
  const [other] = await find([
    { path: 'a', grid: [1, 2_004], names: ['time', 'x'], manifests: [{ id: 1, positions: swapped }] },
  ])
  t.match(other, { isCut: true, array: { gaps: [], patterns: { length: 1_000 } } })
})

t.test('an array with too many positions is unknown, unless it is empty', async (t) => {
  const positions = [
    [0, 0],
    [2, 2],
  ]
  const array = (grid: readonly number[]) => ({
    path: 'a',
    grid,
    names: ['time', 'x'],
    manifests: [{ id: 1, positions }],
  })
  for (const grid of [
    [2 ** 14, 2 ** 14],
    [2 ** 25, 3],
    [2 ** 31, 2 ** 31],
  ])
    t.match(await findOne(array(grid)), { chunks: null, reason: 'too_large' })
  t.match(await findOne(array([2 ** 24, 3])), { chunks: { written: 2 }, reason: null })
})
