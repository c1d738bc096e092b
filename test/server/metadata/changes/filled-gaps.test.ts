// What a comparison tells of manifests: a day of an archive of forecast runs, which official Icechunk wrote.
import { Completeness, Diff } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { countReads } from '../../catalog/count-reads.ts'
import { visibleText } from '../../pages/markup.ts'
import { startServer } from '../../start-server.ts'

const archive = new URL('../../../fixtures/forecast-runs/', import.meta.url).pathname
const samples = new URL('../../../fixtures/repositories/', import.meta.url).pathname

async function start(t: Test) {
  const { store, reads } = countReads(openLocalStore(archive))
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'runs', store }] })
  const compare = async (from: string, to: string, query = '?manifests=true') =>
    Diff.parse(await (await server.get(`diff/runs/${from}/${to}${query}`)).json())
  const listFilled = async (from: string, to: string) =>
    (await compare(from, to)).chunks?.map(({ path, along, filled }) => [path, along, filled])
  return { server, reads, compare, listFilled }
}

// Proves: `/diff?manifests=true` lists the gaps of each array that were filled
t.test('a run that was repaired or came late is a filled gap', async (t) => {
  const { listFilled, reads } = await start(t)
  const both = (run: number) => ['rain', 'temperature'].map((path) => [path, 'init_time', [{ first: run, last: run }]])
  t.strictSame(await listFilled('4-while-3-is-partial', '3-repaired'), both(3))
  t.strictSame(await listFilled('6-while-5-is-late', '5-came-late'), both(5))
  t.strictSame(await listFilled('4-while-3-is-partial', '10'), both(3), 'the others were not gaps then')
  const nothing = ['rain', 'temperature'].map((path) => [path, 'init_time', []])
  t.strictSame(await listFilled('begin', '3-partial'), nothing, 'what was not yet written was no gap')
  t.strictSame(await listFilled('5-came-late', '8-without-7'), nothing, 'a run that never came is not filled')
  t.strictSame(
    reads.filter((key) => key.startsWith('chunks/')),
    [],
    'no chunk is read',
  )
})

// Proves: `/diff?manifests=true` adds up the stored bytes of the arrays with changed chunks, before and after
t.test('the bytes before and after are those of both snapshots', async (t) => {
  const { server, compare } = await start(t)
  const readBytes = async (ref: string) =>
    Completeness.parse(await (await server.get(`completeness/runs/${ref}?bytes=true`)).json())
  const [from, to] = ['4-while-3-is-partial', '3-repaired']
  const [before, after, { chunks, bytes }] = [await readBytes(from), await readBytes(to), await compare(from, to)]
  t.strictSame(bytes, { before: before.bytes, after: after.bytes })
  for (const { path, bytes } of chunks ?? []) {
    const find = ({ arrays }: Completeness) => arrays.find((array) => array.path === path)?.bytes
    t.strictSame(bytes, { before: find(before), after: find(after) }, path)
  }
  t.equal((after.bytes?.inline.chunks ?? 0) - (before.bytes?.inline.chunks ?? 0), 6)
})

t.test('an array that is created or deleted adds all of its bytes', async (t) => {
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(samples) }] })
  const compare = async (from: string, to: string) =>
    Diff.parse(await (await server.get(`diff/weather/${from}/${to}?manifests=true`)).json())
  const { commits } = (await (await server.get('history/weather/main')).json()) as {
    commits: { snapshot_id: string }[]
  }
  const { chunks, bytes } = await compare(commits.at(-1)?.snapshot_id ?? '', 'main')
  const created = chunks?.filter(({ bytes }) => bytes?.before === null) ?? []
  t.ok(created.length > 0)
  for (const { filled, along, bytes } of created) {
    t.strictSame([filled, along], [null, null])
    t.not(bytes?.after, null)
  }
  t.match(bytes?.before, { native: { chunks: 0, bytes: 0 } })
  t.ok((bytes?.after?.native.bytes ?? 0) + (bytes?.after?.inline.bytes ?? 0) > 0)
})

t.test('manifests are read only on request, once, and both answers are cached by themselves', async (t) => {
  const { server, reads, compare } = await start(t)
  const countManifests = () => reads.filter((key) => key.startsWith('manifests/')).length
  for (const query of ['', '?manifests=false']) {
    const answer = await compare('4-while-3-is-partial', '3-repaired', query)
    t.notOk('bytes' in answer || answer.chunks?.some((array) => 'bytes' in array || 'filled' in array), query)
  }
  t.equal(countManifests(), 0)
  await compare('4-while-3-is-partial', '3-repaired')
  const count = countManifests()
  t.ok(count > 0)
  await compare('4-while-3-is-partial', '3-repaired')
  t.equal(countManifests(), count)
  t.equal(new Set(reads.filter((key) => key.startsWith('manifests/'))).size, count)
  t.equal((await server.get('diff/runs/begin/10?manifests=yes')).status, 400)
})

t.test('the page says which runs were filled, and how much larger arrays are', async (t) => {
  const { server, compare, reads } = await start(t)
  const read = async (address: string) =>
    visibleText(await (await server.get(`diff/runs/${address}`, { accept: 'text/html' })).text())
  const page = await read('4-while-3-is-partial/3-repaired')
  const { chunks } = await compare('4-while-3-is-partial', '3-repaired')
  for (const { path, count, bytes } of chunks ?? []) {
    const growth = (bytes?.after?.inline.bytes ?? 0) - (bytes?.before?.inline.bytes ?? 0)
    t.ok(growth > 0)
    t.match(page, `\n${path}\narray, ${count} chunks written or deleted, `)
    t.match(page, ` written, +${growth}B stored, filled: init_time 3\n`)
  }
  t.notMatch(await read('begin/3-partial'), 'filled')
  t.strictSame(
    reads.filter((key) => key.startsWith('chunks/')),
    [],
  )
})

t.test('where the changed chunks are unknown, so are the bytes', async (t) => {
  const { compare } = await start(t)
  t.match(await compare('10', 'begin'), { chunks: null, bytes: { before: null, after: null } })
})
