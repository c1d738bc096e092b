import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { t } from 'tap'
import { openStore } from '../../../../../storage/repositories/objects/index.ts'
import { startLoopback } from '../loopback-server.ts'

const { signal } = new AbortController()
const options = { maxBytes: 1_000, signal }
const content = new Uint8Array(Buffer.from('0123456789'))

const sendContent: RequestListener = (_request, response) =>
  void response.writeHead(200, { etag: '"1"', 'content-length': 10 }).end('0123456789')

t.test('credentials and query of the address go with every request, each part encoded', async (t) => {
  const { origin, requests } = await startLoopback(t, sendContent)
  const address = new URL(`${origin}/a%20b/?sig=x%2By&z`)
  address.username = 'ü:'
  address.password = 'p@ss%25'
  const store = await openStore(address.href)
  t.match(await store.below('refs/').read('branch.a b%20?#/ref.json', options), { state: 'found', bytes: content })
  t.equal(requests[0]?.url, '/a%20b/refs/branch.a%20b%2520%3F%23/ref.json?sig=x%2By&z')
  t.equal(requests[0]?.headers.authorization, `Basic ${Buffer.from('ü::p@ss%').toString('base64')}`)
  t.equal(requests[0]?.headers['accept-encoding'], 'identity')
})

t.test('headers of the location go with every request, and replace the credentials of the address', async (t) => {
  const { origin, requests } = await startLoopback(t, sendContent)
  const address = new URL(origin)
  address.username = address.password = 'hush'
  const store = await openStore(address.href, { headers: { Authorization: 'Bearer token', 'X-Api-Key': 'key' } })
  t.equal(store.location, origin)
  await store.below('a/').read('repo', { ...options, range: { start: 0, end: 1 } })
  t.match(requests[0]?.headers, { authorization: 'Bearer token', 'x-api-key': 'key', range: 'bytes=0-0' })
})

t.test('a hash of the content is the etag when the server sends none', async (t) => {
  let body = 'one'
  const { origin } = await startLoopback(t, (_request, response) => void response.end(body))
  const store = await openStore(origin)
  const etag = `"sha256-${createHash('sha256').update('one').digest('base64url')}"`
  t.match(await store.read('repo', options), { state: 'found', etag })
  t.strictSame(await store.read('repo', { ...options, ifNoneMatch: etag }), { state: 'unchanged' })
  body = 'two'
  t.match(await store.read('repo', { ...options, ifNoneMatch: etag }), {
    state: 'found',
    bytes: new Uint8Array(Buffer.from('two')),
  })
})

t.test('a server that ignores ranges and conditions can be read', async (t) => {
  const { origin } = await startLoopback(t, sendContent)
  const store = await openStore(origin)
  const part = async (start: number, end: number) => {
    const result = await store.read('repo', { maxBytes: 4, range: { start, end }, signal })
    return result.state === 'found' ? Buffer.from(result.bytes).toString() : result.state
  }
  t.equal(await part(0, 1), '0')
  t.equal(await part(3, 6), '345')
  t.equal(await part(8, 12), '89')
  t.equal(await part(20, 24), '')
  const unread = { maxBytes: 1, signal, ifNoneMatch: '"1"' }
  t.strictSame(await store.read('repo', unread), { state: 'unchanged' }, 'also without reading what came along')
})

t.test('a response with another range than requested is refused', async (t) => {
  for (const [contentRange, start] of [
    [undefined, 2],
    ['bytes */10', 2],
    ['bytes 3-4/10', 2],
  ] as const) {
    const { origin } = await startLoopback(t, (_request, response) => {
      response.writeHead(206, contentRange === undefined ? {} : { 'content-range': contentRange }).end('34')
    })
    const read = (await openStore(origin)).read('repo', { ...options, range: { start, end: start + 2 } })
    await t.rejects(read, { name: 'ObjectStoreError', status: 206 }, contentRange ?? 'none')
  }
})

t.test('answers that nobody reads leave their connection open', async (t) => {
  const { origin, requests } = await startLoopback(t, ({ url = '' }, response) => {
    if (url.endsWith('absent')) response.writeHead(404).end('absent')
    else response.writeHead(304).end()
  })
  const store = await openStore(origin)
  for (let count = 0; count < 10; count++) {
    t.strictSame(await store.read('absent', options), { state: 'absent' })
    t.strictSame(await store.read('repo', { ...options, ifNoneMatch: '"1"' }), { state: 'unchanged' })
  }
  // A connection is free again a moment after its answer.
  t.ok(new Set(requests.map(({ socket }) => socket)).size < 5)
})

t.test('a compressed answer is refused before it is decompressed', async (t) => {
  const bomb = gzipSync(Buffer.alloc(1_000_000))
  const { origin } = await startLoopback(t, (_request, response) => {
    response.writeHead(200, { etag: '"1"', 'content-encoding': 'gzip' }).end(bomb)
  })
  const read = (await openStore(origin)).read('repo', { maxBytes: 2_000_000, signal })
  await t.rejects(read, { name: 'ObjectStoreError', message: /compressed/ })
})

t.test('a listing fails, and the error says why', async (t) => {
  const { origin, requests } = await startLoopback(t, sendContent)
  const list = (await openStore(`${origin}/era5`)).list('refs/', { maxEntries: 10, signal })
  const message = `${origin}/era5: refs/: HTTP has no listing, which branches and tags of a format version 1 repository need`
  await t.rejects(list, { name: 'ObjectStoreError', message })
  t.equal(requests.length, 0)
})
