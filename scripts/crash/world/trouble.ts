// Faults that replicas must survive while heads move: kills, cut connections to the database, and a restart of the
// database.
import { once } from 'node:events'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@floe/storage/database'
import { sql } from 'kysely'
import { buildId } from '../../../test/storage/repositories/icechunk/build-object.ts'
import type { Random } from '../../fuzz/mutations.ts'
import type { Cluster } from './cluster.ts'
import type { CrashProcess, CrashProcesses } from './processes.ts'
import { writeSeen } from '../recorded.ts'
import { writeHead } from '../../write-head.ts'

export type Trouble = {
  readonly random: Random
  readonly cluster: Cluster
  readonly db: Database
  /** An administrator's key. */
  readonly apiKey: string
  readonly processes: CrashProcesses
  /** Number of replicas, and the difference between two clocks in milliseconds. */
  readonly replicas: number
  readonly skewMs: number
  /** Shortest duration, in milliseconds. */
  readonly lastsMs: number
  /** Moves of each head. */
  readonly movesOfHead: number
  /** Directories of the repositories. */
  readonly directories: readonly string[]
}

export type TroubleCounts = { moves: number; cuts: number; restarts: number; failedStarts: number }

/** Time between two kills, and the longest between two cuts of a connection, in milliseconds. */
const killIntervalMs = 5_000
const maxCutIntervalMs = 10_000

/** Interval of checks whether a replica has ended, in milliseconds. */
const superviseIntervalMs = 200

/** Longest duration, in milliseconds. */
const limitMs = 900_000

/** Numbers of heads that each repository has for itself. */
const headsOfRepository = 100_000

/** The running replicas and their faults. */
export class TroubledReplicas {
  readonly counts: TroubleCounts = { moves: 0, cuts: 0, restarts: 0, failedStarts: 0 }
  readonly running: CrashProcess[]
  readonly #trouble: Trouble
  readonly #calm = new AbortController()
  readonly #supervising: NodeJS.Timeout

  constructor(trouble: Trouble) {
    this.#trouble = trouble
    this.running = Array.from({ length: trouble.replicas }, (_, index) => this.#start(index))
    // A replica that starts while the database is unreachable ends, and is started again as a supervisor would do.
    this.#supervising = setInterval(() => this.#restartEnded(), superviseIntervalMs)
  }

  /** The last heads of all repositories, as `waitUntilDone` expects them. */
  get lastHeads(): string[] {
    const { directories, movesOfHead } = this.#trouble
    return directories.map((_, index) => writeSeen('branch', 'main', buildId(index * headsOfRepository + movesOfHead)))
  }

  /** Makes trouble for at least `lastsMs`, and until all heads have moved. */
  async make(): Promise<void> {
    const { directories, lastsMs } = this.#trouble
    const limit = AbortSignal.timeout(limitMs)
    const trouble = [this.#kill(), this.#cutConnections(), this.#restartDatabase()]
    await Promise.all([...directories.map((_, index) => this.#moveHead(index, limit)), pause(lastsMs)])
    this.#calm.abort()
    await Promise.all(trouble)
  }

  /** Stops the replicas as an operator would. @returns their exit codes */
  stop(): Promise<unknown[]> {
    clearInterval(this.#supervising)
    return Promise.all(this.running.map((replica) => this.#trouble.processes.stop(replica)))
  }

  /** Kills all replicas that still run. */
  end(): void {
    clearInterval(this.#supervising)
    for (const { child } of this.running) child.kill('SIGKILL')
  }

  /** Starts a replica. The clock of each is further ahead than the previous one. */
  #start(index: number): CrashProcess {
    const { processes, skewMs } = this.#trouble
    return processes.start({ speed: 1, aheadMs: index * skewMs })
  }

  #restartEnded(): void {
    for (const [index, { child }] of this.running.entries()) {
      if (child.exitCode === null) continue
      this.counts.failedStarts++
      this.running[index] = this.#start(index)
    }
  }

  async #kill(): Promise<void> {
    const replacing: Promise<void>[] = []
    while (await this.#wait(killIntervalMs)) replacing.push(this.#replace(this.#trouble.random(this.running.length)))
    await Promise.all(replacing)
  }

  /**
   * Kills a replica as soon as its successor listens, because a start can take longer than the time between two kills.
   */
  async #replace(index: number): Promise<void> {
    const { processes } = this.#trouble
    const next = this.#start(index)
    await Promise.race([next.origin, once(next.child, 'exit')])
    if (next.child.exitCode !== null) this.counts.failedStarts++
    else await Promise.all(this.running.splice(index, 1, next).map((victim) => processes.kill(victim)))
  }

  async #cutConnections(): Promise<void> {
    const { db, random } = this.#trouble
    while (await this.#wait(random(maxCutIntervalMs))) {
      const cut = sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name <> 'crash' order by random() limit 1`
      // The database may be restarting.
      const result = await cut.execute(db).catch(() => undefined)
      this.counts.cuts += result?.rows.length ?? 0
    }
  }

  async #restartDatabase(): Promise<void> {
    const { cluster, lastsMs } = this.#trouble
    await pause(lastsMs / 2)
    await cluster.restart()
    this.counts.restarts++
  }

  /** Moves the head of a repository and requests checks of replicas until one has recorded the move. */
  async #moveHead(index: number, limit: AbortSignal): Promise<void> {
    const { directories, movesOfHead, lastsMs } = this.#trouble
    const directory = directories[index] ?? ''
    const begin = performance.now()
    for (let move = 1; move <= movesOfHead; move++) {
      await pause(Math.max(0, begin + (move * lastsMs) / movesOfHead - performance.now()))
      const head = index * headsOfRepository + move
      await writeHead(directory, head)
      while (!(await this.#refresh(directory, buildId(head).toString()))) {
        limit.throwIfAborted()
        await pause(superviseIntervalMs)
      }
      this.counts.moves++
    }
  }

  /** Requests a check of a repository from a random replica. @returns whether this head is recorded */
  async #refresh(directory: string, head: string): Promise<boolean> {
    const { random, apiKey } = this.#trouble
    const replica = this.running[random(this.running.length)]
    const origin = await Promise.race([replica?.origin, pause(superviseIntervalMs)])
    if (origin === undefined) return false
    try {
      const response = await fetch(`${origin}/v1/orgs/acme/repos/${basename(directory)}/refresh`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}` },
        signal: AbortSignal.timeout(10_000),
      })
      return (await response.text()).includes(head)
    } catch {
      // The replica was killed; the next request goes to another.
      return false
    }
  }

  /** Waits. @returns whether the trouble goes on */
  async #wait(ms: number): Promise<boolean> {
    await pause(ms, undefined, { signal: this.#calm.signal }).catch(() => {})
    return !this.#calm.signal.aborted
  }
}
