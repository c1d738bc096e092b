// How many chunks are written: random histories of official Icechunk, with the references that it reads from manifests.
import { readFile } from 'node:fs/promises'
import { Completeness } from '@floe/contract'
import { compareUtf8, openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { startServer } from '../../start-server.ts'

const histories = new URL('../../../fixtures/completeness/', import.meta.url).pathname

const Counted = Completeness.shape.arrays.element.omit({ path: true })
const Expected = z.record(z.string(), z.record(z.string(), z.record(z.string(), Counted)))

const expected = Expected.parse(JSON.parse(await readFile(`${histories}expected.json`, 'utf8')))

async function start(t: Test) {
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(histories) }] })
  const ask = async (address: string) => Completeness.parse(await (await server.get(`completeness/${address}`)).json())
  return { server, ask }
}

/** The place of an array in an answer. */
function rank({ chunks }: z.infer<typeof Counted>): 'incomplete' | 'unknown' | 'complete' {
  if (chunks === null) return 'unknown'
  return chunks.written < chunks.total ? 'incomplete' : 'complete'
}

// Proves: `/completeness` counts the written chunks of each array as official Icechunk reads them
t.test('each array has the counts of official Icechunk, in both versions', async (t) => {
  const { ask } = await start(t)
  const reasons = new Set<string | null>()
  for (const [repo, snapshots] of Object.entries(expected)) {
    for (const [id, arrays] of Object.entries(snapshots)) {
      const answer = await ask(`${repo}/${id}`)
      t.equal(answer.snapshot_id, id)
      t.strictSame(
        Object.fromEntries(answer.arrays.map(({ path, ...counted }) => [path, counted])),
        arrays,
        `${repo} ${id}`,
      )
      for (const { reason } of answer.arrays) reasons.add(reason)
    }
  }
  t.strictSame(reasons, new Set([null, 'outside_grid']))
})

t.test('arrays with chunks that are not written come first, complete ones last', async (t) => {
  const { ask } = await start(t)
  for (const repo of Object.keys(expected)) {
    const { arrays, counts, truncated } = await ask(`${repo}/main`)
    const lists = { incomplete: new Array<string>(), unknown: new Array<string>(), complete: new Array<string>() }
    for (const array of arrays) lists[rank(array)].push(array.path)
    for (const list of Object.values(lists)) t.strictSame(list, list.toSorted(compareUtf8))
    t.strictSame(
      arrays.map(({ path }) => path),
      Object.values(lists).flat(),
    )
    t.match(counts, {
      incomplete: lists.incomplete.length,
      unknown: lists.unknown.length,
      complete: lists.complete.length,
    })
    t.equal(truncated, false)
  }
})

t.test('a group has only the arrays below it', async (t) => {
  const { server, ask } = await start(t)
  for (const [repo, snapshots] of Object.entries(expected)) {
    const paths = Object.keys(Object.values(snapshots).at(-1) ?? {}).filter((path) => path.startsWith('b/'))
    const { arrays } = await ask(`${repo}/main?group=/b/`)
    t.same(new Set(arrays.map(({ path }) => path)), new Set(paths), repo)
  }
  t.equal((await server.get('completeness/v1/main?group=none')).status, 404)
  t.equal((await server.get('completeness/v1/none')).status, 404)
  t.equal((await server.get('completeness/none/main')).status, 404)
  t.equal((await server.get(`completeness/v1/main?group=${'a'.repeat(4_097)}`)).status, 400)
})

t.test('an answer has an entity tag of its snapshot and group', async (t) => {
  const { server } = await start(t)
  const [last = ''] = Object.keys(expected['v2'] ?? {}).toReversed()
  const first = await server.get('completeness/v2/main')
  t.equal(first.headers.get('floe-snapshot'), last)
  const etag = first.headers.get('etag') ?? ''
  t.equal((await server.get('completeness/v2/main', { 'if-none-match': etag })).status, 304)
  t.not((await server.get('completeness/v2/main?group=b')).headers.get('etag'), etag)
})

t.test('the page of a dataset says the same', async (t) => {
  const { server, ask } = await start(t)
  const { arrays } = await ask('v2/main')
  const page = await (await server.get('datasets/v2/main', { accept: 'text/html' })).text()
  const own = arrays.filter(({ path }) => !path.includes('/'))
  for (const { chunks } of own) {
    if (chunks !== null && chunks.written < chunks.total) t.match(page, `${chunks.written} of ${chunks.total} `)
  }
  t.equal(page.split(' written<svg').length - 1, own.filter((array) => rank(array) === 'incomplete').length)
})
