import { t } from 'tap'
import { type Heartbeat, removeReplica, renewReplica, partitionCount } from '@floe/storage/database'
import { testOnEngines } from '../engines.ts'
import { at, claim, moveHead, repositoryWith, webhook } from '../recorded.ts'

const all = new Set(Array.from({ length: partitionCount }, (_, partition) => partition))
const even = new Set([...all].filter((partition) => partition % 2 === 0))
const odd = new Set([...all].filter((partition) => partition % 2 === 1))

const test = await testOnEngines(t)

const none = (_: readonly Heartbeat[]): readonly Heartbeat[] => []

test('a replica alone holds every partition that it chooses, and tells the others of itself', async (t, { db }) => {
  const seen: (readonly string[])[] = []
  const choose = (replicas: readonly string[]) => {
    seen.push(replicas)
    return all
  }
  const first = await renewReplica(db, { id: 'a', version: '1.0.0', at: 1_000 }, { findDead: none, choose })
  t.strictSame(first, { replicas: ['a'], partitions: all })
  await renewReplica(db, { id: 'b', version: '1.0.0', at: 1_500 }, { findDead: none, choose })
  t.strictSame(seen, [['a'], ['a', 'b']])
})

test('a partition passes on only when its holder gives it back', async (t, { db }) => {
  const renew = async (id: string, chosen: ReadonlySet<number>) =>
    (await renewReplica(db, { id, version: '1.0.0', at: 1 }, { findDead: none, choose: () => chosen })).partitions
  await renew('a', all)
  t.strictSame(await renew('b', odd), new Set(), 'they are held')
  t.strictSame(await renew('a', even), even)
  t.strictSame(await renew('b', odd), odd)
  t.strictSame(await renew('a', all), even, 'and not taken away')
})

test('the partitions of a replica that is dead, or leaves, can be taken', async (t, { db }) => {
  const renew = (id: string, at: number, chosen: ReadonlySet<number>, findDead: typeof none = none) =>
    renewReplica(db, { id, version: '1.0.0', at }, { findDead, choose: () => chosen })
  await renew('a', 1, even)
  await renew('b', 1, odd)
  let seen: readonly Heartbeat[] = []
  await renew('c', 1, all, (replicas) => {
    seen = replicas
    return []
  })
  t.strictSame(seen, [
    { id: 'a', at: 1 },
    { id: 'b', at: 1 },
    { id: 'c', at: 1 },
  ])
  await renew('a', 2, even)
  const stale = seen.filter(({ id }) => id !== 'c')
  t.strictSame((await renew('c', 2, all, () => stale)).partitions, odd, 'one has sent a heartbeat meanwhile')
  t.strictSame((await renew('b', 3, odd)).partitions, new Set(), 'one that wakes up late has lost them')
  await removeReplica(db, 'a')
  t.strictSame((await renew('c', 4, all)).partitions, all)
})

test('replicas that take the same partitions at the same time share them', async (t, { db, connect }) => {
  const others = await Promise.all(Array.from({ length: 4 }, connect))
  const held = await Promise.all(
    [db, ...others].map(async (db, index) => {
      const heartbeat = { id: String(index), version: '1.0.0', at: 0 }
      await renewReplica(db, heartbeat, { findDead: none, choose: () => new Set() })
      return (await renewReplica(db, heartbeat, { findDead: none, choose: () => all })).partitions
    }),
  )
  t.strictSame(
    held.flatMap((partitions) => [...partitions]).sort((left, right) => left - right),
    [...all],
    'each has one holder',
  )
})

// Proves: what a killed process was sending is sent again as soon as another one finds that it has ended
test('what dead replicas have leased can be claimed at once, also what they claim after that', async (t, { db }) => {
  const { repoId } = await repositoryWith(
    db,
    ['a', 'b', 'c'].map((alias) => webhook(alias)),
  )
  await moveHead(db, repoId, ['S1', 'S2'], at(1))
  let number = 0
  const claimBy = async (replica: string, limit: number) =>
    (await claim(db, at(2), { limit, lease: { replica, number: ++number } })).length
  const renew = (id: string, dead?: string) =>
    renewReplica(
      db,
      { id, version: '1.0.0', at: 1 },
      { findDead: (replicas) => replicas.filter(({ id }) => id === dead), choose: () => all },
    )
  await renew('host 1')
  await renew('host 11')
  t.equal(await claimBy('host 1', 1), 1)
  t.equal(await claimBy('host 11', 1), 1)
  t.equal(await claimBy('host 2', 3), 1)
  await renew('host 2')
  t.equal(await claimBy('host 2', 3), 0)
  await renew('host 2', 'host 1')
  t.equal(await claimBy('host 1', 3), 1, 'the other one still has its lease')
  t.equal(await claimBy('host 2', 3), 0)
  await renew('host 2')
  t.equal(await claimBy('host 2', 3), 1, 'a statement of the dead one had waited')
})
