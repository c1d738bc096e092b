// One run: the service with its replicas, the world around it, troubles, and then a time in which all must arrive.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { openDatabase } from '@floe/storage/database'
import { FaultPlan, watchLog } from './faults.ts'
import { machine } from './machine/machine.ts'
import { programs } from './machine/patch-threads.ts'
import { SeededRandom } from './machine/random.ts'
import { Exchanges, Troubles } from './model/exchanges.ts'
import { checkRecords, listUndone, type ModelParts } from './model/records.ts'
import { listWebhooks, writeConfiguration } from './world/configuration.ts'
import { SimulatedReceiver } from './world/receivers.ts'
import { SimulatedReplica } from './world/replicas.ts'
import { SimulatedRepository } from './world/repositories.ts'
import { openSqliteThread } from './world/sqlite-thread.ts'

export type SimulationOptions = {
  readonly seed: number
  readonly hours: number
  readonly replicas: number
  readonly repositories: number
  /** The run ends after this step. */
  readonly to: number
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

const database = 'sqlite:floe.db'

/** How often the service is looked at when it comes to rest, and how long that may take, in milliseconds. */
const restMs = 20_000
const longestRestMs = 900_000

/** Mean times between two changes of repositories, in milliseconds; a run has one of them. */
const changeRates = [10_000, 40_000, 180_000]

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const directory = mkdtempSync('/dev/shm/floe-simulation-')
  // Paths in the database are relative, so that they are the same in each run.
  process.chdir(directory)
  let summary = ''
  try {
    machine.random = new SeededRandom(options.seed)
    machine.lastStep = options.to
    summary = await run(options)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  const { trace, faults, now, steps } = machine
  return { hash: trace.hash, faults, lastSteps: trace.write(50), simulatedMs: now, steps, summary }
}

async function run(options: SimulationOptions): Promise<string> {
  const parent = 'repositories'
  mkdirSync(parent)
  programs.set('sqlite-worker.ts', openSqliteThread)
  const names = Array.from({ length: options.repositories }, (_, index) => `r${index}`)
  const repositories = names.map((name, index) => new SimulatedRepository(name, parent, index))
  const webhooks = listWebhooks(names)
  const troubles = new Troubles()
  const exchanges = new Exchanges(troubles)
  const receivers = webhooks.map(
    ({ alias }, index) => new SimulatedReceiver(alias, index, (arrival) => exchanges.note(arrival)),
  )
  const config = writeConfiguration({ database, directory: parent, webhooks })
  const onFailedStart = (error: unknown) => {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    machine.say(machine.world, 'sees a start fail', why.split('\n')[0])
    if (!plan.excusesFailedStart) machine.fault(`a replica cannot start: ${why}`)
    plan.restartSoon()
  }
  const replicas = Array.from(
    { length: options.replicas },
    (_, index) => new SimulatedReplica(`replica${index + 1}`, config, onFailedStart),
  )
  const plan = new FaultPlan({ replicas, receivers, troubles })
  watchLog()
  const changeEveryMs = machine.random.choose(changeRates)
  let isChanging = true
  const changeSoon = () => {
    const ms = -Math.log(1 - machine.random.next()) * changeEveryMs
    machine.plan(ms, 'world', () => {
      if (!isChanging) return
      machine.random.choose(repositories).change()
      changeSoon()
    })
  }
  const begin = () => {
    for (const replica of replicas) replica.start()
    changeSoon()
    plan.begin()
  }
  const end = () => {
    machine.say(machine.world, 'ends the troubles')
    isChanging = false
    plan.end()
  }
  machine.plan(0, 'world', begin, { owner: machine.world })
  await machine.run(options.hours * hourMs)
  machine.plan(0, 'world', end, { owner: machine.world })
  await rest({ repositories, webhooks, exchanges })
  for (const replica of replicas) replica.kill()
  const { arrivals, retries, repeated } = exchanges
  const counts = `${arrivals} requests, ${retries} retries, ${repeated} repeated`
  return `${counts}; ${[...plan.kinds].join(', ') || 'no trouble'}`
}

/** Lets everything arrive that waits, and then checks everything. */
async function rest(parts: ModelParts): Promise<void> {
  const observer = machine.start('observer')
  let isDone = false
  const observe = async () => {
    await machine.wait(restMs, 'looks')
    const db = await openDatabase(database)
    const { last } = await db
      .selectFrom('undelivered')
      .select(({ fn }) => fn.max('due_at').as('last'))
      .where('queue_position', 'is not', null)
      .executeTakeFirstOrThrow()
    const until = machine.now + Math.max(0, (last ?? 0) - machine.clock) + longestRestMs
    let undone: readonly string[] = ['nothing is known']
    while (undone.length > 0 && machine.now < until) {
      await machine.wait(restMs, 'looks')
      undone = await listUndone(db, parts.repositories)
    }
    if (undone.length > 0) machine.fault(`at rest, ${undone.slice(0, 5).join('; ')} (${undone.length})`)
    const faults: string[] = []
    await checkRecords(db, parts, faults)
    for (const fault of faults.slice(0, 20)) machine.fault(fault)
    await db.destroy()
    isDone = true
  }
  machine.plan(
    0,
    'looks',
    () =>
      void observe().catch((error: unknown) =>
        machine.fault(`the observer fails: ${String(error instanceof Error ? error.stack : error)}`),
      ),
    { owner: observer },
  )
  await machine.run(Infinity, () => isDone)
}
