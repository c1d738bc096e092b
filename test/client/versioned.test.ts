import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { readExpectedAnswers } from '../server/expected-answers.ts'
import { fixtures, startServer } from '../server/start-server.ts'
import { createTestClient } from './create-test-client.ts'

const wind = { repo: 'weather', ref: 'main', group: 'wind/speed' }
const views = ['info', 'keys', 'dict'] as const

t.test('a value is sent again only when it has changed', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'moving'), { recursive: true })
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(directory) }] })
  const floe = createTestClient(server)
  const names = { repo: 'moving', ref: 'main' }
  const before = await Promise.all(views.map(async (view) => [view, await floe.versioned[view](names)] as const))
  for (const [view, { snapshotId, etag }] of before) {
    const again = await floe.versioned[view](names, { ifNoneMatch: etag })
    t.match(again, { isModified: false, snapshotId, etag: /^"/ }, view)
    t.notOk('value' in again, view)
    const chained = await floe.versioned[view](names, { ifNoneMatch: again.etag })
    t.equal(chained.isModified, false, `${view}: the tag of an unchanged answer is good too`)
  }
  await cp(join(fixtures, 'satellite'), join(directory, 'moving'), { recursive: true })
  const { branches } = await readExpectedAnswers('satellite')
  for (const [view, { etag }] of before) {
    const changed = await floe.versioned[view](names, { ifNoneMatch: etag })
    t.match(changed, { isModified: true, snapshotId: branches['main'] }, view)
    if (changed.isModified) t.strictSame(changed.value, await floe[view](names), view)
    t.not(changed.etag, etag, view)
  }
})

/** Creates a client that gets the same answer to every request. */
function answered(status: number, headers: Record<string, string>, body: BodyInit | null = null) {
  const requests: Request[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push(new Request(input, init))
    return new Response(body, { status, headers })
  }
  return { floe: createTestClient({ origin: 'https://floe.example.org' }, { fetch }), requests }
}

t.test('a 304 is accepted only by a call that sent an ETag', async (t) => {
  const headers = { 'floe-snapshot': '1CECHNKREP0F1RSTCMT0', etag: '"a"' }
  const { floe, requests } = answered(304, headers)
  const unexpected = { name: 'UnexpectedResponseError', status: 304 }
  await t.rejects(floe.versioned.info(wind), unexpected)
  await t.rejects(floe.versioned.info(wind, { ifNoneMatch: undefined }), unexpected)
  await t.rejects(floe.info(wind), unexpected)
  t.strictSame(await floe.versioned.info(wind, { ifNoneMatch: '"a"' }), {
    isModified: false,
    snapshotId: headers['floe-snapshot'],
    etag: '"a"',
  })
  t.strictSame(
    requests.map((request) => request.headers.get('if-none-match')),
    [null, null, null, '"a"'],
  )
})

t.test('an answer that does not name its snapshot is refused', async (t) => {
  const unexpected = { name: 'UnexpectedResponseError', message: /without the header floe-snapshot/ }
  const json = { 'content-type': 'application/json' }
  await t.rejects(answered(200, json, '[]').floe.versioned.keys(wind), unexpected)
  await t.rejects(answered(304, {}).floe.versioned.keys(wind, { ifNoneMatch: '"a"' }), unexpected)
  t.strictSame(await answered(200, json, '["x"]').floe.keys(wind), ['x'], 'the plain methods need none')
  t.match(
    await answered(200, { ...json, 'floe-snapshot': '1CECHNKREP0F1RSTCMT0' }, '["x"]').floe.versioned.keys(wind),
    { isModified: true, value: ['x'], etag: undefined },
  )
  await t.rejects(answered(200, { 'content-type': 'text/html' }, '<p>Log in').floe.versioned.keys(wind), {
    name: 'UnexpectedResponseError',
    message: /text\/html instead of application\/json/,
  })
})
