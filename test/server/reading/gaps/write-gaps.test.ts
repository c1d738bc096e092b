// Pages of the gaps of a snapshot.
import { Gaps } from '@floe/contract'
import { t } from 'tap'
import type { AskedFor } from '../../../../server/reading/asked-for.ts'
import { SnapshotManifests } from '../../../../server/reading/manifests/snapshot-manifests.ts'
import { writeGaps } from '../../../../server/reading/gaps/write-gaps.ts'
import { buildArrays, type SampleArray } from './build-arrays.ts'

function ask(source: SnapshotManifests, asked: Partial<AskedFor<'gaps'>> = {}): Gaps {
  return Gaps.parse(JSON.parse(Buffer.from(writeGaps(source, { group: '', ...asked })).toString()))
}

const paths = (answer: Gaps) => answer.arrays.map(({ path }) => path)

const sample = (path: string, id: number, manifest: object = {}): SampleArray => ({
  path,
  grid: [3],
  names: ['time'],
  manifests: [{ id, positions: [[0], [2]], ...manifest }],
})

const names = ['a', 'a-b', 'a/b', 'a0', 'c/d', 'ä', 'b']

t.test('pages follow each other in the order of the paths', async (t) => {
  // A group cannot be an array too, so that `a` is left out.
  const arrays = names.slice(1).map((path, index) => sample(path, index + 1))
  const { open } = await buildArrays(arrays)
  const sorted = ['a-b', 'a/b', 'a0', 'b', 'c/d', 'ä']
  t.strictSame(paths(ask(open())), sorted)
  for (const limit of [1, 2, 3, 5, 6]) {
    const found = new Array<string>()
    for (let next: string | null | undefined; next !== null;) {
      const page = ask(open(), { limit, ...(next !== undefined && { after: next }) })
      t.ok(page.arrays.length <= limit)
      found.push(...paths(page))
      next = page.next
    }
    t.strictSame(found, sorted)
  }
  t.match(ask(open(), { limit: 6 }), { next: null, truncated: false })
  t.strictSame(paths(ask(open(), { after: 'a1' })), ['b', 'c/d', 'ä'], 'after a path that no array has')
  t.strictSame(ask(open(), { after: 'ä' }), {
    snapshot_id: open().snapshot.id,
    arrays: [],
    next: null,
    truncated: false,
  })
  t.strictSame(paths(ask(open(), { group: 'a' })), ['a/b'])
  t.strictSame(paths(ask(open(), { path: '*/*' })), ['a/b', 'c/d'])
  t.throws(() => ask(open(), { group: 'none' }), { code: 'group-not-found' })
})

t.test('the manifests of the next page are not looked up', async (t) => {
  const { open } = await buildArrays([sample('a', 1), sample('b', 2), sample('c', 3)])
  const planned = open(() => false)
  ask(planned, { limit: 2 })
  t.equal(planned.missing.size, 2)
})

t.test('a page ends before the array whose manifests exceed what one question may read', async (t) => {
  const many = (path: string, from: number, count: number): SampleArray => ({
    path,
    grid: [2 * count],
    names: ['time'],
    manifests: Array.from({ length: count }, (_, index) => ({
      id: from + index,
      positions: [[2 * index]],
      ranges: [[2 * index, 2 * index + 2]] as const,
    })),
  })
  const { open } = await buildArrays([
    many('a', 1, 6_000),
    many('b', 10_001, 6_000),
    many('c', 20_001, 10_001),
    sample('d', 1),
  ])
  const first = open(() => false)
  ask(first)
  t.equal(first.missing.size, 6_000)
  t.match(ask(open()), { arrays: [{ path: 'a', chunks: { written: 6_000 } }], next: 'a' })
  t.match(ask(open(), { after: 'a' }), {
    arrays: [
      { path: 'b', chunks: { written: 6_000 } },
      { path: 'c', chunks: null, reason: 'too_many_manifests' },
      { path: 'd', chunks: { written: 2 } },
    ],
    next: null,
  })
})

t.test('a page ends before the array whose manifests were not read, because they are too many', async (t) => {
  const { open, manifests } = await buildArrays([sample('a', 1), sample('b', 2)])
  const [, second = '' as never] = manifests.keys()
  const source = new SnapshotManifests(open().snapshot, new Map([...manifests, [second, 'too_many_manifests']]))
  t.match(ask(source), { arrays: [{ path: 'a' }], next: 'a' })
  t.match(ask(source, { after: 'a' }), { arrays: [{ path: 'b', reason: 'too_many_manifests' }], next: null })
})

t.test('an answer says whether a list was cut', async (t) => {
  const positions = Array.from({ length: 1_002 }, (_, index) => [2 * index])
  const { open } = await buildArrays([
    sample('a', 1),
    { ...sample('b', 2, { positions }), grid: [2_004] },
    sample('c', 3),
  ])
  t.equal(ask(open()).truncated, true)
  t.equal(ask(open(), { path: 'c' }).truncated, false)
})

t.test('a computation that nobody waits for ends', async (t) => {
  const { open } = await buildArrays([sample('a', 1)])
  t.throws(() => writeGaps(open(), { group: '' }, AbortSignal.abort(new Error('gone'))), /gone/)
})
