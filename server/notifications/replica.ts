// This process among those that share its database: sends heartbeats and holds a share of the polls.
import { hash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Database, findShard, removeReplica, renewReplica, shardCount } from '@floe/storage/database'
import type { Timing } from '../timing.ts'
import type { DatabaseClock } from './database-clock.ts'

type ReplicaOptions = {
  /** The urgent lane of the database. */
  readonly db: Database
  /** The clock that all replicas share. It is refreshed before each heartbeat. */
  readonly clock: DatabaseClock
  /** Called when the database has taken a heartbeat. */
  readonly onHeartbeat: () => void
  /** Called when a heartbeat fails; the next one is sent anyway. */
  readonly onError: (error: unknown) => void
  /** Called when the shards that this replica holds have changed. */
  readonly onChange: () => void
  /** Default: this process. */
  readonly process?: HostProcess | undefined
}

/** A process of a machine. */
export type HostProcess = {
  readonly host: string
  readonly pid: number
  /** Random, because ids of processes are used again. */
  readonly run: string
  /** Whether the machine has a process with this id. */
  readonly isRunning: (pid: number) => boolean
}

const thisProcess: HostProcess = { host: hostname(), pid: process.pid, run: randomUUID(), isRunning }

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user cannot be sent a signal.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Whether a replica was a process of the same machine that has ended, such as one that was killed. */
function isGone(id: string, { host, pid: ownPid, run: ownRun, isRunning }: HostProcess): boolean {
  const [itsHost, pid, run] = id.split(' ')
  if (itsHost !== host || run === ownRun) return false
  return Number(pid) === ownPid || !isRunning(Number(pid))
}

const intervalMs = 3_000

/** A replica without a heartbeat for this many milliseconds is dead. Others hold its shards an interval later. */
const lifeMs = 10_000

/** A replica without a heartbeat stops polling this many milliseconds earlier, because clocks and connections are not exact. */
const marginMs = 1_000

export class Replica {
  readonly #options: ReplicaOptions
  readonly #timing: Timing
  readonly #id: string
  readonly #isGone: (id: string) => boolean
  #replicas: readonly string[] = []
  #shards: ReadonlySet<number> = new Set()
  /** When it stops holding the shards, by the stopwatch. */
  #heldUntil = 0
  #running: Promise<void> | undefined
  #isStopping = false
  #cancelNext: () => void = () => {}

  constructor(options: ReplicaOptions) {
    const { clock, process = thisProcess } = options
    this.#options = options
    this.#timing = clock.timing
    this.#id = [process.host, process.pid, process.run, randomUUID()].join(' ')
    this.#isGone = (id) => isGone(id, process)
  }

  /** Live replicas, including this one; 0 before the first heartbeat. */
  get count(): number {
    return this.#replicas.length
  }

  /** The shards that the last heartbeat gave to this replica. It must not poll them now if its lease has run out. */
  get shards(): ReadonlySet<number> {
    return this.#shards
  }

  /** Number of shards whose repositories this replica polls now. */
  get shardCount(): number {
    return this.#isHolding() ? this.#shards.size : 0
  }

  isPolling(repoId: string): boolean {
    return this.#isHolding() && this.#shards.has(findShard(repoId))
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

  #isHolding(): boolean {
    return this.#timing.elapsed() < this.#heldUntil
  }

  async #renew(): Promise<void> {
    const { db, clock, onHeartbeat, onError, onChange } = this.#options
    this.#cancelNext()
    try {
      await clock.refresh()
      const [start, now] = [this.#timing.elapsed(), this.#timing.now()]
      const heartbeat = { id: this.#id, now, aliveUntil: now + lifeMs }
      const choose = (replicas: readonly string[]) => {
        this.#replicas = replicas
        return chooseShards(this.#id, replicas)
      }
      // Only at the start, because machines of one name might see each other's processes as ended.
      const { shards } = await renewReplica(db, heartbeat, choose, this.count === 0 ? this.#isGone : undefined)
      const isSame = shards.size === this.#shards.size && [...shards].every((shard) => this.#shards.has(shard))
      const hasChanged = this.#heldUntil <= start || !isSame
      this.#shards = shards
      this.#heldUntil = start + lifeMs - marginMs
      onHeartbeat()
      if (hasChanged) onChange()
    } catch (error) {
      onError(error)
    }
    if (!this.#isStopping) this.#cancelNext = this.#timing.after(intervalMs, () => void this.renew())
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
