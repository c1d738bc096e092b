import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { FairShares, FairQueue, type Tenant } from '@floe/storage/waiting'

t.test('a tenant takes at most half of what the others leave free', async (t) => {
  const shares = new FairShares(() => 8)
  const takeAll = (tenant: string) => {
    let taken = 0
    for (; shares.hasRoom(tenant); taken++) shares.take(tenant)
    return taken
  }
  t.equal(takeAll('a'), 4)
  t.equal(takeAll('b'), 2)
  t.equal(takeAll('c'), 1)
  t.equal(takeAll('d'), 1, 'the last slot too')
  t.equal(takeAll('e'), 0)
  t.strictSame(shares.measureRoom(), {
    total: 0,
    ofOthers: 0,
    byTenant: new Map([
      ['a', -2],
      ['b', -1],
      ['c', 0],
      ['d', 0],
    ]),
  })
  shares.release('a')
  t.equal(takeAll('a'), 0, 'a has its share')
  t.equal(takeAll('e'), 1, 'the slot is free for those who have none')
  t.equal(shares.taken, 8)
})

t.test('callers take at most half of what the others of their tenant leave free, anonymous ones together', (t) => {
  const shares = new FairShares(() => 64)
  const takeAll = (tenant: Tenant) => {
    let taken = 0
    for (; shares.hasRoom(tenant); taken++) shares.take(tenant)
    return taken
  }
  const anonymous = (caller: string) => ({ tenant: 'a', caller, isAnonymous: true })
  const known = (caller: string) => ({ tenant: 'a', caller, isAnonymous: false })
  t.equal(takeAll(anonymous('x')), 8, 'half of half of half')
  t.strictSame(['y', 'z', 'u', 'v'].map(anonymous).map(takeAll), [4, 2, 1, 1])
  t.equal(takeAll(anonymous('w')), 0)
  t.equal(takeAll(known('k')), 8, 'half of the half that the anonymous ones leave')
  t.equal(takeAll(known('l')), 4)
  for (let count = 1; count <= 8; count++) shares.release(known('k'))
  t.equal(takeAll(known('l')), 4)
  for (const caller of ['y', 'y', 'y', 'y', 'z', 'z', 'u', 'v']) shares.release(anonymous(caller))
  t.equal(takeAll(anonymous('w')), 2)
  t.equal(takeAll('b'), 23, 'other tenants have half of what all of them leave')
  t.end()
})

t.test('tenants take turns, each with its tasks in order', async (t) => {
  const queue = new FairQueue()
  const order: string[] = []
  const run = (tenant: string, name: string) => queue.run(tenant, async () => void order.push(name))
  const tasks = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1'), run('c', 'c1'), run('b', 'b2')]
  t.equal(queue.load, 6)
  await Promise.all(tasks)
  t.strictSame(order, ['a1', 'b1', 'a2', 'c1', 'b2', 'a3'])
  t.equal(queue.load, 0)
})

t.test('the callers of a tenant take turns, and anonymous ones go after all others', async (t) => {
  const queue = new FairQueue()
  const order: string[] = []
  const run = (caller: string, name: string) =>
    queue.run({ tenant: 'a', caller, isAnonymous: caller.startsWith('?') }, async () => void order.push(name))
  const tasks = [run('?x', 'x1'), run('?x', 'x2'), run('?x', 'x3'), run('?y', 'y1'), run('k', 'k1'), run('k', 'k2')]
  tasks.push(
    run('l', 'l1'),
    queue.run('b', async () => void order.push('b1')),
  )
  await Promise.all(tasks)
  t.strictSame(order, ['x1', 'b1', 'k1', 'l1', 'k2', 'x2', 'y1', 'x3'])
})

t.test('a failed task lets the next one run', async (t) => {
  const queue = new FairQueue()
  const failed = queue.run('a', async () => {
    throw new Error('failed')
  })
  const next = queue.run('a', async () => 'done')
  await t.rejects(failed, { message: 'failed' })
  t.equal(await next, 'done')
})

t.test('several tasks run at once, and a tenant that waits gets the next slot', async (t) => {
  const queue = new FairQueue(4)
  const ends: (() => void)[] = []
  const started: string[] = []
  const run = (tenant: string, name: string) =>
    queue.run(tenant, async () => {
      started.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const tasks = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2', 'd1'].map((name) => run(name.slice(0, 1), name))
  t.strictSame(started, ['a1', 'a2', 'b1', 'c1'], 'a has half of the slots')
  for (const next of [['d1'], ['a3'], []]) {
    started.length = 0
    ends.shift()?.()
    await nextTurn()
    t.strictSame(started, next, 'and c has its share')
  }
  while (queue.load > 0) {
    for (const end of ends.splice(0)) end()
    await nextTurn()
  }
  await Promise.all(tasks)
})

t.test('a free slot is given away after as few looks with 10,000 waiting tenants as with a hundred', async (t) => {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its object
  const { hasRoom } = FairShares.prototype
  let looks = 0
  FairShares.prototype.hasRoom = function (tenant) {
    looks += 1
    return hasRoom.call(this, tenant)
  }
  t.teardown(() => void (FairShares.prototype.hasRoom = hasRoom))
  const countLooks = async (tenants: number) => {
    looks = 0
    const queue = new FairQueue(32)
    await Promise.all(Array.from({ length: 11_000 }, (_, index) => queue.run(`org-${index % tenants}`, nextTurn)))
    return looks
  }
  t.equal(await countLooks(10_000), await countLooks(100))
})

t.test('a task whose caller leaves while it waits gives up its place', async (t) => {
  const queue = new FairQueue()
  const first = Promise.withResolvers<void>()
  const done: string[] = []
  const note = (name: string) => async () => void done.push(name)
  const running = queue.run('a', () => first.promise)
  const leaving = new AbortController()
  const caller = (name: string) => ({ tenant: 'a', caller: name, isAnonymous: false })
  const left = [
    queue.run(caller('one'), note('left'), leaving.signal),
    queue.run('b', note('left too'), leaving.signal),
  ].map((task) => task.catch((error: unknown) => error))
  const stayed = [queue.run(caller('one'), note('one')), queue.run(caller('two'), note('two'), leaving.signal)]
  const rest = Promise.allSettled(stayed)
  t.equal(queue.load, 5)
  leaving.abort('gone')
  t.strictSame(await Promise.all(left), ['gone', 'gone'])
  t.equal(queue.load, 2)
  first.resolve()
  await Promise.all([running, rest])
  t.strictSame(done, ['one'])
  t.equal(await queue.run('b', () => Promise.resolve('next')), 'next')
  t.equal(await queue.run('a', note('never'), leaving.signal).catch((error: unknown) => error), 'gone')
  t.equal(queue.load, 0)
})
