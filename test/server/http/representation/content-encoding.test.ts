import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { t } from 'tap'
import { encodeBody, registerEncodableBody } from '../../../../server/http/representation/content-encoding.ts'
import { basic, type RunningServer, startServer } from '../../start-server.ts'
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

const decompressors = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync } as const

t.test('views and pages are compressed for callers who can read that', async (t) => {
  const server = await startServer(t)
  for (const path of ['datasets/weather/main/forecast/info', 'datasets/weather/main/forecast']) {
    const plain = await getRaw(server, path, {})
    t.equal(plain.headers['content-encoding'], undefined)
    for (const [coding, decompress] of Object.entries(decompressors)) {
      const encoded = await getRaw(server, path, { 'accept-encoding': coding })
      t.equal(encoded.headers['content-encoding'], coding)
      t.strictSame(decompress(encoded.body), plain.body)
      t.match(encoded.headers['vary'], 'accept-encoding')
    }
    const refused = await getRaw(server, path, { 'accept-encoding': 'br;q=0, identity' })
    t.equal(refused.headers['content-encoding'], undefined)
  }
})

t.test('the first caller gets the form that is made first, and later ones the smallest', async (t) => {
  for (const [header, quickest] of [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'gzip'],
    ['br', 'br'],
  ] as const) {
    const body = registerEncodableBody(Buffer.from('wind speed '.repeat(2_000)))
    const first = await encodeBody(body, header)
    t.equal(first?.encoding, quickest, header)
    t.ok(body.equals(decompressors[quickest](first?.bytes ?? '')))
    // Brotli is asked for alone, so this waits for the form that was begun.
    const smallest = await encodeBody(body, 'br')
    t.strictSame(encodeBody(body, header), smallest, 'at once')
    t.ok(body.equals(brotliDecompressSync(smallest?.bytes ?? '')))
  }
})

t.test('callers who come while a form is made share it', async (t) => {
  const body = registerEncodableBody(Buffer.from('wind speed '.repeat(2_000)))
  const [one, other] = await Promise.all([encodeBody(body, 'gzip'), encodeBody(body, 'gzip')])
  t.equal(one?.bytes, other?.bytes)
})

t.test('small bodies, and those for callers who accept none of our codings, are sent as they are', (t) => {
  t.equal(encodeBody(Buffer.alloc(1_000), 'br'), undefined)
  for (const header of [undefined, '', 'identity', 'deflate', 'br;q=0', 'x'.repeat(10_000)]) {
    t.equal(encodeBody(Buffer.alloc(2_000), header), undefined, String(header).slice(0, 20))
  }
  t.end()
})

t.test('each form has a tag of its own, and each tag is recognised and repeated', async (t) => {
  const server = await startServer(t)
  const path = 'datasets/weather/main/forecast/dict'
  const forms = await Promise.all(
    ['identity', 'gzip', 'br', 'zstd'].map((coding) => getRaw(server, path, { 'accept-encoding': coding })),
  )
  const tags = forms.map(({ headers }) => String(headers['etag']))
  t.equal(new Set(tags).size, 4)
  for (const tag of tags) {
    const known = await server.get(path, { 'if-none-match': `"other", W/${tag}` })
    t.equal(known.status, 304, tag)
    t.equal(known.headers.get('etag'), tag)
  }
})

t.test('304 names what the answer in its place varies with', async (t) => {
  const server = await startServer(t)
  for (const address of [
    `${server.publicMeta}/discovery`,
    `${server.publicMeta}/datasets/weather/main/forecast/dict`,
    `${server.publicMeta}/history/weather/main`,
    `${server.origin}/assets/web/style.css`,
  ]) {
    const { headers } = await fetch(address)
    const known = await fetch(address, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    t.equal(known.status, 304)
    t.match(known.headers.get('vary'), 'accept-encoding')
    t.equal(known.headers.get('vary'), headers.get('vary'), address)
  }
})
