// Registers this process as a replica: sends heartbeats, and owns the partitions whose repositories it polls.
import { hash, randomUUID } from 'node:crypto'
import {
  type Database,
  findPartition,
  type Heartbeat,
  removeReplica,
  renewReplica,
  partitionCount,
} from '@floe/storage/database'
import { BackgroundLoop } from '@floe/storage/waiting'
import type { SharedTiming } from '../timing.ts'
import type { DatabaseClock } from './database-clock.ts'
import type { Life } from './post/post.ts'
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
  /** Called when the partitions that this replica owns have changed. */
  readonly onChange: () => void
  /** Default: this process. */
  readonly process?: HostProcess | undefined
}

const intervalMs = 2_000

/**
 * A replica is dead when others have seen no new heartbeat for this many milliseconds, by their own stopwatches. They
 * see a heartbeat up to an interval after it was sent, so they take over within 10 s.
 */
const lifeMs = 8_000

/** A replica without a heartbeat stops this many milliseconds earlier, because stopwatches are not exact. */
const marginMs = 1_000

/** A heartbeat of another replica, and since when this one knows it, by its stopwatch. */
type SeenHeartbeat = Heartbeat & { readonly since: number }

/** Keeps this process among the replicas that share the database, from `start` to `stop`. */
export class Replica {
  readonly #options: ReplicaOptions
  readonly #timing: SharedTiming
  /** What the other replicas know this one by. */
  readonly id: string
  readonly #process: HostProcess
  #replicas: readonly string[] = []
  /** The partitions that this replica should own among these replicas. */
  #chosen: ReadonlySet<number> = new Set()
  #partitions: ReadonlySet<number> = new Set()
  #seen: ReadonlyMap<string, SeenHeartbeat> = new Map()
  #life = { aliveUntil: -Infinity }
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

  /**
   * The life of this replica. Each heartbeat makes it longer, unless it has ended: then another one begins. What was
   * begun in an ended life must not go on, because others may have taken it over.
   */
  get life(): Life {
    return this.#life
  }

  /** The partitions that the last heartbeat gave to this replica. It polls them only while it is alive. */
  get partitions(): ReadonlySet<number> {
    return this.#partitions
  }

  /** Number of partitions whose repositories this replica polls now. */
  get partitionCount(): number {
    return this.#isAlive() ? this.#partitions.size : 0
  }

  /** Whether this replica polls the repository with this id now. */
  isPolling(repoId: string): boolean {
    return this.#isAlive() && this.#partitions.has(findPartition(repoId))
  }

  /** Joins the other replicas; resolves after the first heartbeat. */
  start(): Promise<void> {
    return this.#heartbeats.start()
  }

  /** Sends a heartbeat now, because a replica has joined or left. */
  renew(): Promise<void> {
    return this.#heartbeats.runAgain()
  }

  /** Leaves the other replicas, which take over its partitions and what it still leases. */
  async stop(): Promise<void> {
    await this.#heartbeats.stop()
    this.#life = { aliveUntil: -Infinity }
    await removeReplica(this.#options.db, this.id).catch(this.#options.onError)
  }

  #isAlive(): boolean {
    return this.#timing.elapsed() < this.#life.aliveUntil
  }

  /**
   * Chooses the partitions of this replica; calculates them only if the replicas have changed since the last heartbeat.
   */
  #choosePartitions(replicas: readonly string[]): ReadonlySet<number> {
    const isSame = replicas.length === this.#replicas.length && replicas.every((id, at) => id === this.#replicas[at])
    this.#replicas = replicas
    if (!isSame) this.#chosen = choosePartitions(this.id, replicas)
    return this.#chosen
  }

  /**
   * Finds the dead replicas. Their heartbeats have not changed, or their processes have ended: times of other machines,
   * and clocks that may be set, play no part.
   *
   * @param start when the heartbeats began to be read, by the stopwatch
   */
  #findDead(replicas: readonly Heartbeat[], start: number): readonly Heartbeat[] {
    const isStart = this.count === 0
    const now = this.#timing.elapsed()
    // After this replica had no contact with the database itself, it starts to watch the others again.
    const known = this.#isAlive() ? this.#seen : new Map<string, SeenHeartbeat>()
    const seen = replicas.map((replica): SeenHeartbeat => {
      const last = known.get(replica.id)
      return { ...replica, since: last?.at === replica.at ? last.since : now }
    })
    const isDead = (replica: SeenHeartbeat) =>
      replica.id !== this.id && (start - replica.since >= lifeMs || hasEnded(replica.id, this.#process, isStart))
    this.#seen = new Map(seen.map((one) => [one.id, one]))
    const dead = new Set(seen.filter(isDead))
    for (const replica of seen) if (!dead.has(replica)) this.#options.clock.follow(replica.at)
    return [...dead]
  }

  async #sendHeartbeat(): Promise<undefined> {
    const { db, clock, version, onHeartbeat, onChange } = this.#options
    await clock.refresh()
    const start = this.#timing.elapsed()
    const heartbeat = { id: this.id, version, at: this.#timing.dueNow() }
    const { partitions } = await renewReplica(db, heartbeat, {
      findDead: (replicas) => this.#findDead(replicas, start),
      choose: (replicas) => this.#choosePartitions(replicas),
    })
    const isSame =
      partitions.size === this.#partitions.size && [...partitions].every((partition) => this.#partitions.has(partition))
    const hasChanged = this.#life.aliveUntil <= start || !isSame
    this.#partitions = partitions
    const aliveUntil = start + lifeMs - marginMs
    if (this.#isAlive()) this.#life.aliveUntil = aliveUntil
    else this.#life = { aliveUntil }
    onHeartbeat()
    if (hasChanged) onChange()
  }
}

/**
 * Chooses the partitions of one replica by rendezvous hashing: the replicas get about equal shares, and when a replica
 * joins or leaves, only its partitions move.
 */
export function choosePartitions(id: string, replicas: readonly string[]): ReadonlySet<number> {
  const chosen = new Set<number>()
  for (let partition = 0; partition < partitionCount; partition++) {
    const rank = (replica: string) => hash('sha256', `${partition} ${replica}`)
    const rankHere = rank(id)
    if (replicas.every((replica) => rank(replica) <= rankHere)) chosen.add(partition)
  }
  return chosen
}
