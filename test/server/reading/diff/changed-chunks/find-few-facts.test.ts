import { t } from 'tap'
import { findFewFacts } from '../../../../../server/reading/diff/changed-chunks/find-few-facts.ts'
import { SnapshotManifests } from '../../../../../server/reading/manifests/snapshot-manifests.ts'
import { buildArrays, chunkBytes, type SampleArray } from '../../gaps/build-arrays.ts'

/** What is found when the manifests have been read, by path; and how many had to be read. */
async function find(before: readonly SampleArray[], after: readonly SampleArray[]) {
  const [earlier, later] = [await buildArrays(before), await buildArrays(after)]
  const [old, current] = [earlier.open().snapshot, later.open().snapshot]
  const paths = [...new Set([...before, ...after].map(({ path }) => path))].sort()
  const findIndex = ({ nodes }: typeof old, path: string) => nodes.findIndex(path) ?? null
  const chunks = paths.map((path) => ({
    path,
    count: 1,
    before: findIndex(old, path),
    after: findIndex(current, path),
  }))
  const read = new Map([...earlier.manifests, ...later.manifests])
  const open = (manifests = read) => {
    const source = new SnapshotManifests(current, manifests)
    const found = findFewFacts({ before: old, changes: { chunks } }, source)
    return { source, facts: new Map([...found].map(([{ path }, facts]) => [path, facts])) }
  }
  const { missing } = open(new Map()).source
  const { source, facts } = open(new Map([...read].filter(([id]) => missing.has(id))))
  t.equal(source.missing.size, 0, 'the second time, no other manifests are needed')
  return { facts, needed: missing.size }
}

const runs = { grid: [9], names: ['time'] }
const first = { id: 1, positions: [[0], [1], [2]] }

t.test('only manifests are read that one snapshot has alone, or that may fill a gap', async (t) => {
  const lacking = { id: 2, positions: [[3], [5]] }
  const repaired = { id: 3, positions: [[3], [4], [5]] }
  const { facts, needed } = await find(
    [{ path: 'a', ...runs, manifests: [first, lacking] }],
    [{ path: 'a', ...runs, manifests: [first, repaired] }],
  )
  t.strictSame(facts.get('a'), {
    filled: { along: 'time', ranges: [{ first: 4, last: 4 }] },
    growth: { stored: chunkBytes, virtual: 0 },
  })
  t.equal(needed, 2)
})

t.test('an array that is created grows by all of its bytes, and one that is deleted shrinks', async (t) => {
  const array = { path: 'b', ...runs, manifests: [first] }
  const { facts: created } = await find([{ path: 'a', ...runs, manifests: [] }], [array])
  t.strictSame(created.get('b'), { filled: null, growth: { stored: 3 * chunkBytes, virtual: 0 } })
  const { facts: deleted } = await find([array], [{ path: 'a', ...runs, manifests: [] }])
  t.strictSame(deleted.get('b'), { filled: null, growth: { stored: -3 * chunkBytes, virtual: 0 } })
})

t.test('of many arrays, filled gaps come before bytes', async (t) => {
  const path = (number: number) => `a${String(number).padStart(2, '0')}`
  const all = Array.from({ length: 10 }, (_, number) => number)
  const lacking = { positions: [[0], [2]] }
  const whole = { positions: [[0], [1], [2]] }
  const grown = (number: number, isLater: boolean): SampleArray => ({
    path: path(number),
    grid: [3],
    names: ['time'],
    manifests: [{ id: 10 * number + (isLater ? 2 : 1), ...(number > 1 && !isLater ? lacking : whole) }],
  })
  const { facts, needed } = await find(
    all.map((number) => grown(number, false)),
    all.map((number) => grown(number, true)),
  )
  t.equal(needed, 16)
  t.strictSame(
    all.filter((number) => facts.get(path(number))?.filled?.ranges.length === 1),
    [2, 3, 4, 5, 6, 7, 8, 9],
    'a full manifest need not be read',
  )
  t.ok(all.some((number) => facts.get(path(number))?.growth === null))
})
