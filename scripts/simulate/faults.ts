// What goes wrong in a run. Each seed chooses some kinds of trouble, and how often they happen.
import { dirname } from 'node:path'
import { machine, type Owner } from './machine/machine.ts'
import { fileFates } from './machine/patch-files.ts'
import type { Troubles } from './model/troubles.ts'
import { type Mood, type SimulatedReceiver, well } from './world/receivers.ts'
import type { SimulatedReplica } from './world/replicas.ts'
import { changeSignals, type SimulatedRepository } from './world/repositories.ts'
import { statementFates } from './world/statements.ts'

const secondMs = 1_000
const minuteMs = 60_000

/** Kinds of trouble, and how likely a run has it. */
const kinds = {
  kills: 0.6,
  stops: 0.3,
  killsAtSteps: 0.5,
  pauses: 0.3,
  pausesAtSteps: 0.6,
  clockSteps: 0.15,
  clockStepsAtSteps: 0.2,
  slowDatabase: 0.25,
  failingDatabase: 0.25,
  slowFiles: 0.3,
  failingFiles: 0.3,
  damage: 0.3,
  lostSignals: 0.5,
  moodyReceivers: 0.8,
} as const

export type Trouble = keyof typeof kinds

/** Kinds that last for a time. */
const windowKinds = ['slowDatabase', 'failingDatabase', 'slowFiles', 'failingFiles'] as const
type WindowKind = (typeof windowKinds)[number]

/** Kinds that happen when a process reaches a step, and the steps where they have the worst consequences. */
const steps = {
  killsAtSteps: ['after claim', 'before record', 'after record', 'after event', 'after commit', 'after heartbeat'],
  pausesAtSteps: [
    'after claim',
    'before connection',
    'before record',
    'before begin',
    'after event',
    'after read of repo',
  ],
  clockStepsAtSteps: ['after claim', 'before record', 'before heartbeat'],
} as const
type StepKind = keyof typeof steps

/** Lengths of pauses in seconds: shorter and longer than exchanges, leases and lives of replicas. */
const pauses = [0.5, 4, 8, 14, 25, 45, 100]

const moods: readonly Mood[] = [
  { name: 'slow', between: [500, 4_400], status: 200 },
  { name: 'too slow', between: [4_800, 9_000], status: 200 },
  { name: 'failing', between: [1, 300], status: 503 },
  { name: 'asking for later', between: [1, 50], status: 429, headers: { 'retry-after': '20' } },
  { name: 'redirecting', between: [1, 50], status: 302, headers: { location: 'https://elsewhere.example/' } },
  { name: 'long-winded', between: [1, 50], status: 200, bodyBytes: 400_000 },
  { name: 'closing', between: [1, 100], status: 200, closes: 'orderly' },
  { name: 'resetting', between: [1, 100], status: 200, closes: 'with a reset' },
  { name: 'hanging', between: [0, 0] },
  { name: 'unknown', between: [0, 0], lookUpCode: 'ENOTFOUND' },
  { name: 'refusing', between: [0, 0], connectCode: 'ECONNREFUSED' },
  { name: 'unreachable', between: [0, 0], connectCode: 'hangs' },
]

/** Kills in a run: most of the time of the processor would go into starts. */
const maxKills = 40

const gone: Mood = { name: 'gone', between: [1, 50], status: 410 }

type World = {
  readonly replicas: readonly SimulatedReplica[]
  readonly repositories: readonly SimulatedRepository[]
  readonly receivers: readonly SimulatedReceiver[]
  readonly troubles: Troubles
  /** How much seldomer troubles begin than usual, and how much longer receivers are in a mood. */
  readonly stretch: number
}

/** The troubles of a run, until they are ended. */
export class FaultPlan {
  readonly kinds: ReadonlySet<Trouble>
  readonly #world: World
  #isOver = false
  /** By step: the trouble that strikes the first process to reach it. */
  readonly #awaited = new Map<string, StepKind>()
  readonly #windows = { slowDatabase: 0, failingDatabase: 0, slowFiles: 0, failingFiles: 0 }
  #failingDirectory = ''
  #kills = 0
  readonly #wellUntil = new Map<SimulatedReceiver, number>()

  constructor(world: World, chosen?: readonly Trouble[]) {
    const { random } = machine
    const drawn = (Object.keys(kinds) as Trouble[]).filter((kind) => random.chance(kinds[kind]))
    this.kinds = new Set(chosen ?? drawn)
    this.#world = world
    world.troubles.hasFileTroubles = this.kinds.has('slowFiles') || this.kinds.has('failingFiles')
    machine.say(machine.world, 'has troubles', [...this.kinds].join(', ') || 'none')
  }

  /** Begins the troubles. */
  begin(): void {
    const { random } = machine
    const often = random.choose([1, 4, 15]) * minuteMs * this.#world.stretch
    // The service starts meanwhile.
    this.#world.troubles.noteHindrance()
    this.#repeat('kills', often, () => this.#kill(random.choose(this.#world.replicas)))
    this.#repeat('stops', often, () => void this.#stop(random.choose(this.#world.replicas)))
    this.#repeat('pauses', often, () => this.#pause(random.choose(this.#world.replicas).owner))
    this.#repeat('clockSteps', often, () => this.#stepClock())
    this.#repeat('damage', often, () => this.#damage(random.choose(this.#world.repositories)))
    this.#repeat('moodyReceivers', 5 * secondMs * this.#world.stretch, () =>
      this.#changeMood(random.choose(this.#world.receivers)),
    )
    const oftenAtSteps = random.choose([20 * secondMs, minuteMs, 3 * minuteMs]) * this.#world.stretch
    for (const kind of Object.keys(steps) as StepKind[])
      this.#repeat(kind, oftenAtSteps, () => void this.#awaited.set(random.choose<string>(steps[kind]), kind))
    machine.onStep = (owner, step) => this.#reach(owner, step)
    for (const kind of windowKinds) this.#repeat(kind, often, () => this.#openWindow(kind))
    this.#replaceFates()
  }

  /** Ends all troubles except pauses; what is down is started. */
  end(): void {
    this.#isOver = true
    for (const repository of this.#world.repositories) repository.mend()
    for (const receiver of this.#world.receivers) receiver.mood = well
    this.#startAll()
  }

  /** Starts what has ended, some time later. */
  restartSoon(): void {
    machine.plan(machine.random.choose([50, 500, 20 * secondMs, 2 * minuteMs]), 'world', () => this.#startAll())
  }

  #startAll(): void {
    this.#world.troubles.noteHindrance()
    for (const replica of this.#world.replicas) if (!replica.isUp) replica.start()
  }

  /** A start may fail while the database is in trouble, or while somebody is paused who may hold its lock. */
  noteFailedStart(error: unknown): void {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    machine.say(machine.world, 'sees a start fail', why.split('\n')[0])
    const { slowDatabase, failingDatabase } = this.#windows
    const isWindow = Math.max(slowDatabase, failingDatabase) > machine.now - minuteMs
    const isPause = [...machine.processes.values()].some(({ pausedUntil }) => pausedUntil > machine.now - minuteMs)
    if (!isWindow && !isPause) machine.fault(`a replica cannot start: ${why}`)
    this.restartSoon()
  }

  /** Does something again and again, with random waits, if the run has this kind of trouble. */
  #repeat(kind: Trouble, everyMs: number, act: () => void): void {
    if (!this.kinds.has(kind)) return
    const next = () => {
      machine.plan(-Math.log(1 - machine.random.next()) * everyMs, 'world', () => {
        if (this.#isOver) return
        act()
        next()
      })
    }
    next()
  }

  #kill(replica: SimulatedReplica): void {
    if (++this.#kills > maxKills) return
    if (replica.owner) this.#world.troubles.noteProcess(replica.owner)
    replica.kill()
    this.restartSoon()
  }

  async #stop(replica: SimulatedReplica): Promise<void> {
    this.#world.troubles.noteHindrance()
    await replica.stop().finally(() => this.restartSoon())
  }

  #pause(owner: Owner | undefined): void {
    if (owner?.isAlive !== true || owner.pausedUntil > machine.now) return
    const ms = secondMs * machine.random.choose(pauses) * machine.random.between(0.7, 1.3)
    machine.pause(owner, ms)
    const { troubles } = this.#world
    for (const at of [machine.now, machine.now + ms]) {
      troubles.noteProcess(owner, at)
      // Then the others have no contact with the database either.
      if (statementFates.holdsLock(owner)) troubles.noteDatabase(at)
    }
  }

  #stepClock(): void {
    const { random, world } = machine
    const ms = random.choose([-minuteMs, 20 * secondMs, 15 * minuteMs, -10 * secondMs])
    const computer = random.choose([world, ...this.#world.replicas]).computer
    computer.offsetMs += ms
    // The clock of the world is the one of the database and of commits. No other clock may matter with PostgreSQL.
    if (computer === world.computer) this.#world.troubles.clockSteps++
    machine.say(world, `sets the clock of ${computer.name}`, `by ${ms / secondMs} s`)
  }

  #damage(repository: SimulatedRepository): void {
    const { random } = machine
    const ms = secondMs * random.choose([5, 100, 400])
    repository.damage(random.choose(['missing', 'cut']))
    machine.plan(ms, 'world', () => repository.mend())
    for (const at of [machine.now, machine.now + ms]) this.#world.troubles.noteHindrance(at)
  }

  /** A receiver is well for a while between two moods, so that retries seldom wait for hours. */
  #changeMood(receiver: SimulatedReceiver): void {
    const { random } = machine
    if ((this.#wellUntil.get(receiver) ?? 0) > machine.now) return
    receiver.mood = random.chance(0.06) && !receiver.stays ? gone : random.choose(moods)
    machine.say(machine.world, `${receiver.name} becomes`, receiver.mood.name)
    const ms = random.choose([5, 60, 400]) * secondMs * this.#world.stretch
    this.#wellUntil.set(receiver, machine.now + ms + 15 * minuteMs)
    machine.plan(ms, 'world', () => {
      receiver.mood = well
    })
  }

  #openWindow(kind: WindowKind): void {
    this.#windows[kind] = machine.now + secondMs * machine.random.choose([1, 10, 60])
    this.#failingDirectory = `r${machine.random.below(20)}`
    machine.say(machine.world, 'begins', kind)
  }

  #isOpen(kind: WindowKind): boolean {
    return !this.#isOver && machine.now < this.#windows[kind]
  }

  #replaceFates(): void {
    const { random } = machine
    const decideStatement = statementFates.decide
    statementFates.decide = (owner, label) => {
      const usual = decideStatement(owner, label)
      // Some are answered later, so that a process can end between the effect and the answer.
      const answerMs = random.chance(0.1) ? random.between(0.05, 2) : 0
      if (this.#isOpen('slowDatabase')) {
        this.#world.troubles.noteDatabase()
        return { ms: random.between(1, 4_000), answerMs }
      }
      if (!this.#isOpen('failingDatabase') || !random.chance(0.3) || owner.name === 'observer')
        return { ...usual, answerMs }
      this.#world.troubles.noteProcess(owner)
      const code = random.choose(statementFates.codes)
      return { ...usual, answerMs, code, failsAfterEffect: label !== 'begin' && random.chance(0.5) }
    }
    statementFates.onIdleEnd = () => this.#world.troubles.noteDatabase()
    fileFates.decide = (path) => {
      const isMeant = dirname(path).includes(`/${this.#failingDirectory}`) || path.endsWith(this.#failingDirectory)
      if (isMeant && (this.#isOpen('slowFiles') || this.#isOpen('failingFiles'))) this.#world.troubles.noteHindrance()
      const ms = this.#isOpen('slowFiles') && isMeant ? random.between(1, 20_000) : random.between(0.02, 0.6)
      return { ms, ...(this.#isOpen('failingFiles') && isMeant && { code: 'EIO' }) }
    }
    const losesSignals = this.kinds.has('lostSignals')
    changeSignals.delay = () => {
      if (!losesSignals || this.#isOver || random.chance(0.5)) return random.between(0.1, 5)
      this.#world.troubles.noteHindrance()
      return undefined
    }
  }

  #reach(owner: Owner, step: string): void {
    const kind = this.#awaited.get(step)
    const replica = this.#world.replicas.find((replica) => replica.owner === owner)
    if (this.#isOver || kind === undefined || replica === undefined) return
    this.#awaited.delete(step)
    machine.say(owner, `is ${step}`)
    if (kind === 'pausesAtSteps') this.#pause(owner)
    else machine.as(machine.world, () => (kind === 'killsAtSteps' ? this.#kill(replica) : this.#stepClock()))
  }
}
