import { setImmediate as nextTurn } from 'node:timers/promises'
import { t } from 'tap'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import { Deliverer, type DelivererOptions } from '../../../../server/notifications/deliver/deliverer.ts'
import { DatabaseClock } from '../../../../server/notifications/database-clock.ts'
import { systemTiming } from '../../../../server/timing.ts'
import { waitUntil } from '../../wait-until.ts'
import { makeCuttable } from '../cut-off.ts'
import { ManualTiming } from '../manual-timing.ts'
import type { Cleanup } from '../start-receiver.ts'
import { addDeliveries, OpenAttempts, openDeliveries } from './end-to-end/open-deliveries.ts'

/** A deliverer whose attempts a test ends. When its time is manual, it finds nothing by itself. */
async function startDeliverer(t: Cleanup, urls: Record<string, string>, options: Partial<DelivererOptions> = {}) {
  const deliveries = await openDeliveries(t, options.timing?.now)
  const { timing } = new DatabaseClock(deliveries.db, systemTiming)
  const { connection, db } = makeCuttable(deliveries.db)
  const attempts = new OpenAttempts()
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const { attempt, open, started, end } = attempts
  const deliverer = new Deliverer({
    db,
    replica: { id: 'a', life: { aliveUntil: Infinity } },
    attempt,
    timing,
    metrics: createMetrics(),
    maxInFlight: 512,
    onRecorded: () => {},
    onError,
    ...options,
  })
  await deliveries.declare(urls)
  t.teardown(async () => {
    connection.isCut = false
    attempts.end()
    await deliverer.stop()
  })
  const countAttempts = async () => (await deliveries.listAttempts()).length
  return { ...deliveries, open, started, end, connection, deliverer, errors, countAttempts }
}

const a = { a: 'https://a.test/' }

async function turn(times: number): Promise<void> {
  for (let time = 0; time < times; time++) await nextTurn()
}

t.test('an organisation has one of a receiver, 16 of a new origin and 256 in all under way', async (t) => {
  const shared = Array.from({ length: 40 }, (_, n) => [`shared${n}`, 'https://chat.test/'])
  const own = Array.from({ length: 300 }, (_, n) => [`own${n}`, `https://own${n}.test/`])
  const { moveHead, deliverer, open, started, end, countAttempts } = await startDeliverer(
    t,
    Object.fromEntries([...shared, ...own]),
  )
  await moveHead()
  await moveHead()
  deliverer.start()
  await waitUntil(() => started.length === 256)
  deliverer.wake()
  await turn(10)
  const countShared = () => started.filter((id) => id.startsWith('shared')).length
  t.equal(open.size, 256)
  t.equal(deliverer.underWay, 256)
  t.equal(countShared(), 16)
  t.notOk(started.some((id) => id.endsWith(' 2 1')))
  for (const name of ['shared', 'own']) end(started.find((id) => id.startsWith(name)) ?? '')
  await waitUntil(() => started.length === 258)
  t.equal(countShared(), 18, 'a host that answers gets one more slot')
  t.equal(open.size, 256)
  while ((await countAttempts()) < 680) {
    end()
    await nextTurn()
  }
  t.equal(new Set(started).size, 680, 'each was started once')
})

t.test('more are under way to a host that answers well', async (t) => {
  const urls = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`shared${n}`, 'https://chat.test/']))
  const { moveHead, deliverer, open, end, countAttempts } = await startDeliverer(t, urls)
  await moveHead()
  deliverer.start()
  let most = 0
  while ((await countAttempts()) < 200) {
    most = Math.max(most, open.size)
    end()
    await nextTurn()
  }
  t.ok(most > 32, `at most ${most} under way`)
})

t.test('an organisation with many receivers at a host does not hold up another organisation there', async (t) => {
  const urls = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`shared${n}`, 'https://chat.test/']))
  const { db, moveHead, deliverer, started, end } = await startDeliverer(t, urls)
  const other = await addDeliveries(db, 'globex')
  await other.declare({ late: 'https://chat.test/' })
  await moveHead()
  await other.moveHead()
  deliverer.start()
  await waitUntil(() => started.includes('late 1 1'))
  t.ok(started.length <= 32, `after ${started.length} attempts`)
  end('late 1 1')
  await other.moveHead()
  deliverer.wake()
  await waitUntil(() => started.includes('late 2 1'))
})

t.test('a setting says how many are under way', async (t) => {
  const urls = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`own${n}`, `https://own${n}.test/`]))
  const { moveHead, deliverer, open, end } = await startDeliverer(t, urls, { maxInFlight: 2_048 })
  await moveHead()
  deliverer.start()
  await waitUntil(() => open.size === 1_024)
  end()
  await waitUntil(() => open.size === 476)
})

t.test('receivers of one organisation that hang, then fail, do not hold up another organisation', async (t) => {
  const hanging = Array.from({ length: 700 }, (_, n) => [`hanging${n}`, `https://hanging${n}.test/`])
  const { db, moveHead, deliverer, open, started, end } = await startDeliverer(t, Object.fromEntries(hanging))
  const other = await addDeliveries(db, 'globex')
  await other.declare({ good: 'https://good.test/' })
  await moveHead()
  deliverer.start()
  await waitUntil(() => started.length === 256)
  await other.moveHead()
  deliverer.wake()
  await waitUntil(() => started.includes('good 1 1'))
  end('good 1 1')
  const fail = { kind: 'retry', dueAt: new Date() } as const
  for (const { id } of open) end(id, fail)
  await waitUntil(() => open.size === 320)
  await turn(10)
  t.equal(open.size, 320, '256 to receivers that have not failed yet, and 64 of the others')
  await other.moveHead()
  deliverer.wake()
  await waitUntil(() => started.includes('good 2 1'))
})

t.test('receivers that are disabled together are recorded together', async (t) => {
  const refusing = Array.from({ length: 100 }, (_, n) => [`refusing${n}`, `https://refusing${n}.test/`])
  const { moveHead, deliverer, started, end, connection, countAttempts } = await startDeliverer(
    t,
    Object.fromEntries(refusing),
  )
  await moveHead()
  deliverer.start()
  await waitUntil(() => started.length === 100)
  await turn(10)
  const before = connection.transactions
  end(undefined, { kind: 'gone', disableReason: 'it answered 410' })
  await waitUntil(async () => (await countAttempts()) === 100)
  const transactions = connection.transactions - before
  t.ok(transactions <= 3, `in ${transactions} transactions`)
})

t.test('a replica whose life has ended claims nothing, and goes on when it lives again', async (t) => {
  const timing = new ManualTiming()
  const replica = { id: 'a', life: { aliveUntil: timing.elapsed() } }
  const { moveHead, deliverer, started } = await startDeliverer(t, a, { timing, replica })
  await moveHead()
  deliverer.start()
  await turn(100)
  t.strictSame(started, [])
  replica.life.aliveUntil += 1
  deliverer.wake()
  await waitUntil(() => started.length === 1)
})

t.test('an attempt belongs to the life that was read before its delivery was claimed', async (t) => {
  let countUses = () => 0
  const replica = {
    id: 'a',
    get life() {
      return { aliveUntil: Infinity, uses: countUses() }
    },
  }
  const uses: (readonly [unknown, number])[] = []
  const attempt: DelivererOptions['attempt'] = async (_claim, life) => {
    uses.push(['uses' in life ? life.uses : undefined, countUses()])
    throw new Error('it is not sent')
  }
  const { connection, moveHead, deliverer } = await startDeliverer(t, a, { replica, attempt })
  countUses = () => connection.uses
  await moveHead()
  deliverer.start()
  await waitUntil(() => uses.length > 0)
  const [[before, after] = [undefined, 0]] = uses
  t.ok(Number(before) < after, `${String(before)} ${after}`)
})

t.test('what was given up is claimed again, but not at once', async (t) => {
  const timing = new ManualTiming()
  let attempts = 0
  const attempt = () => Promise.reject(new Error(`mistake ${++attempts}`))
  const { moveHead, deliverer, errors } = await startDeliverer(t, a, { timing, attempt })
  await moveHead()
  deliverer.start()
  await waitUntil(() => errors.length === 1)
  await turn(100)
  await timing.pass(9_900)
  await turn(100)
  t.equal(errors.length, 1)
  await timing.pass(1_200)
  await waitUntil(() => errors.length === 2)
})

t.test('what was claimed when the answer of the database was lost is sent soon', async (t) => {
  const timing = new ManualTiming()
  const { db, moveHead, deliverer, started } = await startDeliverer(t, a, { timing })
  await moveHead()
  await db.updateTable('queues').set({ leased_by: 'a', lease_number: 7 }).execute()
  deliverer.start()
  await turn(100)
  t.strictSame(started, [])
  await timing.pass(11_100)
  await waitUntil(() => started.length === 1)
})

t.test('a queue that was lost is sent again only when the earlier attempt has ended', async (t) => {
  const timing = new ManualTiming()
  const { db, moveHead, deliverer, started, end } = await startDeliverer(t, a, { timing })
  await moveHead()
  deliverer.start()
  await waitUntil(() => started.length === 1)
  // Another replica took this one for dead. The attempt of that life has not noticed yet.
  await db.updateTable('queues').set({ leased_by: null, due_at: timing.now() }).execute()
  deliverer.wake()
  await waitUntil(async () => (await db.selectFrom('queues').select('leased_by').executeTakeFirst())?.leased_by === 'a')
  await turn(100)
  t.strictSame(started, ['a 1 1'])
  end('a 1 1')
  await turn(100)
  await timing.pass(11_100)
  await waitUntil(() => started.length === 2)
  t.strictSame(started, ['a 1 1', 'a 1 1'], 'what came of the first attempt is not recorded')
})

t.test('deliveries that wait for a slot do not keep the loop busy', async (t) => {
  const urls = Array.from({ length: 17 }, (_, n) => [`shared${n}`, 'https://chat.test/'])
  const { moveHead, deliverer, connection, started, end } = await startDeliverer(t, Object.fromEntries(urls), {
    timing: new ManualTiming(),
  })
  await moveHead()
  deliverer.start()
  await waitUntil(() => started.length === 16)
  await turn(100)
  const { uses } = connection
  await turn(100)
  t.equal(connection.uses, uses)
  end(started[0] ?? '')
  await waitUntil(() => started.length === 17)
})

t.test('a delivery that is recorded is sent as soon as the loop is woken', async (t) => {
  const { moveHead, deliverer, started } = await startDeliverer(t, a, { timing: new ManualTiming() })
  deliverer.start()
  await turn(100)
  await moveHead()
  await turn(100)
  t.strictSame(started, [])
  deliverer.wake()
  await waitUntil(() => started.length === 1)
})

t.test('a failed delivery is sent again when it falls due, before later ones', async (t) => {
  const timing = new ManualTiming()
  const { moveHead, deliverer, started, end, countAttempts } = await startDeliverer(t, a, { timing })
  await moveHead()
  await moveHead()
  deliverer.start()
  await waitUntil(() => started.length === 1)
  end('a 1 1', { kind: 'retry', dueAt: new Date(timing.now() + 600) })
  await waitUntil(async () => (await countAttempts()) === 1)
  await turn(100)
  await timing.pass(599, 599)
  await turn(100)
  t.strictSame(started, ['a 1 1'])
  await timing.pass(1)
  await waitUntil(() => started.length === 2)
  end('a 1 2')
  await waitUntil(() => started.length === 3)
  t.strictSame(started, ['a 1 1', 'a 1 2', 'a 2 1'])
})

t.test('stopping waits for attempts under way, records them, and claims nothing more', async (t) => {
  const { moveHead, deliverer, started, end, countAttempts } = await startDeliverer(t, a)
  await moveHead()
  await moveHead()
  deliverer.start()
  await waitUntil(() => started.length === 1)
  const stopped = deliverer.stop()
  deliverer.wake()
  await turn(10)
  t.equal(await countAttempts(), 0)
  end('a 1 1')
  await stopped
  t.strictSame(started, ['a 1 1'])
  t.equal(await countAttempts(), 1)
})

t.test('while the database fails, nothing is lost: what has ended is recorded afterwards', async (t) => {
  const { moveHead, deliverer, connection, errors, started, end, countAttempts } = await startDeliverer(t, a)
  await moveHead()
  await moveHead()
  connection.isCut = true
  deliverer.start()
  await waitUntil(() => errors.length === 1)
  connection.isCut = false
  deliverer.wake()
  await waitUntil(() => started.length === 1)
  connection.isCut = true
  end('a 1 1')
  await waitUntil(() => errors.length === 2)
  connection.isCut = false
  deliverer.wake()
  await waitUntil(() => started.length === 2)
  t.equal(await countAttempts(), 1)
  t.strictSame(started, ['a 1 1', 'a 2 1'], 'recording is tried again, not the attempt')
})

t.test('an attempt that disabled its receiver is recorded once, although the rest of the pass fails', async (t) => {
  const metrics = createMetrics()
  const recorded: string[] = []
  const onRecorded: DelivererOptions['onRecorded'] = ({ claim }) => {
    recorded.push(claim.receiver.alias)
    connection.isCut = recorded.length === 1
  }
  const two = { ...a, b: 'https://b.test/' }
  const { moveHead, deliverer, connection, errors, started, end, countAttempts } = await startDeliverer(t, two, {
    metrics,
    onRecorded,
  })
  await moveHead()
  deliverer.start()
  await waitUntil(() => started.length === 2)
  end('a 1 1', { kind: 'gone', disableReason: 'gone' })
  end('b 1 1')
  await waitUntil(() => errors.length === 1)
  t.strictSame(recorded, ['a'])
  connection.isCut = false
  deliverer.wake()
  await waitUntil(() => recorded.length === 2)
  t.strictSame(recorded, ['a', 'b'])
  t.equal(await countAttempts(), 2)
  t.match(await metrics.leasesLost.get(), { values: [{ value: 0 }] })
})

t.test(
  'an attempt that did not disable its receiver, because that was changed, counts as one that is retried',
  async (t) => {
    const kinds: string[] = []
    const onRecorded: DelivererOptions['onRecorded'] = ({ next }) => kinds.push(next.kind)
    const { db, moveHead, deliverer, started, end } = await startDeliverer(t, a, { onRecorded })
    await moveHead()
    deliverer.start()
    await waitUntil(() => started.length === 1)
    await db.updateTable('receivers').set({ version: 2 }).execute()
    end('a 1 1', { kind: 'gone', disableReason: 'gone' })
    await waitUntil(() => started.length === 2)
    end('a 1 2', { kind: 'gone', disableReason: 'gone' })
    await waitUntil(() => kinds.length === 2)
    t.strictSame(kinds, ['retry', 'gone'])
  },
)

t.test('a database that cannot be written does not keep the loop from stopping', async (t) => {
  const { moveHead, deliverer, connection, errors, started, end } = await startDeliverer(t, a)
  await moveHead()
  deliverer.start()
  await waitUntil(() => started.length === 1)
  connection.isCut = true
  end('a 1 1')
  await waitUntil(() => errors.length > 0)
  await deliverer.stop()
  t.match(errors[0], { message: 'the database is out of reach' })
})

t.test('an attempt that throws gives its slot back', async (t) => {
  const attempt = () => Promise.reject(new Error('a mistake'))
  const unsent: string[] = []
  const onError: DelivererOptions['onError'] = (error, claim) =>
    unsent.push(`${claim?.receiver.alias}: ${String(error)}`)
  const { moveHead, deliverer, countAttempts } = await startDeliverer(t, a, { attempt, onError })
  await moveHead()
  deliverer.start()
  await waitUntil(() => unsent.length === 1)
  t.strictSame(unsent, ['a: Error: a mistake'])
  await deliverer.stop()
  t.equal(deliverer.underWay, 0)
  t.equal(await countAttempts(), 0)
})
