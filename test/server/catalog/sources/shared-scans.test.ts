// Replicas that share a database: one scans a location, and the others read what it has found.
import { ensureRepositories, openDatabase, openSourceRecords } from '@floe/storage/database'
import { defaultLimits } from '@floe/storage/icechunk'
import { type Test, t } from 'tap'
import { Catalog } from '../../../../server/catalog/catalog.ts'
import { makeReadingSignal } from '../../../../server/catalog/reading-signals.ts'
import { recordStates } from '../../observation/record-states.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { type Mood, makeMoodyStore } from '../moody-store.ts'

const intervalMs = 10_000

/** Replicas that see the same location. The test says which of them scans it. */
async function openReplicas(t: Test, names: string[]) {
  const timing = new ManualTiming()
  const db = await openDatabase('sqlite::memory:')
  const errors: unknown[] = []
  const open = (isScanner: boolean) => {
    const role = { isScanner, duringRead: async () => {} }
    const mood: Mood = { is: 'well' }
    const store = makeMoodyStore(names, mood)
    let listings = 0
    const list = store.list.bind(store)
    const records = openSourceRecords(db)
    let recorded: Promise<void> = Promise.resolve()
    Object.assign(store, { list: (...call: Parameters<typeof list>) => (listings++, list(...call)) })
    const catalog = new Catalog('acme', [{ kind: 'scan', store, id: 'ab' }], {
      ensureIds: (org, names) => ensureRepositories(db, org, names, new Date(0)),
      timing,
      limits: defaultLimits,
      states: recordStates(timing.elapsed).states,
      shared: {
        read: async (sourceId, after) => {
          const read = await records.read(sourceId, after)
          await role.duringRead()
          return read
        },
        record: (found) => (recorded = records.record(found)),
        isScanner: () => role.isScanner,
        onError: (error) => errors.push(error),
      },
    })
    const refresh = async () => {
      await timing.pass(intervalMs)
      await Promise.all(catalog.refresh())
      // What a scan has found is recorded in the background.
      await recorded.catch(() => {})
    }
    return { catalog, role, mood, refresh, countListings: () => listings }
  }
  t.teardown(() => db.destroy())
  return { scanner: open(true), other: open(false), open, errors, db, timing }
}

t.test('one replica scans a location, and the others list what it has found', async (t) => {
  const names = ['ice', 'snow']
  const { scanner, other } = await openReplicas(t, names)
  await scanner.refresh()
  t.strictSame(await other.catalog.listNames(), ['ice', 'snow'])
  names.splice(0, 1, 'rain')
  await scanner.refresh()
  t.strictSame(await scanner.catalog.listNames(), ['rain', 'snow'])
  t.strictSame(await other.catalog.listNames(), ['rain', 'snow'])
  t.equal(other.countListings(), 0)
  t.equal(await other.catalog.find('ice', makeReadingSignal), undefined)
})

t.test('a location that no replica has searched yet is searched by each that is asked', async (t) => {
  const { other } = await openReplicas(t, ['ice'])
  t.strictSame(await other.catalog.listNames(), ['ice'])
  t.equal(other.countListings(), 1)
})

t.test('a location that is known to be empty is not searched by the others', async (t) => {
  const { scanner, other } = await openReplicas(t, [])
  await scanner.refresh()
  t.strictSame(await other.catalog.listNames(), [])
  t.equal(other.countListings(), 0)
})

t.test('a new repository is found by its name on every replica at once', async (t) => {
  const names = ['ice']
  const { scanner, other } = await openReplicas(t, names)
  await scanner.refresh()
  await other.refresh()
  names.push('rain')
  t.match(await other.catalog.find('rain', makeReadingSignal), { location: 'moody/rain' })
  await scanner.refresh()
  await other.refresh()
  t.strictSame(await other.catalog.listNames(), ['ice', 'rain'])
  t.match(other.catalog.getKnown('rain'), { location: 'moody/rain' })
})

t.test('a repository that only one replica has found is forgotten there when it is gone', async (t) => {
  const names = ['ice']
  const { scanner, other } = await openReplicas(t, names)
  await scanner.refresh()
  await other.refresh()
  names.push('rain')
  t.ok(await other.catalog.find('rain', makeReadingSignal))
  names.pop()
  await scanner.refresh()
  await other.refresh()
  t.strictSame(await other.catalog.listNames(), ['ice'])
})

t.test('a repository that is looked up while the recorded names are read stays known', async (t) => {
  const { scanner, other } = await openReplicas(t, ['ice'])
  await scanner.refresh()
  other.role.duringRead = async () => void (await other.catalog.find('ice', makeReadingSignal))
  await other.refresh()
  other.role.duringRead = async () => {}
  await other.refresh()
  t.strictSame(await other.catalog.listNames(), ['ice'])
})

t.test('a replica that takes over the scans removes what is gone since', async (t) => {
  const names = ['ice', 'snow']
  const { scanner, other } = await openReplicas(t, names)
  await scanner.refresh()
  await other.refresh()
  Object.assign(scanner.role, { isScanner: false })
  Object.assign(other.role, { isScanner: true })
  names.splice(0, 1)
  await other.refresh()
  t.strictSame(await other.catalog.listNames(), ['snow'])
  t.strictSame(await scanner.catalog.listNames(), ['snow'])
  t.equal(scanner.countListings(), 1)
})

t.test('what is known stays listed while the database fails, and what was found is recorded later', async (t) => {
  const names = ['ice']
  const { scanner, other, errors, db } = await openReplicas(t, names)
  await scanner.refresh()
  await other.refresh()
  await db.schema.alterTable('source_names').renameTo('away').execute()
  names.push('rain')
  await scanner.refresh()
  await other.refresh()
  t.strictSame(await scanner.catalog.listNames(), ['ice', 'rain'])
  t.strictSame(await other.catalog.listNames(), ['ice'])
  t.ok(errors.length > 0)
  await db.schema.alterTable('away').renameTo('source_names').execute()
  await scanner.refresh()
  await other.refresh()
  t.strictSame(await other.catalog.listNames(), ['ice', 'rain'])
})

for (const isFoundAgain of [false, true]) {
  const when = isFoundAgain ? ', even if this replica has found it again' : ''
  t.test(`a removal that was not recorded does not outlast the next scan of another replica${when}`, async (t) => {
    const names = ['ice', 'snow']
    const { scanner, other, db } = await openReplicas(t, names)
    await other.refresh()
    // It has read what another replica recorded, and will not read it again.
    await scanner.refresh()
    await db.schema.alterTable('source_names').renameTo('away').execute()
    names.shift()
    await scanner.refresh()
    t.strictSame(await scanner.catalog.listNames(), ['snow'])
    names.unshift('ice')
    if (isFoundAgain) await scanner.refresh()
    await db.schema.alterTable('away').renameTo('source_names').execute()
    Object.assign(scanner.role, { isScanner: false })
    Object.assign(other.role, { isScanner: true })
    await other.refresh()
    await scanner.refresh()
    t.strictSame(await scanner.catalog.listNames(), ['ice', 'snow'])
  })
}

t.test('a restarted replica knows the names before it has looked at the repositories', async (t) => {
  const names = Array.from({ length: 100 }, (_, index) => `ice-${index}`)
  const { scanner, open, timing } = await openReplicas(t, names)
  await scanner.refresh()
  const { catalog, mood } = open(true)
  mood.is = 'hanging'
  const listed = catalog.listNames()
  await timing.pass(5_000)
  t.strictSame(await listed, names.toSorted())
  catalog.close()
})

t.test('a database that is closed with the service is no failure', async (t) => {
  const { scanner, other, errors, db } = await openReplicas(t, ['ice'])
  const refreshes = [scanner, other].flatMap(({ catalog }) => catalog.refresh())
  for (const { catalog } of [scanner, other]) catalog.close()
  await db.destroy()
  await Promise.all(refreshes)
  t.strictSame(errors, [])
})
