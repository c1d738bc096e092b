// Registers this process as a replica: sends heartbeats, and owns the shards whose repositories it polls.
import { hash, randomUUID } from 'node:crypto'
import { type Database, findShard, removeReplica, renewReplica, shardCount } from '@floe/storage/database'
import { BackgroundLoop } from '@floe/storage/waiting'
import type { Timing } from '../timing.ts'
import type { DatabaseClock } from './database-clock.ts'
import { describeThisProcess, hasEnded, type HostProcess, nameReplica } from './host-process.ts'

type ReplicaOptions = {
  /** The urgent lane of the database. */
  readonly db: Database
  /** The clock that all replicas share. It is refreshed before each heartbeat. */
  readonly clock: DatabaseClock
  /** The version of Floe, for people who look at the replicas. */
  readonly version: string
  /** Called when the database has taken a heartbeat. */
  readonly onHeartbeat: () => void
  /** Called when a heartbeat fails; the next one is sent anyway. */
  readonly onError: (error: unknown) => void
  /** Called when the shards that this replica owns have changed. */
  readonly onChange: () => void
  /** Default: this process. */
  readonly process?: HostProcess | undefined
}

const intervalMs = 3_000

/** A replica without a heartbeat for this many milliseconds is dead. Others own its shards an interval later. */
const lifeMs = 10_000

/**
 * A replica without a heartbeat stops polling this many milliseconds earlier, because clocks and connections are not
 * exact.
 */
const marginMs = 1_000

/** Keeps this process among the replicas that share the database, from `start` to `stop`. */
export class Replica {
  readonly #options: ReplicaOptions
  readonly #timing: Timing
  /** What the other replicas know this one by. */
  readonly id: string
  readonly #process: HostProcess
  #replicas: readonly string[] = []
  /** The shards that this replica should own among these replicas. */
  #chosen: ReadonlySet<number> = new Set()
  #shards: ReadonlySet<number> = new Set()
  /** When the lease of the shards ends, by the stopwatch. */
  #leasedUntil = 0
  readonly #heartbeats: BackgroundLoop

  constructor(options: ReplicaOptions) {
    const { clock, process = describeThisProcess() } = options
    this.#options = options
    this.#timing = clock.timing
    this.#process = process
    this.id = nameReplica(process, randomUUID())
    this.#heartbeats = new BackgroundLoop({
      work: () => this.#sendHeartbeat(),
      restMs: intervalMs,
      after: clock.timing.after,
      onError: options.onError,
    })
  }

  /** Live replicas, including this one; 0 before the first heartbeat. */
  get count(): number {
    return this.#replicas.length
  }

  /** The shards that the last heartbeat gave to this replica. It must not poll them once their lease has ended. */
  get shards(): ReadonlySet<number> {
    return this.#shards
  }

  /** Number of shards whose repositories this replica polls now. */
  get shardCount(): number {
    return this.#isLeased() ? this.#shards.size : 0
  }

  /** Whether this replica polls the repository with this id now. */
  isPolling(repoId: string): boolean {
    return this.#isLeased() && this.#shards.has(findShard(repoId))
  }

  /** Joins the other replicas; resolves after the first heartbeat. */
  start(): Promise<void> {
    return this.#heartbeats.start()
  }

  /** Sends a heartbeat now, because a replica has joined or left. */
  renew(): Promise<void> {
    return this.#heartbeats.runAgain()
  }

  /** Leaves the other replicas, which take over its shards. */
  async stop(): Promise<void> {
    await this.#heartbeats.stop()
    this.#leasedUntil = 0
    await removeReplica(this.#options.db, this.id).catch(this.#options.onError)
  }

  #isLeased(): boolean {
    return this.#timing.elapsed() < this.#leasedUntil
  }

  /** Chooses the shards of this replica; calculates them only if the replicas have changed since the last heartbeat. */
  #chooseShards(replicas: readonly string[]): ReadonlySet<number> {
    const isSame = replicas.length === this.#replicas.length && replicas.every((id, at) => id === this.#replicas[at])
    this.#replicas = replicas
    if (!isSame) this.#chosen = chooseShards(this.id, replicas)
    return this.#chosen
  }

  async #sendHeartbeat(): Promise<undefined> {
    const { db, clock, version, onHeartbeat, onChange } = this.#options
    await clock.refresh()
    const [start, now] = [this.#timing.elapsed(), this.#timing.now()]
    const heartbeat = { id: this.id, version, now, aliveUntil: now + lifeMs }
    const isStart = this.count === 0
    const { shards } = await renewReplica(
      db,
      heartbeat,
      (replicas) => this.#chooseShards(replicas),
      (id) => hasEnded(id, this.#process, isStart),
    )
    const isSame = shards.size === this.#shards.size && [...shards].every((shard) => this.#shards.has(shard))
    const hasChanged = this.#leasedUntil <= start || !isSame
    this.#shards = shards
    this.#leasedUntil = start + lifeMs - marginMs
    onHeartbeat()
    if (hasChanged) onChange()
  }
}

/**
 * Chooses the shards of one replica by rendezvous hashing: the replicas get about equal shares, and when a replica
 * joins or leaves, only its shards move.
 */
export function chooseShards(id: string, replicas: readonly string[]): ReadonlySet<number> {
  const chosen = new Set<number>()
  for (let shard = 0; shard < shardCount; shard++) {
    const rank = (replica: string) => hash('sha256', `${shard} ${replica}`)
    const rankHere = rank(id)
    if (replicas.every((replica) => rank(replica) <= rankHere)) chosen.add(shard)
  }
  return chosen
}
