// The running replicas of a service: kills them, and starts others instead.
import { setTimeout as pause } from 'node:timers/promises'
import type { SeededRandom } from '../../history/seeded-random.ts'
import { type CrashProcess, type CrashProcesses, findEnd } from './processes.ts'

type ReplicaOptions = {
  readonly replicas: number
  readonly random: SeededRandom
  /** How much further the clock of each is ahead than that of the one before it, in milliseconds. */
  readonly skewMs: number
  /** Whether a replica may end by itself, because the database cannot be reached when it starts. */
  readonly mayEnd: boolean
}

/** Interval of checks whether a replica has ended, in milliseconds. */
const superviseMs = 200

export class CrashReplicas {
  readonly running: CrashProcess[]
  readonly #processes: CrashProcesses
  readonly #options: ReplicaOptions

  constructor(processes: CrashProcesses, options: ReplicaOptions) {
    this.#processes = processes
    this.#options = options
    this.running = Array.from({ length: options.replicas }, (_, index) => this.#start(index))
  }

  /** Kills one at random, and starts another at once. */
  async replaceOne(): Promise<void> {
    const index = this.#options.random.below(this.running.length)
    this.#restartEnded()
    await Promise.all(this.running.splice(index, 1, this.#start(index)).map((victim) => this.#processes.kill(victim)))
  }

  /** Starts replicas that have ended by themselves again, as a supervisor would do. */
  async superviseUntil(over: AbortSignal): Promise<void> {
    for (; !over.aborted; await pause(superviseMs)) this.#restartEnded()
  }

  #restartEnded(): void {
    for (const [index, replica] of this.running.entries()) {
      const end = findEnd(replica)
      if (end === null) continue
      if (!this.#options.mayEnd || typeof end === 'string') throw new Error(`a replica ended by itself with ${end}`)
      this.running[index] = this.#start(index)
    }
  }

  /** Stops the replicas as an operator would. @returns their exit codes */
  stop(): Promise<unknown[]> {
    return Promise.all(this.running.map((replica) => this.#processes.stop(replica)))
  }

  /** Kills those that still run. */
  end(): void {
    for (const { child } of this.running) child.kill('SIGKILL')
  }

  #start(index: number): CrashProcess {
    return this.#processes.start(index * this.#options.skewMs)
  }
}
