// Repositories one level deeper than a scanned location: NAME/VERSION.icechunk.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { openDatabase, openSourceRecords } from '@floe/storage/database'
import { defaultLimits } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { Catalog } from '../../../../server/catalog/catalog.ts'
import { StorageTemplate } from '../../../../server/catalog/published-storage.ts'
import { makeReadingSignal } from '../../../../server/catalog/reading-signals.ts'
import { findRepositories } from '../../../../server/catalog/sources/find-repositories.ts'
import { listCandidates, nameDirectory } from '../../../../server/catalog/sources/nested-names.ts'
import { recordStates } from '../../observation/record-states.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { fixtures, startServer } from '../../start-server.ts'

/** A new object each time: the test directory takes a repeated one for a cycle. */
const repository = () => ({ repo: 'x' })

type Options = { readonly maxScanned?: number; readonly published?: StorageTemplate }

function openCatalog(t: Test, directory: string, { maxScanned = 1_000, published }: Options = {}) {
  const timing = new ManualTiming()
  const { states, lines } = recordStates(timing.elapsed)
  const store = openLocalStore(directory)
  const catalog = new Catalog('acme', [{ kind: 'scan', depth: 2, store, published }], {
    ensureIds: async (_, names) => new Map(names.map((name) => [name, `id of ${name}`])),
    timing,
    limits: defaultLimits,
    scanLimits: { maxScanned },
    states,
  })
  t.teardown(() => catalog.close())
  const listAgain = async () => {
    await timing.pass(600_000)
    return catalog.listNames()
  }
  return { catalog, lines, listAgain, locate: (name: string) => catalog.opened.open(name)?.location }
}

t.test('the name of a repository is made of its directories, whatever lies beside it', (t) => {
  t.equal(nameDirectory('gfs/v0.2.0.icechunk', 2), 'gfs-v0.2.0')
  t.equal(nameDirectory('gfs/v0.2.0', 2), 'gfs-v0.2.0')
  t.equal(nameDirectory('gfs.icechunk', 2), 'gfs')
  t.equal(nameDirectory('gfs.icechunk', 1), 'gfs.icechunk')
  t.strictSame(listCandidates('gfs', 2), ['gfs', 'gfs.icechunk'])
  t.strictSame(listCandidates('a-b-c', 2), [
    'a-b-c',
    'a-b-c.icechunk',
    'a-b/c',
    'a-b/c.icechunk',
    'a/b-c',
    'a/b-c.icechunk',
  ])
  t.equal(listCandidates('-'.repeat(255), 2).length, 10, 'a name that a caller chose costs few reads')
  t.strictSame(listCandidates('a/b', 2), [])
  t.strictSame(listCandidates('a-b', 1), ['a-b'])
  t.end()
})

t.test('repositories of both levels and both format versions are found, and nothing inside them', async (t) => {
  const directory = t.testdir({
    gfs: { 'v0.2.0.icechunk': repository(), 'v0.3.0.icechunk': repository(), notes: {}, 'readme.txt': '' },
    era5: { ...repository(), chunks: repository() },
    old: { refs: { 'branch.main': { 'ref.json': '{}' } }, snapshots: {} },
    refs: { 'v1.icechunk': repository() },
    deep: { er: { 'v1.icechunk': repository() } },
  })
  const { catalog, lines, listAgain, locate } = openCatalog(t, directory)
  const names = ['era5', 'gfs-v0.2.0', 'gfs-v0.3.0', 'old', 'refs-v1']
  t.strictSame(await catalog.listNames(), names)
  t.equal(locate('gfs-v0.2.0'), `${directory}/gfs/v0.2.0.icechunk`)
  t.equal(locate('old'), `${directory}/old`)
  await mkdir(`${directory}/gfs/v0.4.0.icechunk`)
  await writeFile(`${directory}/gfs/v0.4.0.icechunk/repo`, 'x')
  t.ok(await catalog.find('gfs-v0.4.0', makeReadingSignal), 'a new one is found before the next scan')
  t.equal(await catalog.find('gfs-v0.5.0', makeReadingSignal), undefined)
  await rm(`${directory}/gfs/v0.2.0.icechunk`, { recursive: true })
  t.strictSame(await listAgain(), ['era5', 'gfs-v0.3.0', 'gfs-v0.4.0', 'old', 'refs-v1'])
  t.match(lines, [
    { message: 'a repository appeared', repo: 'gfs-v0.4.0' },
    { message: 'a repository is gone', repo: 'gfs-v0.2.0' },
  ])
  t.equal(lines.length, 2)
  const found = await findRepositories(
    openLocalStore(directory),
    { depth: 2, limits: { maxScanned: 100 } },
    AbortSignal.timeout(60_000),
  )
  t.strictSame(
    found.map(({ name }) => name),
    await catalog.listNames(),
  )
  t.equal(found[1]?.store.location, `${directory}/gfs/v0.3.0.icechunk`)
})

t.test('a name belongs to the repository that had it first, and the log tells the other one', async (t) => {
  const directory = t.testdir({ 'a-b': { c: repository() } })
  const { catalog, lines, listAgain, locate } = openCatalog(t, directory)
  await catalog.listNames()
  await mkdir(`${directory}/a/b-c`, { recursive: true })
  await writeFile(`${directory}/a/b-c/repo`, 'x')
  for (let scans = 0; scans < 3; scans++) t.strictSame(await listAgain(), ['a-b-c'])
  t.equal(locate('a-b-c'), `${directory}/a-b/c`)
  const message = 'a repository is not served: another directory of the location has its name'
  t.match(lines, [{ level: 'warn', repo: 'a/b-c', message }])
  t.equal(lines.length, 1)
  await rm(`${directory}/a-b`, { recursive: true })
  t.strictSame(await listAgain(), [])
  t.strictSame(await listAgain(), ['a-b-c'])
  t.equal(locate('a-b-c'), `${directory}/a/b-c`)
})

t.test('a message of a store names the directory of a repository', async (t) => {
  const directory = t.testdir({ gfs: { 'v1.icechunk': repository() } })
  const { catalog } = openCatalog(t, directory)
  const find = async (path: string) => catalog.findAt(new Set([`${directory}/${path}`]), makeReadingSignal)
  t.match(await find('gfs/v1.icechunk'), [{ name: 'gfs-v1', id: 'id of gfs-v1' }])
  for (const other of ['gfs', 'gfs-v1', 'gfs/v1.icechunk/repo', 'gfs/v2']) t.strictSame(await find(other), [], other)
})

t.test('replicas that do not scan find the same repositories under the same names', async (t) => {
  const directory = t.testdir({ gfs: { 'v1.icechunk': repository(), v2: repository() } })
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const records = openSourceRecords(db)
  let recorded: Promise<void> = Promise.resolve()
  const open = (isScanner: boolean) => {
    const timing = new ManualTiming()
    const source = { kind: 'scan', depth: 2, store: openLocalStore(directory), id: 'ab' } as const
    const catalog = new Catalog('acme', [source], {
      ensureIds: async () => new Map(),
      timing,
      limits: defaultLimits,
      states: recordStates(timing.elapsed).states,
      shared: {
        read: (...call) => records.read(...call),
        record: (found) => (recorded = records.record(found)),
        isScanner: () => isScanner,
        onError: (error) => void t.fail(String(error)),
      },
    })
    const refresh = async () => {
      await timing.pass(600_000)
      await Promise.all(catalog.refresh())
      await recorded
    }
    return { catalog, refresh }
  }
  const [scanner, other] = [open(true), open(false)]
  await scanner.refresh()
  await other.refresh()
  t.strictSame(await other.catalog.listNames(), ['gfs-v1', 'gfs-v2'])
  t.equal(other.catalog.opened.open('gfs-v1')?.location, `${directory}/gfs/v1.icechunk`)
  await rm(`${directory}/gfs/v1.icechunk`, { recursive: true })
  await scanner.refresh()
  await other.refresh()
  t.strictSame(await other.catalog.listNames(), ['gfs-v2'])
})

t.test('{name} of "open" stands for the directories', async (t) => {
  const directory = t.testdir({ 'a b': { 'v1.icechunk': repository() } })
  const open = async (template: object) => {
    const { catalog } = openCatalog(t, directory, { published: StorageTemplate.parse(template) })
    await catalog.listNames()
    return catalog.getPublished('a b-v1')
  }
  t.match(await open({ storage: 'gcs', bucket: 'b', prefix: 'data/{name}' }), { prefix: 'data/a b/v1.icechunk' })
  const url = 'https://example.org/{name}'
  t.match(await open({ storage: 'http', url }), { url: 'https://example.org/a%20b/v1.icechunk' })
})

t.test('the number of directories and of listings is limited', async (t) => {
  const directory = t.testdir({ one: { a: repository(), b: repository() }, two: { c: {} } })
  const few = openCatalog(t, directory, { maxScanned: 4 })
  const excess = 'more than 4 directories and files lie in the two levels below a scanned location'
  await t.rejects(few.catalog.listNames(), {
    message: `${directory}: listing: ${excess}; to allow more, raise limits.maxScanned`,
  })
  t.strictSame(await openCatalog(t, directory, { maxScanned: 5 }).catalog.listNames(), ['one-a', 'one-b'])
  const many = t.testdir(Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`d${index}`, {}])))
  await t.rejects(openCatalog(t, many, { maxScanned: 2_000 }).catalog.listNames(), {
    message: /more than 1000 directories directly below a scanned location must be listed/,
  })
})

t.test('every listed repository can be asked', async (t) => {
  const directory = t.testdir({ weather: {} })
  await cp(`${fixtures}/weather`, `${directory}/weather/v1.icechunk`, { recursive: true })
  const server = await startServer(t, { sources: [{ kind: 'scan', depth: 2, store: openLocalStore(directory) }] })
  t.strictSame(await (await server.get('discovery')).json(), ['weather-v1'])
  t.equal((await server.get('discovery/weather-v1')).status, 200)
})
