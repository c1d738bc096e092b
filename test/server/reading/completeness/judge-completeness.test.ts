// Whether enough chunks are written, beside the references that official Icechunk reads from manifests.
import { readFile } from 'node:fs/promises'
import { maxListedArrays } from '@floe/contract'
import { matchesSome } from '@floe/storage/globs'
import { decodeSnapshot, defaultLimits, openRepository, parseSnapshotId } from '@floe/storage/icechunk'
import { compareUtf8, openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { judgeCompleteness } from '../../../../server/reading/completeness/judge-completeness.ts'
import type { JudgedCompleteness } from '../../../../server/reading/completeness/judged-arrays.ts'
import { buildNodeId } from '../../../storage/repositories/icechunk/build-log.ts'
import { buildId, buildNode, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'

const histories = new URL('../../../fixtures/completeness/', import.meta.url).pathname

type Counted = { readonly chunks: { readonly written: number; readonly total: number } | null }
type Expected = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Counted>>>>>>

function judge(...asked: Parameters<typeof judgeCompleteness>): JudgedCompleteness {
  return JSON.parse(Buffer.from(judgeCompleteness(...asked)).toString())
}

// Proves: each array that counts needs its share of written chunks
t.test('each array with such a path needs its share', async (t) => {
  const expected = JSON.parse(await readFile(`${histories}expected.json`, 'utf8')) as Expected
  const verdicts = new Set<string>()
  for (const [name, snapshots] of Object.entries(expected)) {
    const repository = openRepository(openLocalStore(`${histories}${name}`))
    for (const [id, arrays] of Object.entries(snapshots)) {
      const snapshotId = parseSnapshotId(id)
      if (snapshotId === undefined) throw new Error(`${id} is not an id`)
      const snapshot = await repository.readSnapshot(snapshotId, AbortSignal.timeout(60_000))
      const scalars = new Set([...snapshot.nodes].filter(isScalar).map(({ path }) => path))
      for (const path of [null, '*', 'b/**', 'x*', 'none'])
        for (const share of [0.1, 0.5, 1]) {
          const counted = Object.entries(arrays)
            .filter(([array]) => !scalars.has(array) && (path === null || matchesSome([path], array)))
            .toSorted(([left], [right]) => compareUtf8(left, right))
          const below = counted.flatMap(([array, { chunks }]) =>
            chunks !== null && chunks.written < share * chunks.total ? [{ path: array, chunks }] : [],
          )
          const isUnknown = counted.length === 0 || counted.some(([, { chunks }]) => chunks === null)
          const isNowhere = path !== null && !Object.keys(arrays).some((array) => matchesSome([path], array))
          const verdict = below.length > 0 || isNowhere ? 'incomplete' : isUnknown ? 'unknown' : 'complete'
          verdicts.add(verdict)
          const found = judge(snapshot, { path, share })
          t.match(found, { verdict, incompleteArrays: below.length }, `${name} ${id} ${path} ${share}`)
          t.strictSame(found.arrays, below)
          t.equal(found.reason === null, verdict !== 'unknown' && !isNowhere)
        }
    }
  }
  t.strictSame(verdicts, new Set(['complete', 'incomplete', 'unknown']))
})

function isScalar({ kind, document }: { readonly kind: string; readonly document: Uint8Array }): boolean {
  return kind === 'array' && JSON.parse(Buffer.from(document).toString()).shape.length === 0
}

const document = (shape: readonly number[]) =>
  JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: 'int8',
    fill_value: 0,
    codecs: [{ name: 'bytes' }],
    chunk_grid: { name: 'regular', configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: 'default' },
    attributes: {},
  })

/** What a snapshot says of an array with room for one chunk, which is not written. */
const unwritten = (shape: readonly number[]) => {
  const dimensions = shape.map((length) => [{ u64: BigInt(length) }, { u32: 1 }])
  return { table: [{ structs: [] }, undefined, { tables: [] }, { tables: dimensions }] }
}

/** A snapshot of such arrays, by path, with their shapes. */
async function build(arrays: Readonly<Record<string, readonly number[]>>) {
  const id = buildId(1)
  const paths = Object.keys(arrays).toSorted(compareUtf8)
  const nodes = paths.map((path, index) => [
    ...buildNode(`/${path}`, 1, document(arrays[path] ?? []), buildNodeId(index + 1)),
    unwritten(arrays[path] ?? []),
  ])
  const bytes = buildSnapshot({ id, nodes })
  return decodeSnapshot({ repository: 'memory', key: `snapshots/${id}`, bytes }, id, defaultLimits)
}

t.test('scalars do not count, because one that equals its fill value is not written', async (t) => {
  const snapshot = await build({ crs: [], t: [4] })
  t.strictSame(judge(snapshot, { path: null, share: 1 }), {
    verdict: 'incomplete',
    arrays: [{ path: 't', chunks: { written: 0, total: 1 } }],
    incompleteArrays: 1,
    gaps: [],
    incompleteRanges: 0,
    reason: null,
  })
  t.match(judge(snapshot, { path: 'crs', share: 1 }), {
    verdict: 'unknown',
    reason: 'No array that matches crs has dimensions',
  })
  t.match(judge(await build({ crs: [] }), { path: null, share: 1 }), { reason: 'No array has dimensions' })
})

// Proves: a path that no array has is not complete
t.test('a path that no array has is incomplete, and named', async (t) => {
  const snapshot = await build({ t: [4] })
  t.match(judge(snapshot, { path: 'nosuch/**', share: 1 }), {
    verdict: 'incomplete',
    arrays: [],
    reason: 'No array has a path that matches nosuch/**',
  })
  const { reason } = judge(snapshot, { path: 'x'.repeat(1_000), share: 1 })
  t.match(reason, /^No array has a path that matches x{100}/)
  t.ok(reason !== null && reason.length <= 300)
})

t.test('the list of arrays is short, whatever the snapshot', async (t) => {
  const many = await build(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, [4]])))
  const listed = judge(many, { path: null, share: 0.5 })
  t.equal(listed.incompleteArrays, 100)
  t.equal(listed.arrays.length, maxListedArrays)
  const long = await build(Object.fromEntries(['a', 'b', 'c'].map((name) => [name.repeat(15_000), [4]])))
  t.match(judge(long, { path: null, share: 0.5 }), { incompleteArrays: 3, arrays: { length: 2 } })
})
