// The replicas that share the database, and which of them polls which repositories. Repositories are divided into
// shards. A shard has one row while a replica owns it, so no two replicas own the same shard. Deleting a replica's row
// also deletes the rows of its shards.
import type { Selectable } from 'kysely'
import { lockFreeRows } from '../engine/engine.ts'
import { executeTogether } from '../engine/execute-together.ts'
import type { Database } from '../open-database.ts'
import type { Tables } from '../tables.ts'
import { releaseLeases } from './release-leases.ts'

export const shardCount = 256

/** Returns the shard of a repository, from 0. Its id is a random UUID, so shards are about equally large. */
export function findShard(repoId: string): number {
  return Number.parseInt(repoId.slice(0, 2), 16)
}

/** Returns the digits that the ids of a shard begin with. */
export function writeShard(shard: number): string {
  return shard.toString(16).padStart(2, '0')
}

/** A heartbeat of a replica. Times are in milliseconds since 1970. */
export type Heartbeat = {
  readonly id: string
  /** The version of Floe that the replica runs. */
  readonly version: string
  readonly now: number
  /** From this time on, the replica counts as dead, unless it sends another heartbeat. */
  readonly aliveUntil: number
}

/** The replicas that are alive, and the shards of this one. */
export type Membership = {
  /** Ids of all replicas that are alive, sorted. */
  readonly replicas: readonly string[]
  /** The shards that this replica owns until {@link Heartbeat.aliveUntil}. */
  readonly shards: ReadonlySet<number>
}

/**
 * Records a heartbeat, deletes dead replicas, releases the shards that this replica should no longer own, and claims
 * the free shards that it should own. One transaction does this, so that it waits for the database only once, unless it
 * has to claim or release shards, or to remove replicas whose processes have ended.
 *
 * @param choose returns the shards that this replica should own, given all replicas that are alive
 * @param hasEnded whether the process of a replica is known to have ended, so that its shards and leases end before it
 * counts as dead
 */
export async function renewReplica(
  db: Database,
  { id, version, now, aliveUntil }: Heartbeat,
  choose: (replicas: readonly string[]) => ReadonlySet<number>,
  hasEnded: (replica: string) => boolean = () => false,
): Promise<Membership> {
  const { all, shards } = await executeTogether(db, {
    heartbeat: recordHeartbeat(db, { id, version, alive_until: aliveUntil }),
    all: db.selectFrom('replicas').select(['id', 'alive_until']).orderBy('id').compile(),
    dead: deleteDead(db, now),
    shards: db.selectFrom('poll_shards').select(['shard', 'replica_id']).compile(),
  })
  const ended = new Set(all.map((replica) => replica.id).filter(hasEnded))
  if (ended.size > 0) await removeEnded(db, [...ended], new Date(now))
  const isAlive = (replica: { readonly id: string; readonly alive_until: number }) =>
    replica.alive_until > now && !ended.has(replica.id)
  const replicas = all.filter(isAlive).map((replica) => replica.id)
  const rows = shards.filter(({ replica_id }) => !ended.has(replica_id))
  return { replicas, shards: await exchangeShards(db, { id, rows, wanted: choose(replicas) }) }
}

function recordHeartbeat(db: Database, row: Selectable<Tables['replicas']>) {
  return db
    .insertInto('replicas')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ alive_until: row.alive_until }))
    .compile()
}

/** Frees the shards of replicas whose processes have ended, and the queues whose deliveries they were sending. */
async function removeEnded(db: Database, ended: readonly string[], now: Date): Promise<void> {
  await executeTogether(db, {
    replicas: db.deleteFrom('replicas').where('id', 'in', ended).compile(),
    queues: releaseLeases(db, ended, now),
  })
}

function deleteDead(db: Database, now: number) {
  const dead = db.selectFrom('replicas').select('id').where('alive_until', '<=', now)
  // Skip rows that another replica is deleting.
  return db
    .deleteFrom('replicas')
    .where('id', 'in', lockFreeRows(db, dead, 'replicas'))
    .compile()
}

type Exchange = {
  readonly id: string
  /** The shards that replicas own. */
  readonly rows: readonly Selectable<Tables['poll_shards']>[]
  readonly wanted: ReadonlySet<number>
}

async function exchangeShards(db: Database, { id, rows, wanted }: Exchange): Promise<ReadonlySet<number>> {
  const surplus = rows.flatMap(({ shard, replica_id }) => (replica_id === id && !wanted.has(shard) ? [shard] : []))
  if (surplus.length > 0) {
    await db.deleteFrom('poll_shards').where('replica_id', '=', id).where('shard', 'in', surplus).execute()
  }
  const kept = rows.flatMap(({ shard, replica_id }) => (replica_id === id && wanted.has(shard) ? [shard] : []))
  const owned = new Set(rows.map(({ shard }) => shard))
  // In order, so that replicas that claim shards at the same time cannot deadlock.
  const free = [...wanted].filter((shard) => !owned.has(shard)).sort((left, right) => left - right)
  if (free.length === 0) return new Set(kept)
  const claimed = await db
    .insertInto('poll_shards')
    .values(free.map((shard) => ({ shard, replica_id: id })))
    .onConflict((conflict) => conflict.column('shard').doNothing())
    .returning('shard')
    .execute()
  return new Set([...kept, ...claimed.map(({ shard }) => shard)])
}

/** Removes a replica that is stopping, so that others can claim its shards immediately. */
export async function removeReplica(db: Database, id: string): Promise<void> {
  await db.deleteFrom('replicas').where('id', '=', id).execute()
}

/** A replica in the database. It may have ended a few seconds ago without removing itself. */
export type ListedReplica = { readonly id: string; readonly version: string; readonly shardCount: number }

export function listReplicas(db: Database): Promise<ListedReplica[]> {
  return db
    .selectFrom('replicas')
    .leftJoin('poll_shards', 'replica_id', 'id')
    .select((eb) => ['id', 'version', eb.fn.count<number>('shard').as('shardCount')])
    .groupBy(['id', 'version'])
    .orderBy('id')
    .execute()
}
