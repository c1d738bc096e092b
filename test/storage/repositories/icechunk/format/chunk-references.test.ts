// How many references to chunks a snapshot states, also one that contradicts itself.
import fc from 'fast-check'
import { t } from 'tap'
import { openEnvelope } from '../../../../../storage/repositories/icechunk/format/envelope.ts'
import { readSnapshot } from '../../../../../storage/repositories/icechunk/format/snapshot/read-snapshot.ts'
import { defaultLimits } from '../../../../../storage/repositories/icechunk/index.ts'
import { checkProperty } from '../../../../check-property.ts'
import { anyDamage, readsOrRefuses } from '../any-damage.ts'
import {
  buildId,
  buildNode,
  buildObject,
  buildSnapshot,
  type DescribedArray,
  type SnapshotDescription,
} from '../build-object.ts'

type Ranges = NonNullable<DescribedArray['manifests']>[number]['ranges']

const name = (id: number, ...ranges: Ranges) => ({ id, ranges })

/** Opens a snapshot with arrays `/a`, `/b` and so on. */
async function open(arrays: readonly DescribedArray[], described: SnapshotDescription) {
  const bytes = buildSnapshot({ arrays, ...described })
  const envelope = await openEnvelope({ repository: '', key: '', bytes }, 'snapshot', defaultLimits)
  return readSnapshot(envelope, buildId(1), defaultLimits).chunkReferences
}

for (const version of [1, 2]) {
  const count = async (arrays: readonly DescribedArray[], manifests: SnapshotDescription['manifests'] = []) => {
    const references = await open(arrays, { version, manifests })
    return arrays.map((_, index) => references.count(index, references.readGrid(index) ?? []))
  }

  t.test(`the references of several manifests are added up, in version ${version}`, async (t) => {
    const arrays = [
      { shape: [[10, 4]], manifests: [name(1, [0, 2]), name(3, [2, 3])] },
      {
        shape: [
          [6, 2],
          [0, 4],
        ],
        manifests: [],
      },
      { shape: [], manifests: [name(2)] },
    ] as const
    const manifests = [
      { id: 1, count: 2 },
      { id: 2, count: 1 },
      { id: 3, count: 1 },
    ]
    t.strictSame(await count(arrays, manifests), [3, 0, 1])
    const references = await open(arrays, { version, manifests })
    t.strictSame(
      [0, 1, 2].map((index) => references.readGrid(index)),
      [[3], [3, 0], []],
    )
  })

  t.test(`a manifest that is named twice counts for nobody, in version ${version}`, async (t) => {
    const shape = [[10, 1]] as const
    const arrays = [
      { shape, manifests: [name(1, [0, 5]), name(2, [5, 6])] },
      { shape, manifests: [name(2, [5, 6]), name(3, [6, 7])] },
      { shape, manifests: [name(3, [6, 7])] },
      { shape, manifests: [name(4, [0, 1]), name(4, [0, 1])] },
      { shape, manifests: [name(5, [0, 1])] },
    ]
    const manifests = [1, 2, 3, 4, 5].map((id) => ({ id, count: 1 }))
    const shared = 'shared_manifest'
    t.strictSame(await count(arrays, manifests), [shared, shared, shared, shared, 1])
  })

  t.test(`references outside of the grid are told from others, in version ${version}`, async (t) => {
    const arrays = [
      { shape: [[5, 1]], manifests: [name(1, [4, 6])] },
      { shape: [[5, 1]], manifests: [name(2, [4, 5])] },
    ] as const
    t.strictSame(
      await count(arrays, [
        { id: 1, count: 2 },
        { id: 2, count: 1 },
      ]),
      ['outside_grid', 1],
    )
  })

  t.test(`a snapshot that contradicts itself gives no count, in version ${version}`, async (t) => {
    const array = { shape: [[5, 1]], manifests: [name(1, [0, 2])] } as const
    const one = async (described: DescribedArray, ...manifests: { id: number; count: number }[]) =>
      (await count([described], manifests))[0]
    t.equal(await one(array, { id: 1, count: 2 }), 2)
    t.equal(await one(array, { id: 1, count: 3 }), 'contradictory', 'more than the range has')
    t.equal(await one(array, { id: 1, count: 2 ** 32 - 1 }), 'contradictory')
    t.equal(await one(array, { id: 2, count: 2 }), 'contradictory', 'a manifest that is not listed')
    t.equal(await one(array, { id: 2, count: 2 }, { id: 1, count: 2 }), 'contradictory', 'not in order')
    t.equal(await one(array, { id: 1, count: 2 }, { id: 1, count: 2 }), 'contradictory', 'listed twice')
    t.equal(await one({ ...array, manifests: [name(1)] }, { id: 1, count: 2 }), 'contradictory', 'too few ranges')
    t.equal(await one({ ...array, manifests: [name(1, [2, 0])] }, { id: 1, count: 1 }), 'contradictory', 'negative')
    t.equal(await one({ ...array, manifests: undefined }, { id: 1, count: 2 }), 'contradictory', 'without a table')
  })

  t.test(`grids that the format cannot express are unknown, in version ${version}`, async (t) => {
    const shapes = [
      [[2 ** 32, 1]],
      [[5, 0]],
      Array.from({ length: 65 }, () => [1, 1] as const),
      [[2 ** 32 - 1, 2]],
    ] as const
    const references = await open(
      shapes.map((shape) => ({ shape, manifests: [] })),
      { version },
    )
    t.strictSame(
      shapes.map((_, index) => references.readGrid(index)),
      [undefined, undefined, undefined, [2 ** 31]],
    )
  })

  const list = async (arrays: readonly DescribedArray[], manifests: SnapshotDescription['manifests'] = []) => {
    const references = await open(arrays, { version, manifests })
    return arrays.map((_, index) => references.listManifests(index))
  }

  t.test(`the manifests of an array have sizes, ranges and references, in version ${version}`, async (t) => {
    const arrays = [
      {
        shape: [
          [10, 4],
          [6, 2],
        ],
        manifests: [name(1, [0, 2], [1, 3]), name(3, [2, 3], [0, 0])],
      },
      { shape: [], manifests: [name(2)] },
      { shape: [[5, 1]], manifests: [] },
    ] as const
    const manifests = [
      { id: 1, count: 4, size: 300 },
      { id: 2, count: 1, size: 5_000_000_000 },
      { id: 3, count: 0, size: 0 },
    ]
    const ranges = (...pairs: readonly (readonly [number, number])[]) => pairs
    t.strictSame(await list(arrays, manifests), [
      [
        { id: buildId(1), storedBytes: 300, references: 4, isShared: false, ranges: ranges([0, 2], [1, 3]) },
        { id: buildId(3), storedBytes: 0, references: 0, isShared: false, ranges: ranges([2, 3], [0, 0]) },
      ],
      [{ id: buildId(2), storedBytes: 5_000_000_000, references: 1, isShared: false, ranges: [] }],
      [],
    ])
  })

  t.test(`a manifest that several arrays name is listed for each as shared, in version ${version}`, async (t) => {
    const one = [[5, 1]] as const
    const arrays = [
      { shape: one, manifests: [name(1, [0, 1]), name(2, [1, 3])] },
      { shape: one, manifests: [name(2, [0, 5])] },
      { shape: one, manifests: [name(2, [4, 5]), name(3, [0, 4])] },
    ]
    const manifests = [1, 2, 3].map((id) => ({ id, count: 5 }))
    const shared = (await list(arrays, manifests)).map(
      (named) => typeof named !== 'string' && named.map(({ id, isShared }) => [id, isShared]),
    )
    const [first, second, third] = [1, 2, 3].map(buildId)
    t.strictSame(shared, [
      [
        [first, false],
        [second, true],
      ],
      [[second, true]],
      [
        [second, true],
        [third, false],
      ],
    ])
  })

  t.test(`manifests of a snapshot that contradicts itself are not listed, in version ${version}`, async (t) => {
    const array = { shape: [[5, 1]], manifests: [name(1, [0, 2])] } as const
    const one = async (described: DescribedArray, ...manifests: { id: number; count: number; size?: number }[]) =>
      (await list([described], manifests))[0]
    const listed = { id: 1, count: 2 }
    t.type(await one(array, listed), Array)
    t.equal(await one(array, { id: 2, count: 2 }), 'contradictory', 'a manifest that is not listed')
    t.equal(await one(array, listed, listed), 'contradictory', 'listed twice')
    t.equal(await one({ ...array, manifests: [name(1, [2, 0])] }, listed), 'contradictory', 'a range that ends first')
    t.equal(await one({ ...array, manifests: [name(1, [0, 1]), name(1, [1, 2])] }, listed), 'contradictory', 'twice')
    t.equal(await one({ ...array, manifests: undefined }, listed), 'contradictory', 'without a table')
    t.equal(await one(array, { ...listed, size: 2 ** 53 }), 'contradictory', 'more bytes than there can be')
    const many = Array.from({ length: 65 }, () => [0, 1] as const)
    t.equal(await one({ ...array, manifests: [name(1, ...many)] }, listed), 'contradictory', 'too many dimensions')
  })

  t.test(`any damage gives counts or reasons, in version ${version}`, async () => {
    const arrays = [
      { shape: [[10, 4]], manifests: [name(1, [0, 2]), name(3, [2, 3])] },
      { shape: [], manifests: [name(2)] },
    ] as const
    const whole = buildSnapshot({
      version,
      arrays,
      manifests: [
        { id: 1, count: 2 },
        { id: 2, count: 1 },
        { id: 3, count: 1 },
      ],
    })
    const { payload } = await openEnvelope({ repository: '', key: '', bytes: whole }, 'snapshot', defaultLimits)
    const read = async (damaged: Uint8Array) => {
      const bytes = buildObject(damaged, { version, compression: 0 })
      const envelope = await openEnvelope({ repository: '', key: '', bytes }, 'snapshot', defaultLimits)
      const { nodes, chunkReferences } = readSnapshot(envelope, buildId(1), defaultLimits)
      for (let index = 0; index < nodes.length; index++)
        chunkReferences.count(index, chunkReferences.readGrid(index) ?? [])
      for (let index = 0; index < nodes.length; index++) chunkReferences.listManifests(index)
    }
    await checkProperty(3_000, fc.asyncProperty(anyDamage(payload), readsOrRefuses(read)))
  })
}

t.test('more manifests of an array than can be listed are refused', async (t) => {
  // A vector of offsets, which are not followed.
  const named = { structs: Array.from({ length: 100_001 }, () => new Uint8Array(4)) }
  const nodes = [[...buildNode('/a', 1), { table: [undefined, undefined, named] }]]
  const references = await open([], { nodes, manifests: [{ id: 1, count: 1 }] })
  t.equal(references.listManifests(0), 'too_many_manifests')
})
