import { defaultLimits } from '@floe/storage/icechunk'
import { type ObjectStore, openLocalStore } from '@floe/storage/objects'
import t from 'tap'
import { Catalog } from '../../../server/repositories/catalog.ts'
import { makeReadingSignal } from '../../../server/repositories/reading.ts'
import { countReads } from './count-reads.ts'
import { fixtures } from '../start-server.ts'

const maxAgeMs = 1_000

/** A catalog of one scanned location, the reads of its store, and a clock. */
function openCatalog(place: ObjectStore = openLocalStore(fixtures)) {
  const { store, reads } = countReads(place)
  const time = { now: 0 }
  const catalog = new Catalog('acme', [{ kind: 'scan', store }], {
    remember: async (_org, name) => name,
    now: () => time.now,
    limits: defaultLimits,
    missMaxAgeMs: maxAgeMs,
  })
  return { find: (name: string) => catalog.find(name, makeReadingSignal), catalog, reads, time }
}

t.test('a name that leads to no repository is looked up once while it is remembered', async (t) => {
  const { find, reads, time } = openCatalog()
  await Promise.all([find('nope'), find('nope')])
  const once = reads.length
  t.ok(once > 0)
  time.now += maxAgeMs - 1
  t.equal(await find('nope'), undefined)
  t.equal(reads.length, once)
  time.now += 1
  t.equal(await find('nope'), undefined)
  t.equal(reads.length, 2 * once, 'then it is looked up again')
  time.now -= maxAgeMs
  await find('nope')
  t.equal(reads.length, 3 * once, 'also when the clock was set back')
})

t.test('a new repository is found when its name is no longer remembered as unknown', async (t) => {
  const { find, time } = openCatalog(openLocalStore(t.testdir({ later: { repo: 'x' } })))
  t.match(await find('later'), { name: 'later' })
  const directory = t.testdir({})
  const empty = openCatalog(openLocalStore(directory))
  t.equal(await empty.find('later'), undefined)
  t.testdir({ later: { repo: 'x' } })
  empty.time.now += maxAgeMs
  t.match(await empty.find('later'), { name: 'later' })
  t.equal(time.now, 0)
})

t.test('a look-up that failed is not remembered', async (t) => {
  let isDown = true
  const failing = countReads(openLocalStore(fixtures), () => {
    if (isDown) throw new Error('down')
  }).store
  const { find } = openCatalog(failing)
  await t.rejects(find('weather'), { message: 'down' })
  isDown = false
  t.match(await find('weather'), { name: 'weather' })
})
