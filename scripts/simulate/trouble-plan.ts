// What goes wrong in a run. Each seed chooses some kinds of trouble, and how often they happen.
import { basename, dirname } from 'node:path'
import { machine, type Owner } from './machine/machine.ts'
import { chooseFileMs, fileFates } from './machine/patch-files.ts'
import {
  briefPause,
  gone,
  kinds,
  minuteMs,
  moods,
  pauses,
  secondMs,
  type StepKind,
  stepPauses,
  steps,
  type Trouble,
  type WindowKind,
  windowKinds,
} from './trouble-kinds.ts'
import type { Troubles } from './model/troubles.ts'
import { type SimulatedReceiver, well } from './world/receivers.ts'
import type { SimulatedReplica } from './world/replicas.ts'
import { changeSignals, longestRetryMs, type SimulatedRepository } from './world/repositories.ts'
import { statementFates } from './databases/statements.ts'

/** How often a trouble that lasts is noted, in milliseconds. */
const noteMs = 10 * secondMs

/** Kills in a run: most of the time of the processor would go into starts. */
const maxKills = 40

type World = {
  readonly replicas: readonly SimulatedReplica[]
  readonly repositories: readonly SimulatedRepository[]
  readonly receivers: readonly SimulatedReceiver[]
  readonly troubles: Troubles
  /** How much seldomer troubles begin than usual, and how much longer receivers are in a mood. */
  readonly stretch: number
}

/** The troubles of a run, until they are ended. */
export class TroublePlan {
  readonly kinds: ReadonlySet<Trouble>
  readonly #world: World
  #isOver = false
  /** By step: the trouble that strikes the first process to reach it. */
  readonly #awaited = new Map<string, StepKind>()
  readonly #windows = { slowDatabase: 0, failingDatabase: 0, slowFiles: 0, failingFiles: 0 }
  #failingDirectory = ''
  #kills = 0
  readonly #wellUntil = new Map<SimulatedReceiver, number>()

  constructor(world: World) {
    this.kinds = new Set((Object.keys(kinds) as Trouble[]).filter((kind) => machine.random.chance(kinds[kind])))
    this.#world = world
    world.troubles.hasFileTroubles = this.kinds.has('slowFiles') || this.kinds.has('failingFiles')
    machine.say(machine.world, 'has troubles', [...this.kinds].join(', ') || 'none')
  }

  /** Begins the troubles. */
  begin(): void {
    const { random } = machine
    const { stretch } = this.#world
    const often = random.choose([1, 4, 15]) * minuteMs * stretch
    // The service starts meanwhile.
    this.#world.troubles.noteHindrance()
    this.#repeat('kills', often, () => this.#kill(random.choose(this.#world.replicas)))
    this.#repeat('stops', often, () => void this.#stop(random.choose(this.#world.replicas)))
    this.#repeat('outages', often, () => this.#killAll())
    this.#repeat('pauses', often, () => this.#pause(random.choose(this.#world.replicas).owner, pauses))
    this.#repeat('clockSteps', often, () => this.#stepClock())
    this.#repeat('damage', 1.5 * minuteMs * stretch, () => this.#damage(random.choose(this.#world.repositories)))
    this.#repeat('moodyReceivers', 5 * secondMs * stretch, () => this.#changeMood(random.choose(this.#world.receivers)))
    const oftenAtSteps = random.choose([20 * secondMs, minuteMs, 3 * minuteMs]) * stretch
    for (const kind of Object.keys(steps) as StepKind[]) {
      // These disturb no process.
      const isHarmless = kind === 'turnsAtSteps' || kind === 'requestsAtSteps'
      const everyMs = isHarmless ? 20 * secondMs * stretch : oftenAtSteps
      this.#repeat(kind, everyMs, () => void this.#awaited.set(random.choose<string>(steps[kind]), kind))
    }
    machine.onStep = (owner, step, path) => this.#reach(owner, step, path)
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
    const ms = machine.random.choose([50, 500, 20 * secondMs, 2 * minuteMs])
    machine.plan(ms, 'world', () => this.#startAll())
    // If no replica is left, nothing can be done until then.
    const { replicas, troubles } = this.#world
    const noteIfDown = () => {
      if (replicas.every(({ isUp }) => !isUp)) troubles.noteHindrance()
    }
    for (let passed = 0; passed < ms; passed += noteMs) machine.plan(passed, 'world', noteIfDown)
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

  /** While no replica is left, repositories move on, and the commits that replicas knew are collected. */
  #killAll(): void {
    for (const replica of this.#world.replicas) this.#kill(replica)
    if (this.#world.replicas.some(({ isUp }) => isUp)) return
    for (const repository of this.#world.repositories) {
      if (machine.random.chance(0.7)) repository.turn()
      repository.collect()
    }
  }

  async #stop(replica: SimulatedReplica): Promise<void> {
    this.#world.troubles.noteHindrance()
    await replica.stop().finally(() => this.restartSoon())
  }

  #pause(owner: Owner | undefined, lengths: readonly number[]): void {
    if (owner?.isAlive !== true || owner.pausedUntil > machine.now) return
    const ms = secondMs * machine.random.choose(lengths) * machine.random.between(0.7, 1.3)
    machine.pause(owner, ms)
    const { troubles } = this.#world
    for (let passed = 0; passed < ms + noteMs; passed += noteMs) {
      const at = machine.now + Math.min(passed, ms)
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
    if (computer === world.computer) this.#world.troubles.noteClockStep(ms)
    machine.say(world, `sets the clock of ${computer.name}`, `by ${ms / secondMs} s`)
  }

  /** Sets a clock while a process is paused, as when its computer is moved. */
  #moveComputer(owner: Owner): void {
    this.#pause(owner, [briefPause])
    machine.plan((briefPause * secondMs) / 2, 'world', () => this.#stepClock())
  }

  #damage(repository: SimulatedRepository): void {
    const { random } = machine
    const ms = secondMs * random.choose([5, 150, 400])
    repository.damage(random.choose(['missing', 'cut']))
    // The process that tells it ends, or is paused, so that another one goes on.
    for (const kind of ['pausesAtSteps', 'killsAtSteps'] as const)
      if (this.kinds.has(kind)) this.#awaited.set('after commit of readability', kind)
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
      const asked = this.#take(owner, `during ${label}`)
      if (asked !== undefined) {
        asked.replica.ask(random.choose(this.#world.repositories).name)
        return { ...usual, answerMs: random.between(1, 10) }
      }
      const isLost = owner.readyAt <= machine.now && this.#take(owner, `before answer to ${label}`) !== undefined
      if (isLost && random.chance(0.5)) {
        const lateMs = random.between(20, 3_000)
        for (const at of [machine.now, machine.now + lateMs]) this.#world.troubles.noteProcess(owner, at)
        return { ...usual, answerMs: lateMs }
      }
      const fails = this.#isOpen('failingDatabase') && random.chance(0.3) && owner.name !== 'observer'
      if (!isLost && !fails) return { ...usual, answerMs }
      this.#world.troubles.noteProcess(owner)
      const code = random.choose(statementFates.codes)
      if (isLost) return { ...usual, code, failsAfterEffect: true }
      return { ...usual, answerMs, code, failsAfterEffect: label !== 'begin' && random.chance(0.5) }
    }
    statementFates.onIdleEnd = () => this.#world.troubles.noteDatabase()
    fileFates.decide = (path) => {
      const isMeant = dirname(path).includes(`/${this.#failingDirectory}`) || path.endsWith(this.#failingDirectory)
      const [isSlow, fails] = [isMeant && this.#isOpen('slowFiles'), isMeant && this.#isOpen('failingFiles')]
      // The service waits longer and longer until it reads a repository again.
      if (fails) this.#world.troubles.noteHindranceFor(longestRetryMs)
      else if (isSlow) this.#world.troubles.noteHindrance()
      const ms = isSlow ? random.between(1, 20_000) : chooseFileMs()
      return { ms, ...(fails && { code: 'EIO' }) }
    }
    const losesSignals = this.kinds.has('lostSignals')
    changeSignals.delay = ({ lostReports }) => {
      if (!losesSignals || this.#isOver || random.chance(0.5)) return random.between(0.1, 5)
      lostReports.push(machine.clock)
      return undefined
    }
  }

  /** Takes the trouble that waits for a replica at this step. */
  #take(owner: Owner, step: string) {
    const kind = this.#awaited.get(step)
    if (this.#isOver || kind === undefined) return undefined
    const replica = this.#world.replicas.find((replica) => replica.owner === owner)
    if (replica === undefined) return undefined
    this.#awaited.delete(step)
    machine.say(owner, `is ${step}`)
    return { kind, replica }
  }

  #reach(owner: Owner, step: string, path = ''): void {
    // Most pauses after a read wait for one that begins before a commit is too old, and ends after that.
    const isRead = step === 'after read of repo'
    const isNearlyStale = isRead && this.#findConcerned(path).isStaleWithin(briefPause * secondMs)
    if (isRead && !isNearlyStale && machine.random.chance(0.95)) return
    const { kind, replica } = this.#take(owner, step) ?? {}
    if (replica === undefined) return
    if (kind === 'pausesAtSteps') this.#pause(owner, isNearlyStale ? [briefPause] : stepPauses)
    machine.as(machine.world, () => {
      if (kind === 'killsAtSteps') this.#kill(replica)
      else if (kind === 'clockStepsAtSteps') this.#moveComputer(owner)
      if (kind === 'turnsAtSteps' || machine.random.chance(0.6)) this.#findConcerned(path).turn()
    })
  }

  /** Finds the repository that a process has just read, or else the one whose last change it probably works on. */
  #findConcerned(path: string): SimulatedRepository {
    const { repositories } = this.#world
    const read = repositories.find(({ name }) => name === basename(dirname(path)))
    return read ?? repositories.reduce((last, one) => (one.changedAt > last.changedAt ? one : last))
  }
}
