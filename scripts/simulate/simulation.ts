// One run: the service with its replicas, the world around it, troubles, and then a time in which all must arrive.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passCalmTime } from './calm.ts'
import { TroublePlan } from './trouble-plan.ts'
import { Computer } from './machine/computer.ts'
import { machine } from './machine/machine.ts'
import { SeededRandom } from '../history/seeded-random.ts'
import { Exchanges } from './model/exchanges.ts'
import { watchLog } from './model/log.ts'
import { comeToRest } from './model/rest.ts'
import { watchIndex } from './model/search.ts'
import { Troubles } from './model/troubles.ts'
import { listWebhooks, type SourceInput, writeConfiguration } from './world/configuration.ts'
import type { AdministeredReceiver } from './world/administered-receiver.ts'
import { administrationRates, Administrator } from './world/administrators.ts'
import { ExpectationKeeper } from './world/expectation-keeper.ts'
import { Follower } from './world/followers.ts'
import { readRepository } from './world/readers.ts'
import { type Arrival, SimulatedReceiver } from './world/receivers.ts'
import { SimulatedStore } from './world/remote-store.ts'
import { SimulatedReplica } from './world/replicas.ts'
import { SimulatedRepository } from './world/repositories.ts'
import type { AskedService } from './world/send-request.ts'
import { useSqlite } from './databases/sqlite-thread.ts'

/** How to start the database of a run, by its engine; returns its address. */
const engines: Readonly<Record<string, () => Promise<string>>> = {
  async sqlite() {
    useSqlite()
    return 'sqlite:floe.db'
  },
  // Loaded on demand, because it takes long.
  postgres: async () => (await import('./databases/postgres-server.ts')).startPostgres(),
}

export type SimulationOptions = {
  readonly seed: number
  /** The database: `sqlite` or `postgres`. */
  readonly engine: string
  /** How long troubles last. */
  readonly hours: number
  readonly replicas: number
  readonly repositories: number
  /** The run ends after this step. */
  readonly to: number
  /** Number of the last steps that are written in words. */
  readonly show: number
}

export type SimulationResult = {
  readonly hash: string
  readonly faults: readonly string[]
  readonly lastSteps: readonly string[]
  readonly simulatedMs: number
  readonly steps: number
  /** What went wrong on purpose, and what receivers got. */
  readonly summary: string
}

const hourMs = 3_600_000

/** Files in memory, where the system has them. */
const memory = '/dev/shm'

const directories = { local: 'local', remote: 'remote' }

/** Every fifth repository is in a remote store. */
const isRemote = (index: number) => index % 5 === 4
const followerCount = 3
const administratorCount = 5
const keeperNames = ['keeper1', 'keeper2', 'keeper3']

/** Clocks that nobody sets can differ by hours. Those of real machines gain less than this. */
const maxOffsetMs = 5 * hourMs
const maxDrift = 0.0002

/** Mean times between two changes of repositories, in milliseconds; a run has one of them. */
const changeRates = [4_000, 15_000, 60_000]

/** The same in the calm time. */
const calmChangeMs = 8_000

/** A repository changes up to this long after somebody has sent a request to read it, in milliseconds. */
const readerLeadMs = 60

/** Runs a seed. A process can run one, because there is one machine in it. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const temporary = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'floe-simulation-'))
  // Paths in the database are relative, so that they are the same in each run.
  process.chdir(temporary)
  machine.lastStep = options.to
  machine.trace.directory = temporary
  machine.trace.remembered = options.show
  try {
    const start = engines[options.engine]
    if (start === undefined) throw new TypeError(`--engine must be ${Object.keys(engines).join(' or ')}`)
    const database = await start()
    // From here on, so that the start does not matter.
    machine.random = new SeededRandom(options.seed)
    const simulation = new Simulation(options, database)
    await simulation.run(options.hours * hourMs)
    const { trace, faults, now, steps } = machine
    const { summary } = simulation
    return { hash: trace.hash, faults, lastSteps: trace.write(options.show), simulatedMs: now, steps, summary }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Starts a service that only indexes, in SQLite. */
function startFresh(database: string, sources: readonly SourceInput[]): SimulatedReplica {
  useSqlite()
  const onFailedStart = (error: unknown) => void machine.fault(`a new service cannot start: ${String(error)}`)
  const config = writeConfiguration({ database, sources, webhooks: [] })
  const replica = new SimulatedReplica('fresh', machine.world.computer, config, onFailedStart)
  replica.start()
  return replica
}

/** Replicas share a file of SQLite on one computer; those with PostgreSQL have computers with clocks of their own. */
function chooseComputer(database: string, index: number): Computer {
  const { random, world } = machine
  if (database.startsWith('sqlite:')) return world.computer
  const [drift, offsetMs] = [random.between(-maxDrift, maxDrift), random.between(-maxOffsetMs, maxOffsetMs)]
  return new Computer(index + 1, { drift, offsetMs })
}

class Simulation {
  readonly #database: string
  readonly #repositories: readonly SimulatedRepository[]
  readonly #sources: readonly SourceInput[]
  readonly #webhooks
  readonly #receivers: readonly SimulatedReceiver[]
  readonly #replicas: readonly SimulatedReplica[]
  readonly #followers: readonly Follower[]
  readonly #administrators: readonly Administrator[]
  readonly #keepers: readonly ExpectationKeeper[]
  readonly #service: AskedService
  readonly #reader = machine.start('reader')
  readonly #exchanges: Exchanges
  readonly #troubles = new Troubles()
  readonly #plan: TroublePlan
  #changeEveryMs: number
  #isChanging = true

  constructor({ repositories, replicas, hours }: SimulationOptions, database: string) {
    for (const directory of Object.values(directories)) mkdirSync(directory)
    // Less happens in a long run, so that it reaches the long waits of retries.
    const stretch = Math.max(1, hours)
    this.#changeEveryMs = machine.random.choose(changeRates) * stretch
    this.#database = database
    this.#exchanges = new Exchanges(this.#troubles, (queue) => this.#findAdministered(queue))
    const names = Array.from({ length: repositories }, (_, index) => `r${index}`)
    this.#repositories = names.map((name, index) => {
      const isPolled = isRemote(index)
      return new SimulatedRepository(name, isPolled ? directories.remote : directories.local, index, { isPolled })
    })
    const { origin } = new SimulatedStore('store.example', directories.remote)
    const remote = names.filter((_, index) => isRemote(index))
    this.#sources = [{ scan: directories.local }, ...remote.map((name) => ({ name, location: `${origin}/${name}` }))]
    this.#webhooks = listWebhooks(names)
    this.#receivers = this.#webhooks.map(
      ({ alias }, index) => new SimulatedReceiver(alias, index, (arrival) => this.#exchanges.note(arrival)),
    )
    const config = writeConfiguration({ database, sources: this.#sources, webhooks: this.#webhooks })
    const onFailedStart = (error: unknown) => this.#plan.noteFailedStart(error)
    this.#replicas = Array.from({ length: replicas }, (_, index) => {
      return new SimulatedReplica(`replica${index + 1}`, chooseComputer(database, index), config, onFailedStart)
    })
    this.#followers = Array.from(
      { length: followerCount },
      (_, index) => new Follower(`follower${index + 1}`, this.#replicas),
    )
    const isCalm = () => this.#troubles.isCalm(machine.now, machine.now)
    this.#service = { replicas: this.#replicas, isCalm }
    const world = { ...this.#service, database, repositories: names }
    const everyMs = machine.random.choose(administrationRates) * stretch
    this.#administrators = Array.from({ length: administratorCount }, (_, index) => {
      const number = this.#webhooks.length + index
      const note = (arrival: Arrival) => this.#exchanges.note(arrival)
      return new Administrator(
        new SimulatedReceiver(`owner${index + 1}`, number, note, { stays: true }),
        world,
        everyMs,
      )
    })
    this.#keepers = keeperNames.map((name) => new ExpectationKeeper(name, world, everyMs))
    const receivers = [...this.#receivers, ...this.#administrators.map(({ host }) => host)]
    this.#plan = new TroublePlan({
      replicas: this.#replicas,
      repositories: this.#repositories,
      receivers,
      troubles: this.#troubles,
      stretch,
    })
  }

  get summary(): string {
    const streamed = this.#followers.reduce((sum, { bodies }) => sum + bodies.length, 0)
    const { arrivals, retries, repeated } = this.#exchanges
    const counts = `${arrivals} requests, ${retries} retries, ${repeated} repeated, ${streamed} events streamed`
    const excused = [...this.#troubles.excused].map(([what, times]) => `${what} (${times})`).join(', ') || 'nothing'
    return `${counts}; ${[...this.#plan.kinds].join(', ') || 'no trouble'}; excused: ${excused}`
  }

  /** Runs the service in trouble for a time, and then until all has arrived. */
  async run(ms: number): Promise<void> {
    watchLog()
    const { world } = machine
    machine.plan(0, 'world', () => this.#begin(), { owner: world })
    await machine.run(ms)
    machine.plan(0, 'world', () => this.#end(), { owner: world })
    await comeToRest({
      database: this.#database,
      repositories: this.#repositories,
      webhooks: this.#webhooks,
      exchanges: this.#exchanges,
      followers: this.#followers,
      troubles: this.#troubles,
      administrators: this.#administrators,
      keepers: this.#keepers,
      replicas: this.#replicas,
      startFresh: (database) => startFresh(database, this.#sources),
      service: this.#service,
      passCalmTime: () =>
        passCalmTime({
          service: this.#service,
          repositories: this.#repositories,
          receivers: this.#receivers,
          administrators: this.#administrators,
          exchanges: this.#exchanges,
          setChanging: (isChanging) => this.#setChanging(isChanging),
        }),
    })
  }

  #setChanging(isChanging: boolean): void {
    this.#isChanging = isChanging
    this.#changeEveryMs = calmChangeMs
    if (isChanging) machine.plan(0, 'world', () => this.#changeSoon(), { owner: machine.world })
  }

  #begin(): void {
    for (const replica of this.#replicas) replica.start()
    for (const follower of this.#followers) follower.start()
    for (const administrator of this.#administrators) administrator.start()
    for (const keeper of this.#keepers) keeper.start()
    machine.as(machine.start('observer'), () => void watchIndex(this.#database, () => !this.#isChanging))
    this.#changeSoon()
    this.#plan.begin()
  }

  #findAdministered(queue: string): AdministeredReceiver | undefined {
    const alias = queue.split('/')[1] ?? ''
    const all = this.#administrators.map(({ receivers }) => receivers.get(alias))
    return all.find((receiver) => receiver !== undefined)
  }

  #changeSoon(): void {
    const { random } = machine
    const ms = -Math.log(1 - random.next()) * this.#changeEveryMs
    machine.plan(ms, 'world', () => {
      if (!this.#isChanging) return
      const repository = random.choose(this.#repositories)
      const change = () => {
        if (this.#isChanging) repository.change()
      }
      // Somebody begins to read what changes.
      machine.as(this.#reader, () => void readRepository(this.#service, repository))
      machine.plan(random.between(0, readerLeadMs), 'world', change, { owner: machine.world })
      // Some writers change something again, while the service still checks or soon after.
      const againMs = random.choose([random.between(0.5, 50), random.between(5_000, 40_000)])
      if (random.chance(0.3)) machine.plan(againMs, 'world', change)
      this.#changeSoon()
    })
  }

  #end(): void {
    machine.say(machine.world, 'ends the troubles')
    this.#isChanging = false
    this.#plan.end()
    for (const follower of this.#followers) follower.end()
  }
}
