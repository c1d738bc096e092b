// What goes wrong in a run. Each seed chooses some kinds of trouble, and how often they happen.
import { dirname } from 'node:path'
import { machine, type Owner } from './machine/machine.ts'
import { fileFates } from './machine/patch-files.ts'
import type { Troubles } from './model/troubles.ts'
import { type Mood, type SimulatedReceiver, well } from './world/receivers.ts'
import type { SimulatedReplica } from './world/replicas.ts'
import { changeSignals, type SimulatedRepository } from './world/repositories.ts'
import { statementFates } from './world/sqlite-thread.ts'

const secondMs = 1_000
const minuteMs = 60_000

/** Kinds of trouble, and how likely a run has it. */
const kinds = {
  kills: 0.6,
  stops: 0.3,
  killsAtSteps: 0.5,
  pauses: 0.3,
  pausesAtSteps: 0.5,
  clockSteps: 0.15,
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

/** Statements at which processes are killed or paused, and how often in comparison with others. */
const steps: ReadonlyMap<string, number> = new Map([
  ['claim', 1],
  ['record', 1],
  ['event', 1],
  ['commit', 0.3],
  ['begin', 0.1],
  ['heartbeat', 0.02],
])

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
}

/** The troubles of a run, until they are ended. */
export class FaultPlan {
  readonly kinds: ReadonlySet<Trouble>
  readonly #world: World
  #isOver = false
  /** The chance of a kill or a pause at each of the steps of this run. */
  readonly #stepChance: number
  readonly #steps: ReadonlySet<string>
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
    this.#stepChance = random.choose([0.02, 0.06, 0.2])
    this.#steps = new Set([...steps.keys()].filter(() => random.chance(0.4)))
    machine.say(machine.world, 'has troubles', [...this.kinds].join(', ') || 'none')
  }

  /** Begins the troubles. */
  begin(): void {
    const { random } = machine
    const often = random.choose([1, 4, 15]) * minuteMs
    this.#repeat('kills', often, () => this.#kill(random.choose(this.#world.replicas)))
    this.#repeat(
      'stops',
      often,
      () =>
        void random
          .choose(this.#world.replicas)
          .stop()
          .finally(() => this.restartSoon()),
    )
    this.#repeat('pauses', often, () => this.#pause(random.choose(this.#world.replicas).owner))
    this.#repeat('clockSteps', often, () => this.#stepClock())
    this.#repeat('damage', often, () => this.#damage(random.choose(this.#world.repositories)))
    this.#repeat('moodyReceivers', 5 * secondMs, () => this.#changeMood(random.choose(this.#world.receivers)))
    for (const kind of windowKinds) this.#repeat(kind, often, () => this.#openWindow(kind))
    this.#replaceFates()
  }

  /** Ends all troubles except pauses; what is down is started. */
  end(): void {
    this.#isOver = true
    for (const repository of this.#world.repositories) repository.mend()
    for (const receiver of this.#world.receivers) receiver.mood = well
    for (const replica of this.#world.replicas) if (!replica.isUp) replica.start()
  }

  /** Starts what has ended, some time later. */
  restartSoon(): void {
    const start = () => {
      for (const replica of this.#world.replicas) if (!replica.isUp) replica.start()
    }
    machine.plan(machine.random.choose([50, 500, 20 * secondMs, 2 * minuteMs]), 'world', start)
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

  #pause(owner: Owner | undefined): void {
    if (owner?.isAlive !== true || owner.pausedUntil > machine.now) return
    const ms = secondMs * machine.random.choose(pauses) * machine.random.between(0.7, 1.3)
    machine.pause(owner, ms)
    const { troubles } = this.#world
    for (const at of [machine.now, machine.now + ms]) {
      troubles.noteProcess(owner, at)
      // It may hold the lock of the database, so that others have no contact either.
      troubles.noteDatabase(at)
    }
  }

  #stepClock(): void {
    const ms = machine.random.choose([-minuteMs, 20 * secondMs, 15 * minuteMs, -10 * secondMs])
    machine.clockStepMs += ms
    this.#world.troubles.clockSteps++
    machine.say(machine.world, 'sets the clock', `by ${ms / secondMs} s`)
  }

  #damage(repository: SimulatedRepository): void {
    const { random } = machine
    repository.damage(random.choose(['missing', 'cut']))
    machine.plan(secondMs * random.choose([5, 100, 400]), 'world', () => repository.mend())
  }

  /** A receiver is well for a while between two moods, so that retries seldom wait for hours. */
  #changeMood(receiver: SimulatedReceiver): void {
    const { random } = machine
    if ((this.#wellUntil.get(receiver) ?? 0) > machine.now) return
    receiver.mood = random.chance(0.06) && !receiver.stays ? gone : random.choose(moods)
    machine.say(machine.world, `${receiver.name} becomes`, receiver.mood.name)
    const ms = random.choose([5, 60, 400]) * secondMs
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
      this.#world.troubles.noteDatabase()
      const code = random.choose(['SQLITE_BUSY', 'SQLITE_IOERR', 'SQLITE_FULL'])
      return { ...usual, answerMs, code, failsAfterEffect: label !== 'begin' && random.chance(0.5) }
    }
    statementFates.reach = (owner, label) => this.#reach(owner, label)
    fileFates.decide = (path) => {
      const isMeant = dirname(path).includes(`/${this.#failingDirectory}`) || path.endsWith(this.#failingDirectory)
      const ms = this.#isOpen('slowFiles') && isMeant ? random.between(1, 20_000) : random.between(0.02, 0.6)
      return { ms, ...(this.#isOpen('failingFiles') && isMeant && { code: 'EIO' }) }
    }
    const losesSignals = this.kinds.has('lostSignals')
    changeSignals.delay = () =>
      losesSignals && !this.#isOver && random.chance(0.5) ? undefined : random.between(0.1, 5)
  }

  #reach(owner: Owner, label: string): void {
    if (this.#isOver || owner.name === 'observer') return
    const { random } = machine
    if (!this.#steps.has(label) || !random.chance(this.#stepChance * (steps.get(label) ?? 0))) return
    const replica = this.#world.replicas.find((replica) => replica.owner === owner)
    const does = (['killsAtSteps', 'pausesAtSteps'] as const).filter((kind) => this.kinds.has(kind))
    if (replica === undefined || does.length === 0) return
    machine.say(owner, `reaches ${label}`)
    if (random.choose(does) === 'pausesAtSteps') this.#pause(owner)
    else machine.as(machine.world, () => this.#kill(replica))
  }
}
