// One run: the service with its replicas, the world around it, troubles, and then a time in which all must arrive.
import { mkdirSync } from 'node:fs'
import { passCalmTime } from './calm.ts'
import { TroublePlan } from './trouble-plan.ts'
import { Computer } from './machine/computer.ts'
import { machine } from './machine/machine.ts'
import { Exchanges } from './model/deliveries/exchanges.ts'
import { watchLog } from './model/log.ts'
import { watchGood } from './model/events/good.ts'
import { comeToRest } from './model/rest.ts'
import { watchIndex } from './model/search.ts'
import { Troubles } from './model/troubles.ts'
import { chooseChats, failBeforeDigests, type SimulatedChat } from './world/chats.ts'
import { listWebhooks, type SourceInput, writeConfiguration } from './world/configuration.ts'
import type { AdministeredReceiver } from './callers/administered-receiver.ts'
import { administrationRates, Administrator } from './callers/administrators.ts'
import { Checker } from './callers/checker.ts'
import { ExpectationKeeper } from './callers/expectation-keeper.ts'
import { Follower } from './callers/followers.ts'
import { readRepository } from './callers/readers.ts'
import { SimulatedReceiver } from './world/receivers.ts'
import { SimulatedStore } from './world/remote-store.ts'
import { SimulatedReplica } from './world/replicas.ts'
import { Retractor } from './callers/retractor.ts'
import { SimulatedRepository } from './world/repositories.ts'
import type { AskedService } from './callers/send-request.ts'
import { useSqlite } from './databases/sqlite-thread.ts'

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

const directories = { local: 'local', remote: 'remote' }

/** Every fifth repository is in a remote store. */
const isRemote = (index: number) => index % 5 === 4
const followerCount = 3
const administratorCount = 5
const keeperNames = ['keeper1', 'keeper2', 'keeper3']

/** Clocks that nobody sets can differ by hours. Those of real machines gain less than this. */
const maxOffsetMs = 5 * 3_600_000
const maxDrift = 0.0002

/** Mean times between two changes of repositories, in milliseconds; a run has one of them. */
const changeRates = [4_000, 15_000, 60_000]

/** The same in the calm time. */
const calmChangeMs = 8_000

/** A repository changes up to this long after somebody has sent a request to read it, in milliseconds. */
const readerLeadMs = 60

/** Starts a service that only indexes, in SQLite. */
function startFresh(database: string, sources: readonly SourceInput[]): SimulatedReplica {
  useSqlite()
  const onFailedStart = (error: unknown) => void machine.fault(`a new service cannot start: ${String(error)}`)
  const config = writeConfiguration({ database, sources, webhooks: [], chats: [] })
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

function makeRepository(name: string, index: number): SimulatedRepository {
  const isPolled = isRemote(index)
  return new SimulatedRepository(name, isPolled ? directories.remote : directories.local, index, { isPolled })
}

/** Makes the place where the receivers of an administrator are. */
function makeOwner(index: number, number: number, exchanges: Exchanges): SimulatedReceiver {
  return new SimulatedReceiver(`owner${index + 1}`, number, (arrival) => exchanges.note(arrival), { stays: true })
}

/** The service and its world. */
export class Simulation {
  readonly #database: string
  readonly #repositories: readonly SimulatedRepository[]
  readonly #sources: readonly SourceInput[]
  readonly #webhooks
  readonly #receivers: readonly SimulatedReceiver[]
  readonly #chats: readonly SimulatedChat[]
  readonly #replicas: readonly SimulatedReplica[]
  readonly #followers: readonly Follower[]
  readonly #administrators: readonly Administrator[]
  readonly #keepers: readonly ExpectationKeeper[]
  readonly #checker: Checker
  readonly #retractor: Retractor
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
    this.#repositories = names.map(makeRepository)
    const { origin } = new SimulatedStore('store.example', directories.remote)
    const remote = names.filter((_, index) => isRemote(index))
    this.#sources = [{ scan: directories.local }, ...remote.map((name) => ({ name, location: `${origin}/${name}` }))]
    this.#webhooks = listWebhooks(names)
    this.#receivers = this.#webhooks.map(
      ({ alias }, index) => new SimulatedReceiver(alias, index, (arrival) => this.#exchanges.note(arrival)),
    )
    this.#chats = chooseChats(this.#webhooks.length + administratorCount)
    const told = { webhooks: this.#webhooks, chats: this.#chats }
    const config = writeConfiguration({ database, sources: this.#sources, ...told })
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
      const host = makeOwner(index, this.#webhooks.length + index, this.#exchanges)
      return new Administrator(host, world, everyMs)
    })
    this.#checker = new Checker(this.#service, this.#repositories, this.#changeEveryMs / 2)
    this.#retractor = new Retractor(this.#service, this.#repositories, everyMs)
    this.#keepers = keeperNames.map((name) => new ExpectationKeeper(name, world, everyMs))
    const hosts = [...this.#administrators, ...this.#chats].map(({ host }) => host)
    const receivers = [...this.#receivers, ...hosts]
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
    const chats = this.#chats.reduce((sum, { host }) => sum + host.arrivals.length, 0)
    const requests = `${arrivals} requests, ${chats} of chats, ${retries} retries, ${repeated} repeated`
    const remarks = `${this.#checker.posts} checks posted, ${this.#retractor.retractions.length} retractions`
    const counts = `${requests}, ${streamed} events streamed, ${remarks}`
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
      chats: this.#chats,
      exchanges: this.#exchanges,
      followers: this.#followers,
      troubles: this.#troubles,
      administrators: this.#administrators,
      keepers: this.#keepers,
      checker: this.#checker,
      retractor: this.#retractor,
      replicas: this.#replicas,
      startFresh: (database) => startFresh(database, this.#sources),
      service: this.#service,
      passCalmTime: () =>
        passCalmTime({
          service: this.#service,
          repositories: this.#repositories,
          receivers: [...this.#receivers, ...this.#chats.map(({ host }) => host)],
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
    for (const { actor } of [...this.#keepers, this.#checker, this.#retractor]) actor.start()
    const isOver = () => !this.#isChanging
    const { retractions } = this.#retractor
    machine.as(machine.start('observer'), () => void watchIndex(this.#database, isOver))
    machine.as(machine.start('observer'), () => void watchGood(this.#database, retractions, isOver))
    this.#changeSoon()
    failBeforeDigests(this.#chats)
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
