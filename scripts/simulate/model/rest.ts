// The end of a run: without troubles, everything must arrive within the time of the schedule.
import { type Database, openDatabase } from '@floe/storage/database'
import { listUndone } from '../../history/list-undone.ts'
import { machine } from '../machine/machine.ts'
import { indexedBranches } from '../world/configuration.ts'
import { delaysMs, findLastDue, mostSpread } from './deliveries/exchanges.ts'
import type { AskedService } from '../callers/send-request.ts'
import { checkRecords, type ModelParts } from './records.ts'
import { redeliver } from './deliveries/redeliver.ts'
import { checkIndex, checkSearch, type SearchParts } from './search.ts'

/** How often the service is looked at when it comes to rest, and how long that may take, in milliseconds. */
const lookMs = 20_000
const longestRestMs = 900_000

/** What a killed process has sent to its database takes effect within this time, in milliseconds. */
const killedMs = 1_000

/** After this time, followers have connected again and digests that were put off are sent, in milliseconds. */
const followMs = 70_000

/** Faults of one run that are shown. */
const maxFaults = 10

type RestParts = ModelParts &
  SearchParts & {
    readonly database: string
    readonly service: AskedService
    /** Lets a time pass in which repositories change, and nothing is wrong with the service. */
    readonly passCalmTime: () => Promise<void>
  }

/** Lets everything arrive that waits, also after a calm time with changes, and then checks everything. */
export async function comeToRest(parts: RestParts): Promise<void> {
  let isDone = false
  const observe = async () => {
    await look(parts).catch((error: unknown) => {
      machine.fault(`the observer fails: ${error instanceof Error ? error.stack : String(error)}`)
    })
    isDone = true
  }
  machine.plan(0, 'looks', () => void observe(), { owner: machine.start('observer') })
  await machine.run(Infinity, () => isDone)
}

async function look(parts: RestParts): Promise<void> {
  const pauses = [...machine.processes.values()].map(({ pausedUntil }) => pausedUntil - machine.now)
  await machine.wait(Math.max(0, ...pauses) + lookMs, 'looks')
  for (const administrator of parts.administrators) await administrator.finish()
  for (const { actor } of parts.keepers) await actor.finish()
  const db = await openDatabase(parts.database)
  await hastenLate(db, parts)
  await waitForRest(db, parts)
  await parts.passCalmTime()
  await parts.checker.actor.finish()
  await parts.retractor.actor.finish()
  await hastenLate(db, parts)
  await waitForRest(db, parts)
  await machine.wait(followMs, 'looks')
  const faults: string[] = []
  await checkSearch(parts, faults)
  await endAtRest(db, parts)
  await checkRecords(db, parts, faults)
  if (faults.length === 0) await checkIndex(db, parts, faults)
  for (const fault of faults.slice(0, maxFaults)) machine.fault(fault)
  await db.destroy()
}

/** Asks for the deliveries whose receiver asked for a later time, once it is known that they are planned for it. */
async function hastenLate(db: Database, { exchanges, troubles, service, chats }: RestParts): Promise<void> {
  const planned = await db
    .selectFrom('undelivered')
    .innerJoin('deliveries', 'deliveries.number', 'delivery_number')
    .innerJoin('receivers', 'receivers.id', 'undelivered.receiver_id')
    .select(['deliveries.id', 'due_at as dueAt', 'undelivered.attempts', 'receivers.alias'])
    .where('due_at', 'is not', null)
    .where('is_enabled', '=', 1)
    .execute()
  const dueTimes = new Map(planned.map(({ id, attempts, dueAt }) => [`${id} ${attempts}`, dueAt ?? 0]))
  for (const last of exchanges.listLast()) {
    const dueAt = dueTimes.get(`${last.id} ${last.attempt}`)
    if (dueAt === undefined || (last.requestedMs ?? 0) < longestRestMs) continue
    const plannedMs = troubles.findTime(dueAt) - findLastDue(last)
    const isKnown = !troubles.wasSetBack && troubles.knowsTimesSince(last.at)
    if (isKnown && plannedMs > lookMs) machine.fault(`${last.queue}: ${last.id} is planned ${plannedMs} ms too late`)
    await redeliver(service, exchanges, last)
  }
  for (const { id, alias, dueAt } of planned) {
    const chat = chats.find((one) => one.alias === alias)
    if (chat === undefined || troubles.findTime(dueAt ?? 0) <= machine.now + longestRestMs) continue
    await redeliver(service, exchanges, { queue: alias, id })
    chat.hastened.push(machine.now)
  }
}

/** Waits until all is recorded and delivered, for as long as the schedule of retries allows. */
async function waitForRest(db: Database, { repositories }: ModelParts): Promise<void> {
  const { attempts } = await db
    .selectFrom('undelivered')
    .select(({ fn }) => fn.max('attempts').as('attempts'))
    .where('queue_position', 'is not', null)
    .executeTakeFirstOrThrow()
  const until = machine.now + (delaysMs[(attempts ?? 0) - 1] ?? 0) * mostSpread + longestRestMs
  let undone = await listUndone(db, repositories, indexedBranches)
  while (undone.length > 0 && machine.now < until) {
    await machine.wait(lookMs, 'looks')
    undone = await listUndone(db, repositories, indexedBranches)
  }
  if (undone.length > 0) machine.fault(`at rest, ${undone.slice(0, maxFaults).join('; ')} (${undone.length})`)
}

/**
 * Kills all replicas when nothing is under way, so that nothing new is recorded while it is checked what was: reminders
 * are told again and again, also at rest.
 */
async function endAtRest(db: Database, parts: RestParts): Promise<void> {
  const { replicas, repositories, troubles } = parts
  const until = machine.now + longestRestMs
  for (;;) {
    for (const replica of replicas) {
      if (replica.owner) troubles.noteProcess(replica.owner)
      replica.kill()
    }
    await machine.wait(killedMs, 'looks')
    const undone = await listUndone(db, repositories, indexedBranches)
    if (undone.length === 0 || machine.now > until) return
    for (const replica of replicas) replica.start()
    await machine.wait(lookMs, 'looks')
    await waitForRest(db, parts)
  }
}
