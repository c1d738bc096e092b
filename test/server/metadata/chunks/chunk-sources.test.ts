// Which files virtual chunks are in: repositories of official Icechunk, and the locations that it lists.
import { readFile } from 'node:fs/promises'
import { ChunkSources } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { countReads } from '../../catalog/count-reads.ts'
import { ManifestStore, readObjects } from '../../reading/manifests/open-manifests.ts'
import { type RunningServer, type ServerOptions, startServer } from '../../start-server.ts'

const fixtures = new URL('../../../fixtures/', import.meta.url).pathname

const Expected = z.object({
  /** The position and the location of each chunk, by array. */
  chunks: z.record(z.string(), z.array(z.tuple([z.array(z.number()), z.string()]))),
  /** As official Icechunk lists them. */
  locations: z.array(z.string()),
})
const expected = Expected.parse(JSON.parse(await readFile(`${fixtures}chunk-sources/expected.json`, 'utf8')))

const published = { storage: 'gcs', bucket: 'open', prefix: '', anonymous: false } as const

/** Opens the repository of this fixture. */
function open() {
  return countReads(openLocalStore(`${fixtures}chunk-sources/v2`))
}

type Query = Readonly<Record<string, string>>

async function ask(
  server: RunningServer,
  repo = 'runs',
  query: Query = {},
  key = server.adminKey,
): Promise<ChunkSources> {
  const response = await server.get(`chunk-sources/${repo}/main?${new URLSearchParams(query)}`, {
    authorization: `Bearer ${key}`,
  })
  if (response.status !== 200) throw new Error(await response.text())
  return ChunkSources.parse(await response.json())
}

async function start(t: Test, options: ServerOptions = {}) {
  const { store, reads } = open()
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'runs', store }], ...options })
  return { server, reads }
}

/** The address of a location that has no credentials. */
const complete = (location: string) => location.replace('vcc://runs/', 's3://open-data/runs/')
const withoutSecrets = (location: string) => (location.startsWith('https:') ? location.replace(/[?#].*/, '') : location)

/** Counts naively. */
function countFiles(paths: readonly string[]) {
  const files = new Map<string, { chunks: number; bytes: number; paths: Set<string> }>()
  for (const path of paths)
    for (const [number, [, location]] of (expected.chunks[path] ?? []).entries()) {
      const file = withoutSecrets(complete(location))
      const found = files.get(file) ?? { chunks: 0, bytes: 0, paths: new Set() }
      found.chunks += 1
      found.bytes += 100 + number
      files.set(file, { ...found, paths: found.paths.add(path) })
    }
  return [...files]
    .map(([file, { chunks, bytes, paths }]) => ({ file, chunks, bytes, arrays: paths.size }))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

// Proves: `/chunk-sources` lists the files in which official Icechunk finds virtual chunks
t.test('each file has the chunks that official Icechunk finds in it', async (t) => {
  const { server, reads } = await start(t)
  const found = await ask(server)
  t.strictSame(found.files, countFiles(Object.keys(expected.chunks)))
  t.strictSame(
    found.files.map(({ file }) => file),
    [...new Set(expected.locations.map(withoutSecrets))].sort(),
  )
  t.match(found, { arrays: null, unknown: [], next: null, truncated: false })
  t.strictSame(
    (await ask(server, 'runs', { group: 'forecast' })).files,
    countFiles(['forecast/temperature', 'forecast/wind']),
  )
  t.strictSame((await ask(server, 'runs', { path: '*/wind' })).files, countFiles(['forecast/wind']))
  t.notOk(reads.some((key) => key.startsWith('chunks/')))
})

t.test('one file has the positions of its chunks, in ranges', async (t) => {
  const { server } = await start(t)
  const file = 's3://open-data/runs/w/1.nc'
  const found = await ask(server, 'runs', { file })
  t.strictSame(
    found.files,
    countFiles(Object.keys(expected.chunks)).filter((one) => one.file === file),
  )
  t.strictSame(found.arrays, [
    { path: 'forecast/wind', chunks: 10, bytes: 1_145, ranges: [{ first: [10], last: [19] }] },
    { path: 'odd', chunks: 1, bytes: 105, ranges: [{ first: [5], last: [5] }] },
  ])
  const split = await ask(server, 'runs', { file: 's3://open-data/runs/t/010.nc' })
  t.match(split.arrays, [{ chunks: 6, ranges: [{ first: [30, 0], last: [32, 1] }] }], 'over two manifests')
  t.match(await ask(server, 'runs', { file: 'vcc://runs/w/1.nc' }), { files: [], arrays: [], next: null })
})

t.test('pages follow one another', async (t) => {
  const { server } = await start(t)
  const files = new Array<unknown>()
  let query: Query = { limit: '4' }
  for (let next: string | null = ''; next !== null; query = { ...query, after: next ?? '' }) {
    const page = await ask(server, 'runs', query)
    t.ok(page.files.length <= 4)
    files.push(...page.files)
    next = page.next
  }
  t.strictSame(files, countFiles(Object.keys(expected.chunks)))
})

for (const version of ['v1', 'v2'] as const)
  t.test(`plain and compressed locations are read, in ${version}`, async (t) => {
    const store = openLocalStore(`${fixtures}manifests/${version}`)
    const server = await startServer(t, { sources: [{ kind: 'repository', name: 'runs', store }] })
    const { files, unknown } = await ask(server)
    // As scripts/fixtures/chunks/manifests.py writes them.
    const steps = Array.from({ length: 300 }, (_, step) => step).filter((step) => step % 7 > 0)
    t.strictSame(
      files.map(({ file, chunks, arrays }) => ({ file, chunks, arrays })),
      Array.from({ length: 30 }, (_, tens) => ({
        file: `s3://open-data/runs/${String(tens).padStart(3, '0')}.nc`,
        chunks: steps.filter((step) => Math.floor(step / 10) === tens).length + (tens === 0 ? 2 : 0),
        arrays: tens === 0 ? 2 : 1,
      })),
    )
    t.strictSame(unknown, [])
    const [first] = (await ask(server, 'runs', { file: 's3://open-data/runs/000.nc' })).arrays ?? []
    t.strictSame(first?.ranges, [
      { first: [3], last: [3] },
      { first: [5], last: [5] },
    ])
  })

// Proves: who must not see where a repository is stored does not learn in which files its chunks are
t.test('who must not see where a repository is stored does not learn in which files its chunks are', async (t) => {
  const stores = { hidden: open().store, shown: open().store }
  const { server } = await start(t, {
    sources: [
      { kind: 'repository', name: 'hidden', store: stores.hidden },
      { kind: 'repository', name: 'shown', store: stores.shown, published },
    ],
  })
  const get = (repo: string, headers: Query, base = server.meta, ref = 'main') =>
    fetch(`${base}/chunk-sources/${repo}/${ref}`, { headers })
  const reader = { authorization: `Bearer ${server.apiKey}` }
  const admin = { authorization: `Bearer ${server.adminKey}` }
  const whole = await get('hidden', admin)
  t.equal(whole.status, 200)
  const tag = whole.headers.get('etag') ?? ''
  const refused = [
    get('hidden', reader),
    get('hidden', { ...reader, 'if-none-match': tag }),
    get('hidden', { ...reader, 'if-none-match': '*' }),
    get('hidden', { ...reader, accept: 'text/html' }),
    get('hidden', {}, server.publicMeta),
  ]
  for (const response of await Promise.all(refused)) {
    t.equal(response.status, 403)
    t.notMatch(await response.text(), /s3:|open-data/)
  }
  t.match(await (await get('hidden', reader)).json(), {
    type: '/problems/forbidden',
    detail: 'Where "hidden" is stored is not published, so this needs an administrator\'s API key',
  })
  const snapshot = `${whole.headers.get('floe-snapshot')}`
  const shown = [get('shown', reader), get('shown', {}, server.publicMeta, snapshot), get('shown', admin)]
  for (const response of await Promise.all(shown)) {
    t.equal(response.status, 200)
    t.notMatch(response.headers.get('cache-control'), 'immutable')
    t.notMatch(await response.text(), 'hush', 'a credential')
  }
  t.equal((await get('hidden', { ...admin, 'if-none-match': tag })).status, 304)
})

t.test('a manifest that cannot be read is told, and read again by the next request', async (t) => {
  const store = new ManifestStore(await readObjects('v2'))
  const manifests = [...store.objects].filter(([key]) => key.startsWith('manifests/'))
  for (const [key] of manifests) store.objects.delete(key)
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'runs', store }] })
  const lacking = await ask(server)
  t.strictSame(
    [lacking.files, new Set(lacking.unknown.map(({ reason }) => reason))],
    [[], new Set(['manifest_missing'])],
  )
  for (const [key, bytes] of manifests) store.objects.set(key, bytes)
  t.match(await ask(server), { files: { length: 30 }, unknown: [] })
})

t.test('a wrong question is refused', async (t) => {
  const { server } = await start(t)
  const status = async (query: string) =>
    (await server.get(`chunk-sources/runs/main?${query}`, { authorization: `Bearer ${server.adminKey}` })).status
  t.equal(await status('group=none'), 404)
  t.equal(await status('limit=1001'), 400)
  t.equal(await status('file='), 400)
})
