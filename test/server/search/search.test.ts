// Searches over HTTP in repositories that official Icechunk wrote.
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, type DatasetDict, ProblemResponseError } from '@floe/client'
import { openDatabase } from '@floe/storage/database'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { identifyUnits } from '../../../server/self-description/units.ts'
import { basic, fixtures, type RunningServer, startServer } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'

type Options = Parameters<typeof startServer>[1]

/** Starts a server whose repositories are watched and indexed. */
async function startIndexed(t: Test, options: Options = {}) {
  const server = await startServer(t, { hasSearch: true, ...options })
  await server.notifier.start()
  const floe = createClient({ baseUrl: `${server.origin}/v1`, deployment: 'tiles', org: 'acme', apiKey: server.apiKey })
  return { server, floe }
}

/** Waits until all heads of `main` are recorded and indexed. */
async function waitForIndex({ server, floe }: Awaited<ReturnType<typeof startIndexed>>): Promise<void> {
  const names = await floe.repositories()
  await waitUntil(async () => {
    const { count } = await server.db
      .selectFrom('heads')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const { index } = await floe.searchPage({})
    return count >= names.length - unreadable && index.pending === 0
  })
}

/** Fixtures without a head of `main` that Floe can read. */
const unreadable = 1

/** A service that has indexed all samples. Tests only ask it. */
const samples = await startIndexed(t)
await waitForIndex(samples)

// Proves: of the datasets that xarray opens, a search finds those whose `dict` has a value, and no others
t.test('searches find the values that dict has, in every repository', async (t) => {
  const { floe } = samples
  const expected = new Map<string, Set<string>>()
  const note = (parameter: string, value: unknown, dataset: string) => {
    if (typeof value !== 'string' || value === '') return
    const key = JSON.stringify([parameter, value])
    expected.set(key, (expected.get(key) ?? new Set()).add(dataset))
  }
  for (const repo of await floe.repositories()) {
    const groups = await floe.datasets({ repo, ref: 'main' }).catch(() => [])
    for (const group of groups) {
      const dataset = `${repo} ${group}`
      const dict = await floe.dict({ repo, ref: 'main', group }).catch(() => undefined)
      if (dict === undefined) continue
      for (const name of Object.keys(dict.dims)) note('dimension', name, dataset)
      note('institution', dict.attrs['institution'], dataset)
      for (const [name, { attrs }] of listVariables(dict)) {
        note('variable', name, dataset)
        note('units', typeof attrs['units'] === 'string' ? identifyUnits(attrs['units']) : undefined, dataset)
        note('standardName', attrs['standard_name'], dataset)
      }
    }
  }
  t.ok(expected.size > 40)
  for (const [key, datasets] of expected) {
    const [parameter, value] = JSON.parse(key) as [string, string] // written above
    const found = new Set<string>()
    for await (const { repo, group, refusal } of floe.search({ [parameter]: value }))
      if (refusal === null) found.add(`${repo} ${group}`)
    t.strictSame([...found].sort(), [...datasets].sort(), key)
  }
})

t.test('the licence is a facet, also of datasets that state none', async (t) => {
  const { floe } = samples
  const { facets, total } = await floe.searchPage({ facets: ['licence'] })
  const counted = facets.licence ?? []
  t.equal(
    counted.reduce((sum, { count }) => sum + count, 0),
    total,
  )
  t.ok(counted.some(({ value }) => value === 'no licence stated'))
  for (const { value, count } of counted) t.equal((await floe.searchPage({ licence: value })).total, count, value)
  t.equal((await floe.searchPage({ licence: 'CC-BY-NC-ND-4.0' })).total, 0)
})

t.test('a group with a data type of a plug-in is found as it is stored', async (t) => {
  const { floe } = samples
  const page = await floe.searchPage({ q: 'brain float', variable: 'weights', units: 'K', dtype: 'bfloat16' })
  t.match(page.results, [
    {
      repo: 'reported',
      group: 'plug-in-data-type',
      refusal: 'array "weights": zarr-python has no data type bfloat16',
      title: 'Brain floats',
      dimensions: { x: 3 },
      variables: [{ name: 'weights', matched: true, type: 'bfloat16', dimensions: ['x'] }],
    },
  ])
})

function listVariables({ coords, data_vars }: DatasetDict) {
  return [...Object.entries(coords), ...Object.entries(data_vars)]
}

t.test('words, phrases and facets are found in one page, with the variables that matched first', async (t) => {
  const { floe, server } = samples
  const page = await floe.searchPage({ q: 'Air tempera', repo: 'weather', facets: ['units'] })
  t.match(page.results[0], {
    repo: 'weather',
    group: 'observations/stations',
    title: 'Coastal stations',
    variables: [{ name: 'temperature', matched: true }, { matched: false }],
    href: '/v1/services/tiles/acme/_meta/datasets/weather/main/observations/stations',
  })
  t.match(page.results[1], { group: 'forecast' }, 'it has more variables')
  t.ok(page.facets.units?.some(({ value, count }) => value === 'degC' && count > 0))
  t.equal((await fetch(server.origin + page.results[0]?.href, { headers: authorize(server) })).status, 200)
  t.equal((await floe.searchPage({ q: '"air temperature"', repo: 'weather' })).total > 0, true)
  t.equal((await floe.searchPage({ q: '"temperature air"', repo: 'weather' })).total, 0)
  const first = await floe.searchPage({ limit: 2 })
  const second = await floe.searchPage({ limit: 2, before: first.next ?? '' })
  t.notSame(first.results[0], second.results[0])
  t.equal(first.total, second.total)
})

// Proves: a key that is limited to repositories searches only those, also in counts
t.test('a key of one repository searches this one, also in counts', async (t) => {
  const { floe, server } = samples
  const narrow = createClient({
    baseUrl: `${server.origin}/v1`,
    deployment: 'tiles',
    org: 'acme',
    apiKey: server.weatherKey,
  })
  const all = await floe.searchPage({ facets: ['variable'] })
  const own = await narrow.searchPage({ facets: ['variable'], limit: 100 })
  t.ok(own.total < all.total)
  t.strictSame([...new Set(own.results.map(({ repo }) => repo))], ['weather'])
  t.equal(own.index.repositories, 1)
  t.strictSame((await narrow.searchPage({ repo: 'satellite' })).results, [])
})

// Proves: the index follows commits, and repositories that are renamed or removed
t.test('the index follows a repository that is committed to, renamed and removed', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'first'), { recursive: true })
  let now = Date.now()
  // Quicker than the clock, but not so quick that the lease of the polls always runs out before its next renewal.
  const stepMs = 100
  const started = await startIndexed(t, {
    sources: [{ kind: 'scan', store: openLocalStore(directory) }],
    now: () => now,
  })
  const { floe, server } = started
  const count = async (repo: string) => (await floe.searchPage({ repo })).total
  await waitUntil(async () => (await count('first')) > 3)
  await rm(join(directory, 'first'), { recursive: true })
  await cp(join(fixtures, 'satellite'), join(directory, 'first'), { recursive: true })
  await waitUntil(async () => {
    now += stepMs
    await floe.repositories()
    const { total } = await floe.searchPage({ repo: 'first', variable: 'temperature' })
    return total === 0 && (await count('first')) > 0
  })
  await rename(join(directory, 'first'), join(directory, 'second'))
  await waitUntil(async () => {
    now += stepMs
    await floe.repositories()
    return (await count('first')) === 0 && (await count('second')) > 0
  })
  t.match(await floe.searchPage({}), { index: { repositories: 1, pending: 0 } })
  t.equal((await server.get('search?repo=second')).status, 200)
})

t.test('a repository that the configuration no longer serves is not found, from the first request on', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const source = (name: string) =>
    ({ kind: 'repository', name, store: openLocalStore(join(fixtures, name)), published: undefined }) as const
  await t.test('while both are served', async (t) => {
    const { floe } = await startIndexed(t, { db, sources: [source('weather'), source('satellite')] })
    const list = async () => new Set((await floe.searchPage({ limit: 100 })).results.map(({ repo }) => repo))
    await waitUntil(async () => (await list()).size === 2)
  })
  // Not started: nothing but the search itself compares the index with the configuration.
  const server = await startServer(t, { db, hasSearch: true, sources: [source('weather')] })
  const answer = await (await server.get('search?limit=100')).json()
  t.strictSame([...new Set(answer.results.map(({ repo }: { repo: string }) => repo))], ['weather'])
})

t.test('branches that the setting names are found beside main, until they are deleted or named no more', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather-v1'), join(directory, 'weather'), { recursive: true })
  const sources = [{ kind: 'scan', store: openLocalStore(directory) }] as const
  const list = async ({ floe }: Awaited<ReturnType<typeof startIndexed>>) => {
    const { results } = await floe.searchPage({ limit: 100 })
    return [...new Set(results.map(({ branch }) => branch))].sort()
  }
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const start = (t: Test, searchedBranches: readonly string[]) =>
    startIndexed(t, { sources, db, searchedBranches, notifications: { pollInterval: '1s' } })
  // Its server ends before the next one starts.
  await t.test('while it is set', async (t) => {
    const started = await start(t, ['dev', 'gr*'])
    await waitUntil(async () => (await list(started)).length === 3)
    const { results, index } = await started.floe.searchPage({ limit: 100 })
    t.strictSame(await list(started), ['dev', 'größe', 'main'])
    t.match(index, { repositories: 1, pending: 0 })
    for (const { branch, group, snapshot_id } of results) {
      t.ok((await started.floe.datasets({ repo: 'weather', ref: branch })).includes(group), `${branch} has ${group}`)
      t.match(snapshot_id, /^[0-9A-Z]{20}$/)
    }
    await rm(join(directory, 'weather/refs/branch.dev'), { recursive: true })
    await waitUntil(async () => !(await list(started)).includes('dev'))
  })
  const started = await start(t, [])
  await waitUntil(async () => (await list(started)).join() === 'main')
  t.match(await started.floe.searchPage({ repo: 'weath*' }), { index: { repositories: 1, pending: 0 } })
})

t.test('a form can send a field for each edge of a box, and empty fields', async (t) => {
  const { server } = samples
  const ask = async (query: string): Promise<unknown> => (await server.get(`search?${query}`)).json()
  const inEurope = await ask('bbox=-25,34,45,72')
  t.match(inEurope, { without_extent: Number })
  t.strictSame(await ask('q=&time=&repo=&repo=&bbox=-25&bbox=34&bbox=45&bbox=72'), inEurope)
  t.strictSame(await ask('repo=&bbox=&bbox=&bbox=&bbox='), await ask(''))
})

// Proves: any text is a valid query, and a malformed parameter is named
t.test('malformed queries are refused by name, and any words are safe', async (t) => {
  const { floe, server } = await startIndexed(t)
  const refused = {
    'bbox=1,2,3': 'bbox',
    'bbox=10,50,20,40': 'bbox',
    'bbox=1&bbox=2&bbox=3': 'bbox',
    'time=yesterday': 'time',
    'time=2026-02/2026-01': 'time',
    'before=x': 'before',
    'limit=0': 'limit',
    'repo=*a*a*a*a*a*a*a*a*a': 'repo',
    'facets=colour': 'facets',
    'colour=red': 'colour',
  }
  for (const [query, name] of Object.entries(refused)) {
    const response = await server.get(`search?${query}`)
    t.match(await response.json(), { status: 400, errors: [{ pointer: new RegExp(`^/query/${name}(/|$)`) }] }, query)
  }
  const texts = [
    '"',
    '*',
    'NEAR(',
    'a:b',
    '-x',
    '\0',
    "'; drop table heads; --",
    '%',
    '_',
    '\ud800',
    'x '.repeat(3_000),
  ]
  for (const text of texts) {
    const response = await server.get(`search?q=${encodeURIComponent(text.toWellFormed())}`)
    t.equal(response.status, 200, JSON.stringify(text.slice(0, 30)))
  }
  const answer = await floe.searchPage({ q: 'no-such-word-anywhere' })
  t.strictSame([answer.total, answer.results, answer.next], [0, [], null])
})

/** Makes the database wait, so that searches wait too. Returns a function that ends this, and resolves when it has. */
async function holdDatabase({ db }: RunningServer): Promise<() => Promise<void>> {
  const end = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async () => {
    isHeld.resolve()
    await end.promise
  })
  await isHeld.promise
  return async () => {
    end.resolve()
    await holding
  }
}

t.test('searches beyond the limit of waiting ones are answered 503, and the others in order', async (t) => {
  const { server } = await startIndexed(t)
  const release = await holdDatabase(server)
  const answered: Response[] = []
  const ask = async () => answered.push(await fetch(`${server.publicMeta}/search?q=air`))
  const asked = Array.from({ length: 60 }, ask)
  // The other places are for other organisations, for callers with keys, and for other addresses.
  await waitUntil(async () => answered.length === 35)
  for (const refused of answered) {
    t.match(refused, { status: 503 })
    t.equal(refused.headers.get('retry-after'), '1')
    t.match(await refused.json(), { type: '/problems/unavailable', detail: 'Too many searches wait' })
  }
  await Promise.all([release(), ...asked])
  const statuses = answered.slice(35).map(({ status }) => status)
  t.strictSame([...new Set(statuses)], [200])
})

// Proves: however many search anonymously, a search with an API key finds a place and goes before theirs
t.test('a search with a key finds a place and goes before all anonymous ones that wait', async (t) => {
  // The clock stands still, so that the key stays cached while the database waits.
  let stopped: number | undefined
  const options = { now: () => stopped ?? Date.now(), trustProxy: ['127.0.0.1'] }
  const { server, floe } = await startIndexed(t, options)
  stopped = Date.now()
  await floe.searchPage({ q: 'air' })
  const release = await holdDatabase(server)
  const answered: string[] = []
  let refused = 0
  const ask = async (caller: string, url: string, headers: Record<string, string>) => {
    const response = await fetch(`${url}/search?q=air`, { headers })
    if (response.status === 200) answered.push(caller)
    else refused += 1
  }
  const anonymous = Array.from({ length: 300 }, (_, index) =>
    ask('anonymous', server.publicMeta, { 'x-forwarded-for': `192.0.2.${index % 100}` }),
  )
  await waitUntil(() => refused === 250)
  let arrived = 0
  server.http.on('request', () => arrived++)
  const withKey = Array.from({ length: 20 }, () => ask('key', server.meta, authorize(server)))
  await waitUntil(() => arrived === 20)
  const late = await fetch(`${server.publicMeta}/search?q=air`, { headers: { 'x-forwarded-for': '198.51.100.1' } })
  t.equal(late.status, 503)
  await Promise.all([release(), ...anonymous, ...withKey])
  t.equal(refused, 250)
  // Two had already begun.
  const order = ['anonymous', 'anonymous', ...Array.from({ length: 20 }, () => 'key')]
  t.strictSame(answered.slice(0, 22), order)
})

t.test('a service without search says so', async (t) => {
  const { floe } = await startIndexed(t, { hasSearch: false })
  const error = await floe.searchPage({ q: 'x' }).catch((error: unknown) => error)
  t.type(error, ProblemResponseError)
  t.match(error, { problem: { type: '/problems/search-disabled', status: 404 } })
})

function authorize({ apiKey }: RunningServer) {
  return { authorization: basic('acme', apiKey) }
}
