// This process among those that share its database: sends heartbeats and holds a share of the polls.
import { hash, randomUUID } from 'node:crypto'
import { type Database, findShard, removeReplica, renewReplica, shardCount } from '@floe/storage/database'
import type { Timing } from '../timing.ts'
import type { DatabaseClock } from './database-clock.ts'

type ReplicaOptions = {
  readonly db: Database
  /** The clock that all replicas share. It is refreshed before each heartbeat. */
  readonly clock: DatabaseClock
  /** Called when a heartbeat fails; the next one is sent anyway. */
  readonly onError: (error: unknown) => void
  /** Called when the shards that this replica holds have changed. */
  readonly onChange: () => void
}

const intervalMs = 3_000

/** A replica without a heartbeat for this many milliseconds is dead. Others hold its shards an interval later. */
const lifeMs = 10_000

/** A replica without a heartbeat stops polling this many milliseconds earlier, because clocks and connections are not exact. */
const marginMs = 1_000

export class Replica {
  readonly #options: ReplicaOptions
  readonly #timing: Timing
  readonly #id = randomUUID()
  #replicas: readonly string[] = []
  #wanted: ReadonlySet<number> = new Set()
  #shards: ReadonlySet<number> = new Set()
  /** When it stops holding the shards, by the stopwatch. */
  #heldUntil = 0
  #running: Promise<void> | undefined
  #isStopping = false
  #cancelNext: () => void = () => {}

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#timing = options.clock.timing
  }

  /** Live replicas, including this one; 0 before the first heartbeat. */
  get count(): number {
    return this.#replicas.length
  }

  /** Shards whose repositories this replica polls now. */
  get shardCount(): number {
    return this.#timing.elapsed() < this.#heldUntil ? this.#shards.size : 0
  }

  isPolling(repoId: string): boolean {
    return this.#timing.elapsed() < this.#heldUntil && this.#shards.has(findShard(repoId))
  }

  /** Sends a heartbeat now: at the start, and when a replica has joined or left. */
  renew(): Promise<void> {
    if (this.#isStopping) return Promise.resolve()
    this.#running ??= this.#renew().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** Leaves the other replicas, which take over its shards. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#cancelNext()
    await this.#running
    this.#heldUntil = 0
    await removeReplica(this.#options.db, this.#id).catch(this.#options.onError)
  }

  async #renew(): Promise<void> {
    const { db, clock, onError, onChange } = this.#options
    this.#cancelNext()
    try {
      await clock.refresh()
      const [start, now] = [this.#timing.elapsed(), this.#timing.now()]
      const heartbeat = { id: this.#id, now, aliveUntil: now + lifeMs }
      const { shards } = await renewReplica(db, heartbeat, (replicas) => this.#choose(replicas))
      const isSame = shards.size === this.#shards.size && [...shards].every((shard) => this.#shards.has(shard))
      const hasChanged = this.#heldUntil <= start || !isSame
      this.#shards = shards
      this.#heldUntil = start + lifeMs - marginMs
      if (hasChanged) onChange()
    } catch (error) {
      onError(error)
    }
    if (!this.#isStopping) this.#cancelNext = this.#timing.after(intervalMs, () => void this.renew())
  }

  #choose(replicas: readonly string[]): ReadonlySet<number> {
    if (replicas.join() !== this.#replicas.join()) this.#wanted = chooseShards(this.#id, replicas)
    this.#replicas = replicas
    return this.#wanted
  }
}

/**
 * Chooses the shards of one replica by rendezvous hashing: the replicas get about equal shares, and when one joins or leaves, only its own
 * shards move.
 */
export function chooseShards(id: string, replicas: readonly string[]): ReadonlySet<number> {
  const chosen = new Set<number>()
  for (let shard = 0; shard < shardCount; shard++) {
    const rank = (replica: string) => hash('sha256', `${shard} ${replica}`)
    const own = rank(id)
    if (replicas.every((replica) => rank(replica) <= own)) chosen.add(shard)
  }
  return chosen
}
