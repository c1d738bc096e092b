import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { basic, type RunningServer, startServer } from '../start-server.ts'
import { request } from 'node:http'

type Answer = { readonly headers: Record<string, unknown>; readonly body: Buffer }

/** `fetch` decompresses by itself; this does not. */
async function getRaw(server: RunningServer, path: string, headers: Record<string, string>): Promise<Answer> {
  const authorization = basic('acme', server.apiKey)
  return new Promise((resolve, reject) => {
    const sent = request(`${server.meta}/${path}`, { headers: { authorization, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
    })
    sent.on('error', reject).end()
  })
}

t.test('views and pages are compressed for callers who can read that', async (t) => {
  const server = await startServer(t)
  for (const path of ['datasets/weather/main/forecast/info', 'datasets/weather/main/forecast']) {
    const plain = await getRaw(server, path, {})
    t.equal(plain.headers['content-encoding'], undefined)
    const br = await getRaw(server, path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    t.equal(br.headers['content-encoding'], 'br')
    t.strictSame(brotliDecompressSync(br.body), plain.body)
    const gzip = await getRaw(server, path, { 'accept-encoding': 'gzip' })
    t.equal(gzip.headers['content-encoding'], 'gzip')
    t.strictSame(gunzipSync(gzip.body), plain.body)
    t.match(gzip.headers['vary'], 'accept-encoding')
    const refused = await getRaw(server, path, { 'accept-encoding': 'br;q=0, identity' })
    t.equal(refused.headers['content-encoding'], undefined)
  }
})

t.test('each form has a tag of its own, and each tag is recognised and repeated', async (t) => {
  const server = await startServer(t)
  const path = 'datasets/weather/main/forecast/dict'
  const forms = await Promise.all(
    ['identity', 'gzip', 'br'].map((coding) => getRaw(server, path, { 'accept-encoding': coding })),
  )
  const tags = forms.map(({ headers }) => String(headers['etag']))
  t.equal(new Set(tags).size, 3)
  for (const tag of tags) {
    const known = await server.get(path, { 'if-none-match': `"other", W/${tag}` })
    t.equal(known.status, 304, tag)
    t.equal(known.headers.get('etag'), tag)
  }
})
