// Administrators, who add receivers, change and delete them, and ask for deliveries again, through any replica. Each
// does one thing after the other; one whose answer was lost checks what became of the request.
import { Chat, Webhook } from '@floe/contract'
import { changeVerdicts, defaultFilter, type EventFilter, type Resume } from '@floe/contract/lists'
import { type Database, openDatabase } from '@floe/storage/database'
import { z } from 'zod'
import { machine } from '../machine/machine.ts'
import { Actor } from './actor.ts'
import { AdministeredReceiver, type Change, type Settings } from './administered-receiver.ts'
import { type Answer, type AskedService, sendRequest } from './send-request.ts'
import { failing, isAccepted, type SimulatedReceiver, well } from '../world/receivers.ts'

const filters: readonly EventFilter[] = [
  defaultFilter,
  { ...defaultFilter, branches: ['**'], events: ['NewCommit', 'BranchCreated', 'BranchDeleted'] },
  { ...defaultFilter, branches: ['main', 'release-*'], events: ['NewCommit', 'TagCreated', 'TagDeleted'] },
  { ...defaultFilter, events: ['SchemaChanged', 'ExpectationUnmet'], compatibility: changeVerdicts },
]

/** Mean times between two requests of an administrator, in milliseconds; a run has one of them. */
export const administrationRates = [6_000, 25_000, 100_000]

const resumes: readonly Resume[] = ['all', 'all', 'latest', 'none']

/** In the calm time: what is under way arrives first, and then the receiver is disabled this long, in milliseconds. */
const calmPause = { failingMs: 40_000, settlingMs: 10_000, between: [20_000, 100_000], promptMs: 1_000 } as const

type World = AskedService & { readonly database: string; readonly repositories: readonly string[] }

/** Each has one receiver at a time. */
export class Administrator {
  /** All receivers that the administrator has added, by their aliases. */
  readonly receivers = new Map<string, AdministeredReceiver>()
  /** Where its receivers are. */
  readonly host: SimulatedReceiver
  readonly #world: World
  readonly #actor: Actor
  #db: Database | undefined
  #current: AdministeredReceiver | undefined
  #targets = 0

  constructor(host: SimulatedReceiver, world: World, everyMs: number) {
    this.host = host
    this.#world = world
    const act = () => this.#administer()
    this.#actor = new Actor({ name: host.name, does: 'administers', everyMs, act })
  }

  start(): void {
    this.#actor.start()
  }

  /** Ends the changes: enables what is disabled. Some ask for everything again, which would hide what was lost. */
  async finish(): Promise<void> {
    await this.#actor.finish()
    const receiver = this.#current
    if (receiver?.settings?.isEnabled === false) await this.#enable(receiver, 'all')
    if (receiver?.settings !== undefined && machine.random.chance(0.5)) {
      receiver.lastReplayAt = machine.now
      while ((await this.#replay(receiver, 0))?.status !== 202);
    }
    await this.#close()
  }

  async #close(): Promise<void> {
    await this.#db?.destroy()
    this.#db = undefined
  }

  /** Disables its receiver for a time in which nothing is wrong, so that it is known what must come of that time. */
  async pauseInCalm(): Promise<void> {
    const receiver = this.#current
    if (receiver?.settings?.isEnabled !== true) return
    const { random } = machine
    const resume = random.choose(resumes)
    // With the others, it would not be certain what becomes of that which waits for a retry.
    if (resume === 'all') {
      this.host.mood = failing
      await machine.wait(calmPause.failingMs, 'administers', this.host.name)
    }
    const after = await this.#readLastEvent()
    await machine.wait(calmPause.settlingMs, 'administers', this.host.name)
    const { lastEventAfter: heldFrom } = await this.#edit(receiver, { ...receiver.settings, isEnabled: false })
    await machine.wait(random.between(...calmPause.between), 'administers', this.host.name)
    this.host.mood = well
    const { sentAt, lastEventBefore: before, lastEventAfter: through } = await this.#enable(receiver, resume)
    receiver.pause = { after, heldFrom, before, through, resume }
    if (resume === 'all') await this.#awaitHeld(receiver, sentAt)
    await this.#close()
  }

  /** What waited for a retry when its receiver was disabled comes as soon as it is enabled. */
  async #awaitHeld({ alias }: AdministeredReceiver, since: number): Promise<void> {
    await machine.wait(calmPause.promptMs, 'administers', this.host.name)
    const arrivals = this.host.arrivals.filter(({ queue }) => queue.endsWith(`/${alias}`))
    for (const last of new Map(arrivals.map((arrival) => [arrival.queue, arrival])).values())
      if (last.at < since && !isAccepted(last))
        machine.fault(`${last.queue}: ${last.id} still waits although its receiver is enabled`)
  }

  async #administer(): Promise<void> {
    const { random } = machine
    const receiver = this.#current
    const { settings } = receiver ?? {}
    if (receiver === undefined || settings === undefined) await this.#add()
    else {
      const choice = random.below(16)
      if (choice === 0) await this.#change(receiver, 'deletes', 'DELETE', undefined)
      else if (choice <= 3) await this.#edit(receiver, { ...settings, filter: random.choose(filters) })
      else if (choice <= 5) await this.#edit(receiver, { ...settings, target: this.#makeTarget(receiver.alias) })
      else if (!settings.isEnabled) await this.#resume(receiver)
      else if (choice <= 14) await this.#edit(receiver, { ...settings, isEnabled: false })
      else await this.#replay(receiver, this.#chooseStart())
    }
  }

  async #add(): Promise<void> {
    const { random } = machine
    const repo = random.chance(0.6) ? undefined : random.choose(this.#world.repositories)
    const receiver = new AdministeredReceiver(`${this.host.name}.${this.receivers.size + 1}`, repo)
    this.receivers.set(receiver.alias, receiver)
    this.#current = receiver
    const filter = { ...random.choose(filters), repos: repo === undefined ? ['**'] : null }
    const settings = { isEnabled: true, filter, target: this.#makeTarget(receiver.alias) }
    await this.#change(receiver, 'adds', 'POST', settings, { alias: receiver.alias })
  }

  #makeTarget(alias: string): string {
    return `/${alias}?${++this.#targets}`
  }

  #edit(receiver: AdministeredReceiver, settings: Settings): Promise<Change> {
    const { repos = null } = receiver.settings?.filter ?? {}
    const filter = { ...settings.filter, repos }
    return this.#change(receiver, 'changes', 'PATCH', { ...settings, filter })
  }

  async #resume(receiver: AdministeredReceiver): Promise<void> {
    const resume = machine.random.choose(resumes)
    const { lastEventAfter } = await this.#enable(receiver, resume)
    if (resume !== 'all') receiver.droppedUntil = lastEventAfter
  }

  #enable(receiver: AdministeredReceiver, resume: Resume): Promise<Change> {
    const settings = receiver.settings && { ...receiver.settings, isEnabled: true }
    return this.#change(receiver, `enables with ${resume}`, 'PATCH', settings, { resume })
  }

  /** Changes settings, and finds out whether the change took effect. */
  async #change(
    receiver: AdministeredReceiver,
    what: string,
    method: 'POST' | 'PATCH' | 'DELETE',
    settings: Settings | undefined,
    more: object = {},
  ): Promise<Change> {
    const lastEventBefore = await this.#readLastEvent()
    const after = { settledAt: Infinity, lastEventAfter: Infinity }
    const change: Change = { settings, sentAt: machine.now, lastEventBefore, ...after }
    machine.say(
      machine.world,
      `${this.host.name} ${what}`,
      `${receiver.alias} ${receiver.repo ?? ''} ${settings?.target}`,
    )
    receiver.changes.push(change)
    const body = settings && { ...this.#describe(settings), ...more }
    const answer = await sendRequest(this.#world, this.host.name, method, this.#address(receiver), body)
    const isDone = answer === undefined || answer.status >= 500 ? await this.#look(receiver, settings) : true
    if (answer !== undefined && answer.status >= 400 && answer.status < 500)
      machine.fault(`${receiver.alias}: ${what} is answered with ${answer.status} ${JSON.stringify(answer.body)}`)
    if (method === 'POST' && answer?.status === 201) receiver.id = Webhook.parse(answer.body).id
    machine.say(machine.world, `${this.host.name} knows`, isDone ? 'that it is done' : 'that it is not done')
    if (!isDone) receiver.changes.pop()
    if (receiver.changes.length === 0) this.#current = undefined
    change.settledAt = machine.now
    change.lastEventAfter = await this.#readLastEvent()
    return change
  }

  /** Looks whether a receiver has these settings. */
  async #look(receiver: AdministeredReceiver, settings: Settings | undefined): Promise<boolean> {
    for (;;) {
      await machine.wait(machine.random.between(100, 5_000), 'administers', this.host.name)
      const answer = await sendRequest(this.#world, this.host.name, 'GET', this.#addressOfAll(receiver), undefined)
      if (answer?.status !== 200) continue
      const { items } = z.object({ items: z.array(z.union([Webhook, Chat])) }).parse(answer.body)
      const found = items.find(({ alias }) => alias === receiver.alias)
      receiver.id ??= found?.id
      if (found === undefined || settings === undefined) return found === undefined && settings === undefined
      const { enabled, url, events, branches } = this.#describe(settings)
      const isSame = found.enabled === enabled && found.url === url
      return isSame && found.events.join() === events.join() && found.branches.join() === branches.join()
    }
  }

  #describe({ isEnabled, filter, target }: Settings) {
    const { repos, events, branches, compatibility } = filter
    const url = `https://${this.host.host}${target}`
    return { kind: 'webhook', url, enabled: isEnabled, events, branches, compatibility, ...(repos && { repos }) }
  }

  /** Chooses a time that is over, even for a service that has not noticed yet that the clock was set forward. */
  #chooseStart(): number {
    const { random, world, clock } = machine
    return clock - Math.max(world.computer.offsetMs, 0) - random.choose([60_000, 600_000])
  }

  /**
   * Asks for the deliveries of all events since a time of the clock. Those that are recorded before the clock is set
   * back belong to the time after now.
   */
  async #replay(receiver: AdministeredReceiver, since: number): Promise<Answer | undefined> {
    receiver.replayedAt = Math.min(receiver.replayedAt, machine.now)
    const [from, until] = [since, machine.clock + 86_400_000].map((time) => new Date(time).toISOString())
    const body = { since: from, until, all: true, as_new: machine.random.chance(0.3) }
    machine.say(machine.world, `${this.host.name} replays`, `${receiver.alias} since ${body.since}`)
    const answer = await sendRequest(this.#world, this.host.name, 'POST', `${this.#address(receiver)}/replay`, body)
    if (answer !== undefined && answer.status >= 400 && answer.status < 500)
      machine.fault(`${receiver.alias}: a replay is answered with ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }

  #addressOfAll({ repo }: AdministeredReceiver): string {
    return `/v1/orgs/acme${repo === undefined ? '' : `/repos/${repo}`}/receivers`
  }

  #address(receiver: AdministeredReceiver): string {
    return `${this.#addressOfAll(receiver)}${receiver.id === undefined ? '' : `/${receiver.id}`}`
  }

  /** Reads the number of the last event, once there is a service and the database answers. */
  async #readLastEvent(): Promise<number> {
    for (;;) {
      const isThere = this.#db !== undefined || this.#world.replicas.some(({ app }) => app !== undefined)
      // The database is locked while a replica is paused in a start, or in a transaction of PostgreSQL.
      const last = isThere ? await this.#askLastEvent().catch(() => undefined) : undefined
      if (last !== undefined) return last
      await machine.wait(1_000, 'administers', this.host.name)
    }
  }

  async #askLastEvent(): Promise<number> {
    this.#db ??= await openDatabase(this.#world.database)
    const query = this.#db.selectFrom('events').select(({ fn }) => fn.max('number').as('last'))
    return (await query.executeTakeFirstOrThrow()).last ?? 0
  }
}
