import { t } from 'tap'
import { makeLeaseToken, removeReplica, renewReplica, shardCount } from '@floe/storage/database'
import { testOnEngines } from '../engines.ts'
import { at, claim, moveHead, repositoryWith, webhook } from '../recorded.ts'

const all = new Set(Array.from({ length: shardCount }, (_, shard) => shard))
const even = new Set([...all].filter((shard) => shard % 2 === 0))
const odd = new Set([...all].filter((shard) => shard % 2 === 1))

const test = await testOnEngines(t)

test('a replica alone holds every shard that it chooses, and tells the others of itself', async (t, { db }) => {
  const seen: (readonly string[])[] = []
  const choose = (replicas: readonly string[]) => {
    seen.push(replicas)
    return all
  }
  const first = await renewReplica(db, { id: 'a', version: '1.0.0', now: 1_000, aliveUntil: 2_000 }, choose)
  t.strictSame(first, { replicas: ['a'], shards: all })
  await renewReplica(db, { id: 'b', version: '1.0.0', now: 1_500, aliveUntil: 2_500 }, choose)
  t.strictSame(seen, [['a'], ['a', 'b']])
})

test('a shard passes on only when its holder gives it back', async (t, { db }) => {
  const renew = async (id: string, now: number, chosen: ReadonlySet<number>) =>
    (await renewReplica(db, { id, version: '1.0.0', now, aliveUntil: now + 1_000 }, () => chosen)).shards
  await renew('a', 0, all)
  t.strictSame(await renew('b', 100, odd), new Set(), 'they are held')
  t.strictSame(await renew('a', 200, even), even)
  t.strictSame(await renew('b', 300, odd), odd)
  t.strictSame(await renew('a', 400, all), even, 'and not taken away')
})

test('the shards of a replica that gives no sign of life, or leaves, can be taken', async (t, { db }) => {
  const renew = (id: string, now: number, chosen: ReadonlySet<number>) =>
    renewReplica(db, { id, version: '1.0.0', now, aliveUntil: now + 1_000 }, () => chosen)
  await renew('a', 0, even)
  await renew('b', 0, odd)
  t.strictSame((await renew('c', 999, all)).shards, new Set(), 'not before its time is over')
  t.strictSame((await renew('a', 500, even)).shards, even)
  t.strictSame(await renew('c', 1_000, all), { replicas: ['a', 'c'], shards: odd })
  t.strictSame((await renew('b', 1_100, odd)).shards, new Set(), 'one that wakes up late has lost them')
  await removeReplica(db, 'a')
  t.strictSame((await renew('c', 1_200, all)).shards, all)
})

test('replicas that take the same shards at the same time share them', async (t, { db, connect }) => {
  const others = await Promise.all(Array.from({ length: 4 }, connect))
  const held = await Promise.all(
    [db, ...others].map(async (db, index) => {
      const id = String(index)
      await renewReplica(db, { id, version: '1.0.0', now: 0, aliveUntil: 1_000 }, () => new Set())
      return (await renewReplica(db, { id, version: '1.0.0', now: 0, aliveUntil: 1_000 }, () => all)).shards
    }),
  )
  t.strictSame(
    held.flatMap((shards) => [...shards]).sort((left, right) => left - right),
    [...all],
    'each has one holder',
  )
})

// Proves: what a killed process was sending is sent again as soon as another one finds that it has ended
test('the deliveries of a replica whose process has ended can be claimed at once', async (t, { db }) => {
  const { repoId } = await repositoryWith(
    db,
    ['a', 'b'].map((alias) => webhook(alias)),
  )
  await moveHead(db, repoId, ['S1', 'S2'], at(1))
  const claimBy = async (replica: string, limit: number) => {
    const claims = await claim(db, at(2), { limit, leaseToken: makeLeaseToken(replica), leaseMs: 30_000 })
    return claims.length
  }
  const renew = (id: string, hasEnded?: (id: string) => boolean) =>
    renewReplica(
      db,
      { id, version: '1.0.0', now: at(2).getTime(), aliveUntil: at(10_000).getTime() },
      () => all,
      hasEnded,
    )
  await renew('host 1')
  await renew('host 11')
  t.equal(await claimBy('host 1', 1), 1)
  t.equal(await claimBy('host 11', 1), 1)
  t.equal(await claimBy('host 2', 2), 0)
  await renew('host 2', (id) => id === 'host 1')
  t.equal(await claimBy('host 2', 2), 1, 'the other one still has its lease')
})
