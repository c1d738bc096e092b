// A machine without time of its own: it runs one event after the other, each at its time. Everything that waits, in the
// service and in its dependencies, waits for an event of this machine; the other files of this folder see to that.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Computer } from './computer.ts'
import { Heap } from './heap.ts'
import { SeededRandom } from '../../history/seeded-random.ts'
import { formatTime, Trace } from './trace.ts'

const nextTurn = setImmediate

/** A fault of the service, or of the simulation. */
export class SimulationFault extends Error {
  override readonly name = 'SimulationFault'
}

/** A process of the machine, or the world around it. */
export class Owner {
  readonly name: string
  /** Process ids are used once. */
  readonly pid: number
  readonly computer: Computer
  isAlive = true
  pausedUntil = 0
  /** Whether what arrived during the last pause is found before the timers that are due. */
  findsTimersLast = false
  /** When its service had started. */
  readyAt = Infinity
  /** What ends with the process, such as its connections. */
  readonly atEnd = new Set<() => void>()

  constructor(name: string, pid: number, computer: Computer) {
    this.name = name
    this.pid = pid
    this.computer = computer
  }
}

export type MachineEvent = {
  at: number
  readonly number: number
  readonly owner: Owner
  readonly label: string
  readonly detail: string | undefined
  readonly run: () => void
  isCancelled: boolean
}

/** Events that no time passes between; more of them are a loop. */
const maxWithoutTime = 200_000

/** How much later timers are found that come last after a pause, in milliseconds. */
const lateTimerMs = 0.01

/** Labels that say little to people. */
const plainLabels: ReadonlySet<string> = new Set(['turn', 'timer'])

/** Resources that Node.js uses by itself: standard output, the header `Date`, and figures about memory. */
const ownResources = /^(?:PipeWrap|TTYWrap|Timeout|Immediate)$/

/** Use the one below: there is one clock, one file system and one network in a process. */
class Machine {
  readonly world = new Owner('world', 1, new Computer(0))
  readonly trace = new Trace()
  readonly processes = new Map<number, Owner>([[1, this.world]])
  random = new SeededRandom(0)
  /** Milliseconds since the start. */
  now = 0
  steps = 0
  isRunning = false
  /** The run ends after this step. */
  lastStep = Infinity
  readonly faults: string[] = []
  /**
   * Called when a process reaches a step at which something can happen to it. What it does next comes later then. A
   * step that reads a file has its path.
   */
  onStep: (owner: Owner, step: string, path?: string) => void = () => {}
  readonly #heap = new Heap<MachineEvent>()
  readonly #owners = new AsyncLocalStorage<Owner>()
  #events = 0
  #withoutTime = 0
  /** Real work that the machine waits for, such as the loading of a program. */
  readonly #loading = new Set<Promise<unknown>>()

  /** The computer of the running code. */
  get computer(): Computer {
    return (this.#owners.getStore() ?? this.world).computer
  }

  get clock(): number {
    return this.computer.clock(this.now)
  }

  /** The owner of the running code; undefined while the machine does not run. */
  get owner(): Owner | undefined {
    const owner = this.#owners.getStore()
    if (owner === undefined && this.isRunning) throw this.fault('something that belongs to no process uses the machine')
    return owner
  }

  /** Starts a process: by default, on the computer of the world. */
  start(name: string, computer = this.world.computer): Owner {
    const owner = new Owner(name, this.processes.size + 100, computer)
    this.processes.set(owner.pid, owner)
    return owner
  }

  /** Runs a function as a process. */
  as<Result>(owner: Owner, run: () => Result): Result {
    return this.#owners.run(owner, run)
  }

  /** Plans an event of a process: by default, of the one that runs. It happens unless the process has ended. */
  plan(ms: number, label: string, run: () => void, { owner = this.owner, detail }: PlanOptions = {}): MachineEvent {
    const event: MachineEvent = {
      at: this.now + Math.max(0, ms),
      number: ++this.#events,
      owner: owner ?? this.world,
      label,
      detail,
      run,
      isCancelled: false,
    }
    this.#heap.add(event)
    return event
  }

  /** Resolves after a time. */
  wait(ms: number, label: string, detail?: string): Promise<void> {
    return new Promise((resolve) => void this.plan(ms, label, resolve, { detail }))
  }

  /** Lets the machine wait for real work. */
  async load<Result>(work: Promise<Result>): Promise<Result> {
    this.#loading.add(work)
    try {
      return await work
    } finally {
      this.#loading.delete(work)
    }
  }

  /** Ends a process, as `kill -9` does. */
  kill(owner: Owner): void {
    if (!owner.isAlive) return
    this.say(owner, 'is killed')
    owner.isAlive = false
    this.as(this.world, () => {
      for (const end of owner.atEnd) end()
    })
    owner.atEnd.clear()
  }

  /** Stops all events of a process for a time, as SIGSTOP does. */
  pause(owner: Owner, ms: number): void {
    this.say(owner, `is paused for ${(ms / 1_000).toFixed(1)} s`)
    owner.pausedUntil = Math.max(owner.pausedUntil, this.now + ms)
    owner.findsTimersLast = this.random.chance(0.5)
  }

  /** Adds something to the trace. */
  say(owner: Owner, label: string, detail?: string): void {
    this.trace.add({ number: this.steps, at: this.now, owner: owner.name, label, detail })
  }

  /** Notes a fault, which ends the run. */
  fault(text: string): SimulationFault {
    this.faults.push(`step ${this.steps}, ${formatTime(this.now)}: ${text}`)
    this.say(this.world, 'FAULT', text)
    return new SimulationFault(text)
  }

  /** Runs events until a condition holds, a time is reached, or something is wrong. */
  async run(untilMs: number, isDone: () => boolean = () => false): Promise<void> {
    this.isRunning = true
    try {
      while (this.faults.length === 0 && this.steps < this.lastStep && !isDone()) {
        const event = this.#heap.first
        if (event === undefined || event.at > untilMs) break
        this.#heap.take()
        if (!this.#happens(event)) continue
        this.#advance(event)
        this.as(event.owner, event.run)
        // Everything that follows at once happens before the next turn of the event loop.
        await new Promise((resolve) => nextTurn(resolve))
        while (this.#loading.size > 0) {
          await Promise.allSettled(this.#loading)
          await new Promise((resolve) => nextTurn(resolve))
        }
        if (this.steps % 16 === 0) this.#refuseRealWork()
      }
    } finally {
      this.isRunning = false
    }
  }

  /** Real work, such as reading a file, ends sooner or later in each run, which makes another history. */
  #refuseRealWork(): void {
    const real = process.getActiveResourcesInfo().find((resource) => !ownResources.test(resource))
    if (real !== undefined) this.fault(`something waits for ${real}, which is not of the machine`)
  }

  /** Whether an event happens now. Those of a paused process happen later, in the same order, but for its timers. */
  #happens(event: MachineEvent): boolean {
    const { owner } = event
    if (event.isCancelled || !owner.isAlive) return false
    if (owner.pausedUntil <= event.at) return true
    event.at = owner.pausedUntil + (owner.findsTimersLast && event.label === 'timer' ? lateTimerMs : 0)
    this.#heap.add(event)
    return false
  }

  #advance({ at, owner, label, detail }: MachineEvent): void {
    this.steps++
    this.#withoutTime = at > this.now ? 0 : this.#withoutTime + 1
    if (this.#withoutTime > maxWithoutTime) throw this.fault(`${owner.name} does not come to rest`)
    this.now = at
    if (plainLabels.has(label)) this.trace.mix(`${at} ${owner.name} ${label}\n`)
    else this.say(owner, label, detail)
  }
}

type PlanOptions = { readonly owner?: Owner | undefined; readonly detail?: string | undefined }

/** The machine of this process. */
export const machine = new Machine()
