import { type Database, openDatabase, partitionCount } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { DatabaseClock } from '../../../server/notifications/database-clock.ts'
import type { HostProcess } from '../../../server/notifications/host-process.ts'
import { choosePartitions, Replica } from '../../../server/notifications/replica.ts'
import { makeCuttable } from './cut-off.ts'
import { ManualTiming } from './manual-timing.ts'

/** One repository in each partition. */
const repositories = Array.from({ length: 256 }, (_, partition) => `${partition.toString(16).padStart(2, '0')}000000-`)

/** Processes that share a database and a clock. */
async function openReplicas(t: Test) {
  const timing = new ManualTiming()
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const errors: unknown[] = []
  const open = async (from: Database = db, ownTiming = timing, onChange = () => {}, process?: HostProcess) => {
    const replica = new Replica({
      version: '1.0.0',
      db: from,
      clock: new DatabaseClock(from, ownTiming),
      onHeartbeat: () => {},
      onError: (error) => errors.push(error),
      onChange,
      process,
    })
    t.teardown(() => replica.stop())
    await replica.start()
    return replica
  }
  return { timing, db, errors, open }
}

const countPolled = (replica: Replica) => repositories.filter((id) => replica.isPolling(id)).length

/** How often each repository is polled: `1` when each is polled by one replica. */
function describe(replicas: readonly Replica[]): string {
  const counts = repositories.map((id) => replicas.filter((replica) => replica.isPolling(id)).length)
  return [...new Set(counts)].sort((a, b) => a - b).join()
}

t.test('a replica alone polls everything from its start to its end', async (t) => {
  const { timing, open } = await openReplicas(t)
  const replica = await open()
  t.equal(countPolled(replica), 256)
  t.equal(replica.count, 1)
  await timing.pass(60_000)
  t.equal(countPolled(replica), 256)
  await replica.stop()
  t.equal(countPolled(replica), 0)
})

t.test('replicas share the polls, and none is polled by two while they do', async (t) => {
  const { timing, open } = await openReplicas(t)
  const replicas = [await open(), await open(), await open()]
  for (let step = 0; step < 60; step++) {
    t.not(describe(replicas).includes('2'), true)
    await timing.pass(100)
  }
  t.equal(describe(replicas), '1')
  t.ok(replicas.every((replica) => replica.count === 3 && countPolled(replica) > 40))
})

t.test('what a replica polled that stops is taken over at the next heartbeat', async (t) => {
  const { timing, open } = await openReplicas(t)
  let changes = 0
  const [first, second] = [await open(), await open(undefined, undefined, () => changes++)]
  await timing.pass(6_000)
  changes = 0
  await first.stop()
  await second.renew()
  t.equal(countPolled(second), 256)
  t.equal(second.count, 1)
  t.equal(changes, 1)
})

// Proves: what a replica polled that died is taken over within 10 s
t.test('what a replica polled that died is taken over within ten seconds', async (t) => {
  for (const diesAfterMs of [0, 900, 1_900]) {
    const { timing, open } = await openReplicas(t)
    // Nothing calls it back any more when its time stands still.
    const dying = new ManualTiming()
    const living = await open()
    await timing.pass(diesAfterMs)
    const dead = await open(undefined, dying)
    await timing.pass(6_000)
    t.ok(countPolled(living) < 256)
    t.equal(dead.count, 2)
    await timing.pass(4_100)
    t.equal(countPolled(living), 256)
  }
})

// Proves: a clock that is set does not end leases of others
t.test('a replica is not taken for dead when clocks are set, forward or back', async (t) => {
  const { timing, open } = await openReplicas(t)
  const replicas = [await open(), await open()]
  await timing.pass(4_000)
  t.equal(describe(replicas), '1')
  const polled = replicas.map(countPolled)
  for (const stepMs of [900_000, -1_800_000, 900_000]) {
    timing.setClock(stepMs)
    for (let step = 0; step < 60; step++) {
      await timing.pass(100)
      t.strictSame(replicas.map(countPolled), polled)
    }
  }
})

t.test('after the clock was set back, a process that starts counts due times as those that run', async (t) => {
  const { timing, db } = await openReplicas(t)
  const start = async () => {
    const clock = new DatabaseClock(db, timing)
    const replica = new Replica({
      db,
      clock,
      version: '1.0.0',
      onHeartbeat: () => {},
      onError: (error) => t.fail(String(error)),
      onChange: () => {},
    })
    t.teardown(() => replica.stop())
    await replica.start()
    return clock.timing
  }
  const first = await start()
  timing.setClock(-3_600_000)
  await timing.pass(2_000)
  const second = await start()
  t.ok(Math.abs(first.dueNow() - second.dueNow()) <= 2_000)
  t.equal(first.now(), second.now())
  t.equal(first.dueNow() - first.now(), 3_600_000)
})

t.test('what a process of this machine polled that was killed is taken over at the next heartbeat', async (t) => {
  const { open } = await openReplicas(t)
  const starts = new Map([7, 8, 9].map((pid) => [pid, `start-${pid}`]))
  const start = (pid: number, idSpace = 'here') => {
    const startedAt = starts.get(pid) ?? ''
    const process = { host: 'host', idSpace, pid, startedAt, findStart: (pid: number) => starts.get(pid) }
    return open(undefined, new ManualTiming(), () => {}, process)
  }
  await start(7)
  await start(8, 'another-machine')
  const third = await start(9)
  starts.delete(8)
  await third.renew()
  t.equal(third.count, 3, 'nothing is known of processes of another machine')
  starts.delete(7)
  await third.renew()
  t.equal(third.count, 2)
  starts.set(9, 'another-start')
  t.equal((await start(9)).count, 2, 'its process id belongs to another process now')
})

t.test('a container that was started again takes over what its former process polled', async (t) => {
  const { open } = await openReplicas(t)
  const start = (idSpace: string) =>
    open(undefined, new ManualTiming(), () => {}, {
      host: 'pod',
      idSpace,
      pid: 1,
      startedAt: idSpace,
      findStart: () => idSpace,
    })
  await start('first')
  const second = await start('second')
  t.equal(second.count, 1)
  await start('third')
  await second.renew()
  t.equal(second.count, 2, 'one that began later may be on another machine with the same name')
})

t.test('a replica that cannot reach the database stops polling before others take over', async (t) => {
  const { timing, db, errors, open } = await openReplicas(t)
  const cuttable = makeCuttable(db)
  const [lost, other] = [await open(cuttable.db), await open()]
  await timing.pass(6_000)
  t.equal(describe([lost, other]), '1')
  cuttable.connection.isCut = true
  for (let step = 0; step < 150; step++) {
    await timing.pass(100)
    t.not(describe([lost, other]).includes('2'), true)
  }
  t.equal(countPolled(other), 256)
  t.ok(errors.length > 0)
  cuttable.connection.isCut = false
  await timing.pass(9_000)
  t.equal(describe([lost, other]), '1')
  t.ok(countPolled(lost) > 40, 'and takes its share again')
})

t.test('replicas that were without the database for long keep what they had', async (t) => {
  const { timing, db, open } = await openReplicas(t)
  const cuttables = [makeCuttable(db), makeCuttable(db)]
  const replicas: Replica[] = []
  for (const cuttable of cuttables) replicas.push(await open(cuttable.db))
  await timing.pass(4_000)
  const partitions = replicas.map((replica) => replica.partitions)
  for (const { connection } of cuttables) connection.isCut = true
  await timing.pass(60_000)
  t.equal(describe(replicas), '0')
  for (const { connection } of cuttables) connection.isCut = false
  await timing.pass(4_000)
  t.equal(describe(replicas), '1')
  t.strictSame(
    replicas.map((replica) => replica.partitions),
    partitions,
  )
})

/** The same database, in which statements that are sent together wait until `release` is called. */
function makeStalled(db: Database) {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const executor = db.getExecutor()
  const stalled = new Proxy(executor, {
    get: (target, name) =>
      name === 'provideConnection'
        ? (consume: Parameters<typeof executor.provideConnection>[0]) =>
            promise.then(() => target.provideConnection(consume))
        : Reflect.get(target, name),
  })
  const connection = { isStalled: false }
  const get = (target: Database, name: string | symbol) => {
    if (name === 'getExecutor' && connection.isStalled) return () => stalled
    const value: unknown = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  }
  return { connection, db: new Proxy(db, { get }), release }
}

t.test('a replica whose heartbeat gets no answer stops polling before others take over', async (t) => {
  const { timing, db, errors, open } = await openReplicas(t)
  const { connection, db: stalledDb, release } = makeStalled(db)
  const [late, other] = [await open(stalledDb), await open()]
  await timing.pass(6_000)
  t.equal(describe([late, other]), '1')
  connection.isStalled = true
  const { life } = late
  for (let step = 0; step < 150; step++) {
    await timing.pass(100)
    t.not(describe([late, other]).includes('2'), true)
  }
  t.equal(countPolled(other), 256)
  release()
  await timing.pass(100)
  t.equal(countPolled(late), 0, 'the answer comes too late')
  const { aliveUntil } = life
  await timing.pass(9_000)
  t.equal(describe([late, other]), '1')
  t.ok(countPolled(late) > 40, 'and takes its share again')
  t.equal(life.aliveUntil, aliveUntil, 'in another life')
  t.not(late.life, life)
  t.strictSame(errors, [])
})

const names = ['a', 'b', 'c', 'd']

function assign(replicas: readonly string[]): string[] {
  const holders: string[] = []
  for (const id of replicas) for (const partition of choosePartitions(id, replicas)) holders[partition] = id
  return holders
}

t.test('each partition has one replica, and each replica about as many partitions', async (t) => {
  const sizes = names.map((id) => choosePartitions(id, names).size)
  t.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    partitionCount,
  )
  t.equal(Object.keys(assign(names)).length, partitionCount)
  t.ok(
    sizes.every((size) => size > partitionCount / 8 && size < partitionCount / 2),
    sizes.join(),
  )
})

t.test('when a replica goes, only its partitions change hands', async (t) => {
  const [before, after] = [assign(names), assign(names.slice(1))]
  t.ok(before.every((holder, partition) => holder === 'a' || holder === after[partition]))
})
