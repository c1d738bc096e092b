import { openDatabase } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { WakeUps } from '../../../server/replicas/wake-ups.ts'
import { systemTiming } from '../../../server/timing.ts'
import { reachableEngines } from '../../storage/database/engines.ts'

async function openWakeUps(t: Test, url: string) {
  const db = await openDatabase(url)
  const wakeUps = new WakeUps({ db, url, timing: systemTiming, onError: (error) => t.comment(error) })
  t.teardown(async () => {
    await wakeUps.stop()
    await db.destroy()
  })
  return wakeUps
}

t.test('on SQLite, a process tells itself', async (t) => {
  const wakeUps = await openWakeUps(t, 'sqlite::memory:')
  let count = 0
  wakeUps.on('deliveries', () => count++)
  await wakeUps.start()
  wakeUps.send('deliveries')
  wakeUps.send('receivers')
  t.equal(count, 1)
})

const newUrl = (await reachableEngines(t)).find((engine) => engine.newUrl !== undefined)?.newUrl

t.test('on PostgreSQL, all replicas hear', { skip: !newUrl }, async (t) => {
  const url = (await newUrl?.(t)) ?? ''
  const [first, second] = [await openWakeUps(t, url), await openWakeUps(t, url)]
  const hear = (wakeUp: 'deliveries' | 'receivers') => {
    const { promise, resolve } = Promise.withResolvers<void>()
    second.on(wakeUp, resolve)
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
