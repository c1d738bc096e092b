import { openDatabase, ReplicaSignals } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { systemTiming } from '../../../../../server/timing.ts'
import { reachableEngines } from '../engines.ts'

async function openSignals(t: Test, url: string) {
  const db = await openDatabase(url)
  const replicaSignals = new ReplicaSignals({ db, url, ...systemTiming, onError: (error) => t.comment(error) })
  t.teardown(async () => {
    await replicaSignals.stop()
    await db.destroy()
  })
  return replicaSignals
}

t.test('on SQLite, a process gets its own signals', async (t) => {
  const replicaSignals = await openSignals(t, 'sqlite::memory:')
  let count = 0
  replicaSignals.on('deliveries', () => count++)
  await replicaSignals.start()
  replicaSignals.send('deliveries')
  replicaSignals.send('receivers')
  t.equal(count, 1)
})

const newUrl = (await reachableEngines(t)).find((engine) => engine.newUrl !== undefined)?.newUrl

t.test('on PostgreSQL, all replicas get a signal', { skip: !newUrl }, async (t) => {
  const url = (await newUrl?.(t)) ?? ''
  const [first, second] = [await openSignals(t, url), await openSignals(t, url)]
  const hear = (signal: 'deliveries' | 'receivers') => {
    const { promise, resolve } = Promise.withResolvers<void>()
    second.on(signal, resolve)
    return promise
  }
  const connected = hear('receivers')
  await second.start()
  await connected
  const deliveries = hear('deliveries')
  const receivers = hear('receivers')
  for (let time = 0; time < 10; time++) first.send('deliveries')
  await deliveries
  first.send('receivers')
  await receivers
  t.pass()
})
