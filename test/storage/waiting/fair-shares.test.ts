import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { FairShares, FairTurns } from '@floe/storage/waiting'

t.test('a holder takes at most half of what the others leave free', async (t) => {
  const shares = new FairShares(() => 8)
  const takeAll = (holder: string) => {
    let taken = 0
    for (; shares.hasRoom(holder); taken++) shares.take(holder)
    return taken
  }
  t.equal(takeAll('a'), 4)
  t.equal(takeAll('b'), 2)
  t.equal(takeAll('c'), 1)
  t.equal(takeAll('d'), 1, 'the last place too')
  t.equal(takeAll('e'), 0)
  t.strictSame(shares.measureRoom(), {
    total: 0,
    ofOthers: 0,
    byHolder: new Map([
      ['a', -2],
      ['b', -1],
      ['c', 0],
      ['d', 0],
    ]),
  })
  shares.release('a')
  t.equal(takeAll('a'), 0, 'a has its share')
  t.equal(takeAll('e'), 1, 'the place is free for those who have none')
  t.equal(shares.taken, 8)
})

t.test('groups take turns, each with its tasks in order', async (t) => {
  const turns = new FairTurns()
  const order: string[] = []
  const run = (group: string, name: string) => turns.run(group, async () => void order.push(name))
  const tasks = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1'), run('c', 'c1'), run('b', 'b2')]
  t.equal(turns.load, 6)
  await Promise.all(tasks)
  t.strictSame(order, ['a1', 'b1', 'a2', 'c1', 'b2', 'a3'])
  t.equal(turns.load, 0)
})

t.test('a failed task lets the next one run', async (t) => {
  const turns = new FairTurns()
  const failed = turns.run('a', async () => {
    throw new Error('failed')
  })
  const next = turns.run('a', async () => 'done')
  await t.rejects(failed, { message: 'failed' })
  t.equal(await next, 'done')
})

t.test('several tasks run at once, and a group that waits takes the next place', async (t) => {
  const turns = new FairTurns(4)
  const ends: (() => void)[] = []
  const started: string[] = []
  const run = (group: string, name: string) =>
    turns.run(group, async () => {
      started.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const tasks = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2', 'd1'].map((name) => run(name.slice(0, 1), name))
  t.strictSame(started, ['a1', 'a2', 'b1', 'c1'], 'a has half of the places')
  for (const next of [['d1'], ['a3'], []]) {
    started.length = 0
    ends.shift()?.()
    await nextTurn()
    t.strictSame(started, next, 'and c has its share')
  }
  while (turns.load > 0) {
    for (const end of ends.splice(0)) end()
    await nextTurn()
  }
  await Promise.all(tasks)
})

t.test('10,000 groups that wait take no longer for each turn than a few', async (t) => {
  const turns = new FairTurns(32)
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: 20_000 }, (_, index) => turns.run(`org-${index % 10_000}`, nextTurn)))
  t.ok(process.cpuUsage(before).user < 1_000_000)
})
