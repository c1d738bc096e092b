// The replicas that share the database, and which of them polls which repositories. Repositories are divided into
// partitions. A partition has one row while a replica owns it, so no two replicas own the same partition. Deleting a
// replica's row also deletes the rows of its partitions.
import type { Selectable } from 'kysely'
import { executeTogether } from '../engine/execute-together.ts'
import type { Database } from '../open-database.ts'
import type { Tables } from '../tables.ts'
import { releaseLost } from './leases.ts'

export const partitionCount = 256

/** Returns the partition of a repository, from 0. Its id is a random UUID, so partitions are about equally large. */
export function findPartition(repoId: string): number {
  return Number.parseInt(repoId.slice(0, 2), 16)
}

/** Returns the digits that the ids of a partition begin with. */
export function writePartition(partition: number): string {
  return partition.toString(16).padStart(2, '0')
}

/** A heartbeat of a replica. */
export type Heartbeat = {
  readonly id: string
  /** The time of the replica's clock, in milliseconds since 1970. */
  readonly at: number
}

/** A heartbeat that a replica sends. */
type SentHeartbeat = Heartbeat & {
  /** The version of Floe that the replica runs. */
  readonly version: string
}

/** The replicas that are alive, and the partitions of this one. */
export type Membership = {
  /** Ids of all replicas that are alive, sorted. */
  readonly replicas: readonly string[]
  /** The partitions that this replica owns until others take it for dead. */
  readonly partitions: ReadonlySet<number>
}

type Choices = {
  /** Chooses the dead replicas. `replicas` are sorted by their ids. */
  readonly findDead: (replicas: readonly Heartbeat[]) => readonly Heartbeat[]
  /** Returns the partitions that this replica should own, given the ids of all replicas that are alive. */
  readonly choose: (replicas: readonly string[]) => ReadonlySet<number>
}

/**
 * Records a heartbeat, releases what dead replicas have leased, deletes them, releases the partitions that this replica
 * should no longer own, and claims the free partitions that it should own. One transaction does this, so that it waits
 * for the database only once, unless it has to claim or release partitions, or to delete replicas.
 */
export async function renewReplica(
  db: Database,
  { id, version, at }: SentHeartbeat,
  { findDead, choose }: Choices,
): Promise<Membership> {
  const { all, partitions } = await executeTogether(db, {
    heartbeat: recordHeartbeat(db, { id, version, heartbeat_at: at }),
    // A claim can end after its replica was deleted.
    ...releaseLost(db),
    all: db.selectFrom('replicas').select(['id', 'heartbeat_at as at']).orderBy('id').compile(),
    partitions: db.selectFrom('poll_partitions').select(['partition', 'replica_id']).compile(),
  })
  const dead = findDead(all)
  if (dead.length > 0) await executeTogether(db, { dead: deleteDead(db, dead), ...releaseLost(db) })
  const deadIds = new Set(dead.map((replica) => replica.id))
  const replicas = all.map((replica) => replica.id).filter((replica) => !deadIds.has(replica))
  const rows = partitions.filter(({ replica_id }) => !deadIds.has(replica_id))
  return { replicas, partitions: await movePartitions(db, { id, rows, wanted: choose(replicas) }) }
}

function recordHeartbeat(db: Database, row: Selectable<Tables['replicas']>) {
  return db
    .insertInto('replicas')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ heartbeat_at: row.heartbeat_at }))
    .compile()
}

/** Deletes replicas, and with them the rows of their partitions, unless they have sent another heartbeat meanwhile. */
function deleteDead(db: Database, dead: readonly Heartbeat[]) {
  return db
    .deleteFrom('replicas')
    .where((eb) => eb.or(dead.map(({ id, at }) => eb.and({ id, heartbeat_at: at }))))
    .compile()
}

type PartitionMove = {
  readonly id: string
  /** The partitions that replicas own. */
  readonly rows: readonly Selectable<Tables['poll_partitions']>[]
  readonly wanted: ReadonlySet<number>
}

async function movePartitions(db: Database, { id, rows, wanted }: PartitionMove): Promise<ReadonlySet<number>> {
  const surplus = rows.flatMap(({ partition, replica_id }) =>
    replica_id === id && !wanted.has(partition) ? [partition] : [],
  )
  if (surplus.length > 0) {
    await db.deleteFrom('poll_partitions').where('replica_id', '=', id).where('partition', 'in', surplus).execute()
  }
  const kept = rows.flatMap(({ partition, replica_id }) =>
    replica_id === id && wanted.has(partition) ? [partition] : [],
  )
  const owned = new Set(rows.map(({ partition }) => partition))
  // In order, so that replicas that claim partitions at the same time cannot deadlock.
  const free = [...wanted].filter((partition) => !owned.has(partition)).sort((left, right) => left - right)
  if (free.length === 0) return new Set(kept)
  const claimed = await db
    .insertInto('poll_partitions')
    .values(free.map((partition) => ({ partition, replica_id: id })))
    .onConflict((conflict) => conflict.column('partition').doNothing())
    .returning('partition')
    .execute()
  return new Set([...kept, ...claimed.map(({ partition }) => partition)])
}

/** Removes a replica that is stopping, so that others can claim its partitions and what it had leased immediately. */
export async function removeReplica(db: Database, id: string): Promise<void> {
  await executeTogether(db, { replica: db.deleteFrom('replicas').where('id', '=', id).compile(), ...releaseLost(db) })
}

/** A replica in the database. It may have ended a few seconds ago without removing itself. */
export type ListedReplica = { readonly id: string; readonly version: string; readonly partitionCount: number }

export function listReplicas(db: Database): Promise<ListedReplica[]> {
  return db
    .selectFrom('replicas')
    .leftJoin('poll_partitions', 'replica_id', 'id')
    .select((eb) => ['id', 'version', eb.fn.count<number>('partition').as('partitionCount')])
    .groupBy(['id', 'version'])
    .orderBy('id')
    .execute()
}
