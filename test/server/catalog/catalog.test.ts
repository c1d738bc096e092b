import { join } from 'node:path'
import { defaultLimits, type Repository } from '@floe/storage/icechunk'
import { type ObjectStore, openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { Catalog } from '../../../server/catalog/catalog.ts'
import { makeReadingSignal } from '../../../server/catalog/reading-signals.ts'
import { ScanQueues } from '../../../server/catalog/sources/scan-queues.ts'
import type { CatalogSource } from '../../../server/catalog/sources/open-sources.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import { buildRepo } from '../../storage/repositories/icechunk/build-object.ts'
import { recordStates } from '../observation/record-states.ts'
import { ManualTiming } from '../notifications/manual-timing.ts'
import { countReads } from './count-reads.ts'
import { type Mood, makeMoodyStore } from './moody-store.ts'
import { fixtures } from '../start-server.ts'

const maxAgeMs = 1_000
const hourMs = 3_600_000

/** A catalog of sources, a clock, the lines about scans, and the names of each query for ids. */
function openSources(sources: readonly CatalogSource[]) {
  const timing = new ManualTiming()
  const { states, lines } = recordStates(timing.elapsed)
  const recorded: (readonly string[])[] = []
  const catalog = new Catalog('acme', sources, {
    ensureIds: async (_org, names) => {
      if (names.length > 0) recorded.push(names)
      return new Map(names.map((name) => [name, `id of ${name}`]))
    },
    timing,
    limits: defaultLimits,
    missMaxAgeMs: maxAgeMs,
    states,
  })
  return { catalog, timing, lines, recorded }
}

/** A catalog of one scanned location, the reads of its store, and a clock. */
function openCatalog(place: ObjectStore = openLocalStore(fixtures)) {
  const { store, reads } = countReads(place)
  const { catalog, timing } = openSources([{ kind: 'scan', store }])
  return { find: (name: string) => catalog.find(name, makeReadingSignal), reads, timing }
}

t.test('few scans run at once, and those that hang keep the others waiting only once', async (t) => {
  const queues = new ScanQueues()
  const timing = new ManualTiming()
  const { states } = recordStates(timing.elapsed)
  const mood: Mood = { is: 'hanging' }
  let listings = 0
  const open = (org: string, ofOrg: Mood) => {
    const store = makeMoodyStore(['weather'], ofOrg)
    const list = store.list.bind(store)
    const counting = Object.assign(store, { list: (...call: Parameters<typeof list>) => (listings++, list(...call)) })
    const options = { ensureIds: async () => new Map(), timing, limits: defaultLimits, queues, states }
    const catalog = new Catalog(org, [{ kind: 'scan', store: counting }], options)
    t.teardown(() => catalog.close())
    return catalog
  }
  const hanging = Array.from({ length: 40 }, (_, index) => open(`org-${index}`, mood))
  const good = open('good', { is: 'well' })
  for (const catalog of hanging) void catalog.refresh()
  await timing.pass(100)
  t.equal(listings, 32)
  await timing.pass(60_000)
  t.equal(listings, 40)
  for (const catalog of hanging) void catalog.refresh()
  await timing.pass(100)
  t.strictSame(await good.listNames(), ['weather'])
})

t.test('a name that leads to no repository is looked up once while it is remembered', async (t) => {
  const { find, reads, timing } = openCatalog()
  await Promise.all([find('nope'), find('nope')])
  const once = reads.length
  t.ok(once > 0)
  await timing.pass(maxAgeMs - 1)
  timing.setClock(-hourMs)
  t.equal(await find('nope'), undefined)
  t.equal(reads.length, once)
  await timing.pass(1)
  t.equal(await find('nope'), undefined)
  t.equal(reads.length, 2 * once, 'then it is looked up again, even if the clock was set back')
})

t.test('a new repository is found when its name is no longer remembered as unknown', async (t) => {
  const { find } = openCatalog(openLocalStore(t.testdir({ later: { repo: 'x' } })))
  t.ok(await find('later'))
  const directory = t.testdir({})
  const empty = openCatalog(openLocalStore(directory))
  t.equal(await empty.find('later'), undefined)
  t.testdir({ later: { repo: 'x' } })
  await empty.timing.pass(maxAgeMs)
  t.match(await empty.find('later'), { location: join(directory, 'later') })
})

t.test('a repository that was written since the last scan is found at its location', async (t) => {
  const names = ['ice']
  const { catalog } = openSources([{ kind: 'scan', store: makeMoodyStore(names, { is: 'well' }) }])
  await Promise.all(catalog.refresh())
  names.push('rain')
  const found = await catalog.findAt(new Set(['moody/rain', 'moody/nope', 'elsewhere/ice']), makeReadingSignal)
  t.strictSame(
    found.map(({ id }) => id),
    ['id of rain'],
  )
})

t.test('looking at one location hides no repository of that name elsewhere', async (t) => {
  const [here, there]: [string[], string[]] = [[], []]
  const open = (names: readonly string[], location: string): CatalogSource => ({
    kind: 'scan',
    store: makeMoodyStore(names, { is: 'well' }, location),
  })
  const { catalog } = openSources([open(here, 'here'), open(there, 'there')])
  await Promise.all(catalog.refresh())
  there.push('rain')
  t.strictSame(await catalog.findAt(new Set(['here/rain']), makeReadingSignal), [])
  t.match(await catalog.find('rain', makeReadingSignal), { location: 'there/rain' })
  here.push('rain')
  t.match(await catalog.findAt(new Set(['here/rain']), makeReadingSignal), [{ id: 'id of rain' }], 'the first counts')
})

t.test('a repository is found at its location even if somebody asked for its name before', async (t) => {
  const names: string[] = []
  const { catalog } = openSources([{ kind: 'scan', store: makeMoodyStore(names, { is: 'well' }) }])
  await Promise.all(catalog.refresh())
  t.equal(await catalog.find('rain', makeReadingSignal), undefined)
  names.push('rain')
  t.match(await catalog.findAt(new Set(['moody/rain']), makeReadingSignal), [{ id: 'id of rain' }])
})

t.test('a look-up that failed is not remembered', async (t) => {
  let isDown = true
  const failing = countReads(openLocalStore(fixtures), () => {
    if (isDown) throw new Error('down')
  }).store
  const { find } = openCatalog(failing)
  await t.rejects(find('weather'), { message: 'down' })
  isDown = false
  t.match(await find('weather'), { location: join(fixtures, 'weather') })
})

/** Two scanned locations: the first behaves as `mood` says, the second always answers. */
function openTwo(is: Mood['is']) {
  const mood: Mood = { is }
  const names = ['ice']
  const moody: CatalogSource = { kind: 'scan', store: makeMoodyStore(names, mood) }
  const well: CatalogSource = { kind: 'scan', store: makeMoodyStore(['weather'], { is: 'well' }) }
  const { catalog, timing, lines } = openSources([moody, well])
  return { mood, names, catalog, timing, lines, find: (name: string) => catalog.find(name, makeReadingSignal) }
}

t.test('a source that fails hides none of the others, and the log says when it began and ended', async (t) => {
  const { mood, catalog, timing, lines } = openTwo('down')
  t.strictSame(await catalog.listNames(), ['weather'])
  await timing.pass(2_000)
  t.strictSame(await catalog.listNames(), ['weather'])
  t.match(lines, [{ org: 'acme', location: 'moody', err: { message: 'moody is down' }, failures: 1 }])
  t.equal(lines.length, 1)
  await timing.pass(300_000, 1_000)
  mood.is = 'well'
  await Promise.all(catalog.refresh())
  t.strictSame(await catalog.listNames(), ['ice', 'weather'])
  mood.is = 'down'
  await timing.pass(2_000)
  t.strictSame(await catalog.listNames(), ['ice', 'weather'], 'what was known stays in the list')
  t.match(lines[1], { location: 'moody', err: undefined, failures: 2, message: 'repositories can be listed again' })
  t.equal(lines.length, 2, 'the next line can wait')
})

t.test('a source that hangs is waited for once, for five seconds, and then listed as it is known', async (t) => {
  const { mood, catalog, timing } = openTwo('hanging')
  const first = catalog.listNames()
  let isListed = false
  void first.then(() => (isListed = true))
  await timing.pass(4_900)
  t.equal(isListed, false)
  await timing.pass(100)
  t.strictSame(await first, ['weather'])
  t.strictSame(await catalog.listNames(), ['weather'], 'no time passes')
  await timing.pass(30_000)
  mood.is = 'well'
  await Promise.all(catalog.refresh())
  t.strictSame(await catalog.listNames(), ['ice', 'weather'], 'it answers again')
  mood.is = 'hanging'
  await timing.pass(2_000)
  const again = catalog.listNames()
  await timing.pass(5_000)
  t.strictSame(await again, ['ice', 'weather'])
})

t.test('a repository is found although another source hangs or fails', async (t) => {
  for (const is of ['hanging', 'down'] as const) {
    const { find } = openTwo(is)
    t.match(await find('weather'), { location: 'moody/weather' }, is)
  }
  const { find } = openTwo('down')
  await t.rejects(find('nope'), { message: 'moody is down' }, 'it could be there')
})

t.test('a list is a failure only when all sources fail', async (t) => {
  const mood: Mood = { is: 'down' }
  const stores = ['one', 'other'].map((location) => makeMoodyStore(['ice'], mood, location))
  const { catalog, timing } = openSources(stores.map((store) => ({ kind: 'scan', store })))
  await t.rejects(catalog.listNames(), { message: 'one is down' })
  mood.is = 'hanging'
  const listed = catalog.listNames()
  await Promise.all([timing.pass(31_000), t.rejects(listed, { name: 'ObjectStoreTimeoutError' })])
  mood.is = 'well'
  t.strictSame(await catalog.listNames(), ['ice'])
})

t.test('a repository that is gone from a source that answers is gone from the list', async (t) => {
  const { catalog, names, timing } = openTwo('well')
  t.strictSame(await catalog.listNames(), ['ice', 'weather'])
  names.length = 0
  await timing.pass(1_000)
  t.strictSame(await catalog.listNames(), ['weather'])
  t.equal(await catalog.find('ice', makeReadingSignal), undefined)
})

t.test('reading a repository records none, and one query records all that are new', async (t) => {
  const names = ['ice', 'snow', 'weather']
  const { catalog, recorded } = openSources([{ kind: 'scan', store: makeMoodyStore(names, { is: 'well' }) }])
  t.ok(await catalog.find('ice', makeReadingSignal))
  t.strictSame(await catalog.listNames(), names)
  t.strictSame(recorded, [])
  const entry = await catalog.findEntry('ice', makeReadingSignal)
  t.match(entry, { org: 'acme', name: 'ice', id: 'id of ice' })
  t.equal(entry?.repository, catalog.getKnown('ice'))
  const ids = names.map((name) => [name, `id of ${name}`])
  t.strictSame([...(await catalog.findIds([...names, 'nope']))], ids)
  t.strictSame(recorded, [['ice'], names])
  t.equal(catalog.opened.pin('ice', 'id of ice'), entry)
})

t.test('a catalog that is closed ends its scans', async (t) => {
  const { catalog, lines } = openTwo('hanging')
  const scans = catalog.refresh()
  catalog.close()
  await Promise.all(scans)
  t.strictSame(lines, [])
})

t.test('sources can be replaced: what stays keeps what is known of it, all else is forgotten', async (t) => {
  const [scanned, moved, gone] = [openLocalStore(fixtures), openLocalStore(fixtures), openLocalStore(fixtures)]
  const stays: CatalogSource[] = [
    { kind: 'scan', store: scanned },
    { kind: 'repository', name: 'stays', store: moved.below('weather/') },
  ]
  const before = { kind: 'repository', name: 'moved', store: moved.below('weather/') } as const
  const { catalog } = openSources([...stays, before, { kind: 'repository', name: 'gone', store: gone }])
  const find = (name: string) => catalog.find(name, makeReadingSignal)
  const names = await catalog.listNames()
  t.equal(catalog.getKnownNames(), names)
  const [stayed, ofScan, ofMoved] = [await find('stays'), await find('weather'), await find('moved')]
  t.ok(await find('gone'))

  catalog.serve([
    ...stays,
    { ...before, store: moved.below('weather/') },
    { kind: 'repository', name: 'new', store: gone },
  ])
  t.equal(catalog.getKnown('stays'), stayed)
  t.equal(catalog.getKnown('weather'), ofScan)
  t.not(catalog.getKnown('moved'), ofMoved, 'even though the location reads the same')
  const again = await find('moved')
  t.match(again, { location: ofMoved?.location })
  t.not(again, ofMoved)
  t.equal(await find('gone'), undefined)
  t.not(catalog.getKnownNames(), names, 'lists that were answered before are not current')
  const listed = await catalog.listNames()
  t.ok(listed.includes('new') && !listed.includes('gone'))

  catalog.serve([])
  t.strictSame(await catalog.listNames(), [])
  t.strictSame([...catalog.follow(() => {})], [])
  t.equal(await find('weather'), undefined)
})

t.test('a list that waits for a source which is replaced is made of the new ones', async (t) => {
  const mood: Mood = { is: 'hanging' }
  const { catalog } = openSources([{ kind: 'scan', store: makeMoodyStore(['ice'], mood) }])
  const listed = catalog.listNames()
  catalog.serve([{ kind: 'scan', store: openLocalStore(fixtures) }])
  t.ok((await listed).includes('weather'))
})

t.test('the states of all repositories together have a limit of bytes, and the latest stay', async (t) => {
  const store = new MemoryStore([['repo', buildRepo({ config: new Uint8Array(48 * 1024 * 1024) })]])
  const names = ['a', 'b', 'c', 'd']
  const { catalog } = openSources(names.map((name) => ({ kind: 'repository', name, store, published: undefined })))
  const repositories: Repository[] = []
  for (const name of names) {
    const repository = await catalog.find(name, makeReadingSignal)
    if (repository === undefined) throw new TypeError(`${name} is not found`)
    await repository.readState(makeReadingSignal())
    repositories.push(repository)
  }
  t.strictSame(
    repositories.map(({ lastState }) => lastState !== undefined),
    [false, false, true, true],
  )
})
