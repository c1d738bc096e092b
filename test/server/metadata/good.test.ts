// The last good head of a branch over HTTP, with a repository that official Icechunk wrote.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RefNotFoundError } from '@floe/storage/icechunk'
import { t } from 'tap'
import type { CatalogEntry } from '../../../server/catalog/catalog-entry.ts'
import { findLastGood } from '../../../server/metadata/answering/last-good.ts'
import { visibleText } from '../pages/markup.ts'
import { expectation, startGoodHeads, startMoving } from '../start-good-heads.ts'

const html = { accept: 'text/html' }

t.test('main@good keeps the last good head until a better one is good', async (t) => {
  const { first, move, post, read, good } = await startGoodHeads(t)
  await post(first, 'passed')
  t.strictSame(await read(), [first, '0'])
  const bad = await move('s1')
  await post(bad, 'failed', 'step 12 is NaN')
  t.strictSame(await read(), [first, '1'])
  t.match(await good(), {
    branch: 'main',
    head_snapshot_id: bad,
    requires: { checks: ['quality'], expectations: [] },
    last_good_snapshot_id: first,
    behind: 1,
    since: String,
    heads: [
      { snapshot_id: bad, state: 'failed', lacks: [{ kind: 'check', name: 'quality', text: 'step 12 is NaN' }] },
      { snapshot_id: first, state: 'good', lacks: [], due_at: null },
    ],
  })
  const repaired = await move('s2')
  t.strictSame(await read(), [first, '2'], 'a check that is missing is no good sign')
  t.match((await good()).heads[0], { state: 'pending', lacks: [{ state: 'missing' }], due_at: String })
  await post(repaired, 'passed')
  t.strictSame(await read(), [repaired, '0'])
  t.match(await good(), { behind: 0, since: null })
  await move('s3')
  await move('s0')
  t.strictSame(await read(), [first, '0'], 'a reset to a good head makes it the last good one')
})

// Proves: `main@good` is taken wherever a ref is, and names the newest good head that still exists
t.test('main@good is taken wherever a ref is', async (t) => {
  const { server, move, post, read } = await startGoodHeads(t)
  const good = await move('s1')
  await post(good, 'passed')
  await move('s2')
  for (const path of [
    'discovery/sea/main@good',
    'datasets/sea/main@good/info',
    'datasets/sea/main@good/keys',
    'datasets/sea/main@good/dict',
    'datasets/sea/main@good',
    'zarr/sea/main@good/zarr.json',
    'cite/sea/main@good',
    'history/sea/main@good',
    'checks/sea/main@good',
    'completeness/sea/main@good',
    'gaps/sea/main@good',
    'diff/sea/main/main@good',
    'compatibility/sea/main/main@good',
    'stac/datasets/sea/main@good',
    'croissant/sea/main@good',
  ])
    t.strictSame(await read(path), [good, '1'], path)
  t.strictSame(await read('discovery/sea/main'), await read('discovery/sea/s2'))
  const names = { name: 'datasets_keys', arguments: { repo: 'sea', ref: 'main@good' } }
  const tool = await fetch(`${server.publicMeta}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: names }),
  })
  t.match(await tool.text(), `Snapshot: ${good}, heads behind the branch: 1`)
})

t.test('pages say how far behind the good head is, and show which heads are good', async (t) => {
  const { server, move, post } = await startGoodHeads(t)
  const good = await move('s1')
  await post(good, 'passed')
  await post(await move('s2'), 'failed', 'step <12> is NaN')
  await move('s3')
  const show = async (path: string) => visibleText(await (await server.get(path, html)).text()).replaceAll(/\s+/g, ' ')
  for (const path of ['discovery/sea/main@good', 'datasets/sea/main@good'])
    t.match(await show(path), /Last good head 2 heads behind main Snapshot/, path)
  t.match(await show('history/sea/main@good'), /The last good head of main, 2 heads behind ?\./)
  t.match(await (await server.get('discovery/sea', html)).text(), 'href="/v1/services/tiles/acme/_meta/good/sea/main"')
  const page = await show('good/sea/main')
  t.match(page, /main@good is 2 heads behind main since 20..-.*UTC ?\. What changed since/)
  t.match(page, /if these checks have passed: quality, and if it is not retracted/)
  t.match(
    page,
    /pending \w{20} seen .*quality is missing fails at .*not good \w{20} .*quality failed: step <12> is NaN/,
  )
  t.match(page, new RegExp(`good ${good} last good`))
})

t.test('without a good head, the answer says why, and who can change it', async (t) => {
  const { server, refresh, idOf, post } = await startMoving(t)
  await refresh()
  const read = async (path = 'discovery/sea/main@good') => (await server.get(path)).json()
  t.match(await read(), {
    type: '/problems/ref-not-found',
    detail: /nothing is expected of good heads/,
    see: /good\/sea/,
  })
  t.match(await (await server.get('good/sea/main')).json(), { requires: null, heads: [], behind: null })
  await server.administer('POST', 'repos/sea/expectations', expectation)
  t.match(await read(), { detail: /the newest is not: quality is missing/ })
  await post(await idOf('s0'), 'failed', 'step 12 is NaN')
  t.match(await read(), { status: 404, detail: /the newest is not: quality failed: step 12 is NaN/ })
  t.match(await read('discovery/sea/nothing@good'), { detail: /no branch, tag or snapshot called "nothing@good"/ })
  t.match(await read('good/sea/s1'), { status: 404, detail: /no branch "s1"/ })
  t.match(await read('good/sea/main@good'), { status: 404 })
  t.match(await read('good/sea/nothing'), { status: 404 })
})

t.test('a good head whose snapshot is gone is not named, but the one before it', async (t) => {
  const { server, move, post, read, good } = await startGoodHeads(t)
  const [older, newer] = [await move('s1'), await move('s2')]
  for (const id of [older, newer]) await post(id, 'passed')
  await move('s3')
  const drop = (id: string) => rm(join(t.testdirName, 'sea/snapshots', id))
  await drop(newer)
  t.strictSame(await read(), [older, '2'])
  t.match(await good(), { last_good_snapshot_id: older, behind: 2 })
  await drop(older)
  t.match(await (await server.get('discovery/sea/main@good')).json(), { detail: /snapshots .* no longer exist/ })
})

t.test('a ref that is called main@good is meant', async (t) => {
  const { point, first, post, read, idOf } = await startGoodHeads(t)
  await post(first, 'passed')
  await point('branch.main@good', 's3')
  t.strictSame(await read(), [await idOf('s3'), null])
})

t.test('the search for a good head that still exists has one time limit', async (t) => {
  const { server, first, move, post } = await startGoodHeads(t)
  for (const id of [first, await move('s1')]) await post(id, 'passed')
  const signals: AbortSignal[] = []
  const resolve = (id: string, signal: AbortSignal) => {
    signals.push(signal)
    return Promise.reject(new RefNotFoundError('sea', id))
  }
  const repository = { readState: async () => ({ resolve }) }
  const { id } = await server.db
    .selectFrom('repositories')
    .select('id')
    .where('name', '=', 'sea')
    .executeTakeFirstOrThrow()
  const entry = { id, org: 'acme', name: 'sea', repository } as unknown as CatalogEntry // only these are read
  t.match(await findLastGood({ db: server.db, timing: { now: Date.now, elapsed: () => 0 } }, entry, 'main'), {
    lastGood: null,
  })
  t.equal(signals.length, 2)
  t.equal(new Set(signals).size, 1)
})
