// Administrators who add expectations, change and delete them, through any replica. Each change also writes another
// name, so that one whose answer was lost can look whether it was made.
import { Expectation, type ExpectationCreation } from '@floe/contract'
import { z } from 'zod'
import { machine } from '../machine/machine.ts'
import { Actor } from './actor.ts'
import { type AskedService, type Method, sendRequest } from './send-request.ts'
import { type SimulatedExpectation, type SimulatedSettings, writeContract } from '../world/configuration.ts'

/** An expectation that somebody has added. */
export type KeptExpectation = {
  /** Undefined while it is not known whether it was added. */
  readonly id: string | undefined
  /** Undefined for one of the organisation. */
  readonly repo: string | undefined
  /** What is expected; undefined if it is deleted. */
  readonly settings: SimulatedExpectation | undefined
  /** All that was ever expected, or may have been. */
  readonly versions: readonly SimulatedSettings[]
}

type Edited = { -readonly [Member in keyof KeptExpectation]: KeptExpectation[Member] }

type World = AskedService & { readonly repositories: readonly string[] }

const kinds: Readonly<Record<SimulatedSettings['kind'], readonly SimulatedSettings[]>> = {
  freshness: ['1m', '2m'].map((maxAge) => ({ kind: 'freshness', maxAge })),
  written: [{ kind: 'written', share: 1 }],
  contract: ['float32', 'float64'].map((type) => ({ kind: 'contract', type })),
}

const branches = ['main', 'release-*', 'dev', '**']

/** Each has one expectation at a time. */
export class ExpectationKeeper {
  readonly expectations: KeptExpectation[] = []
  readonly actor: Actor
  readonly #name: string
  readonly #world: World
  #current: Edited | undefined
  #requests = 0

  constructor(name: string, world: World, everyMs: number) {
    this.#name = name
    this.#world = world
    this.actor = new Actor({ name, does: 'administers', everyMs, act: () => this.#keep() })
  }

  async #keep(): Promise<void> {
    const { random } = machine
    const { settings } = this.#current ?? {}
    if (this.#current === undefined || settings === undefined) await this.#add()
    else if (random.chance(0.2)) await this.#change(this.#current, 'DELETE', undefined)
    else await this.#change(this.#current, 'PATCH', this.#choose(settings.kind))
  }

  async #add(): Promise<void> {
    const { random } = machine
    const repo = random.chance(0.5) ? undefined : random.choose(this.#world.repositories)
    const added = { id: undefined, repo, settings: undefined, versions: [] }
    this.#current = added
    this.expectations.push(added)
    await this.#change(added, 'POST', this.#choose(random.choose(['freshness', 'written', 'contract'] as const)))
  }

  #choose(kind: SimulatedSettings['kind']): SimulatedExpectation {
    const { random } = machine
    const within = random.chance(0.3) ? '1m' : null
    const alias = `${this.#name}.${++this.#requests}`
    const severity = random.choose(['warning', 'critical'] as const)
    return { ...random.choose(kinds[kind]), alias, branch: random.choose(branches), within, severity }
  }

  /** Sends a change, and finds out whether it was made. */
  async #change(edited: Edited, method: Method, settings: SimulatedExpectation | undefined): Promise<void> {
    machine.say(machine.world, `${this.#name} sends ${method}`, JSON.stringify([edited.repo, settings]))
    if (settings !== undefined) edited.versions = [...edited.versions, settings]
    const answer = await this.#request(method, edited, settings && writeBody(settings, edited.repo))
    if (answer === undefined || answer.status >= 500) await this.#look(edited, settings)
    else if (answer.status >= 400)
      machine.fault(`${this.#name}: ${method} is answered with ${answer.status} ${JSON.stringify(answer.body)}`)
    else {
      edited.settings = settings
      if (method === 'POST') edited.id = Expectation.parse(answer.body).id
    }
  }

  /** Looks whether a change was made. */
  async #look(edited: Edited, settings: SimulatedExpectation | undefined): Promise<void> {
    for (;;) {
      await machine.wait(machine.random.between(100, 5_000), 'administers', this.#name)
      const answer = await this.#request('GET', { ...edited, id: undefined })
      if (answer?.status !== 200) continue
      const { items } = z.object({ items: z.array(Expectation) }).parse(answer.body)
      const found = items.find(({ id, alias }) => id === edited.id || alias === settings?.alias)
      edited.id ??= found?.id
      if (found === undefined) edited.settings = undefined
      else if (found.alias === settings?.alias) edited.settings = settings
      return
    }
  }

  #request(method: Method, { repo, id }: Pick<Edited, 'repo' | 'id'>, body?: object) {
    const all = `/v1/orgs/acme${repo === undefined ? '' : `/repos/${repo}`}/expectations`
    return sendRequest(this.#world, this.#name, method, id === undefined ? all : `${all}/${id}`, body)
  }
}

function writeBody(expectation: SimulatedExpectation, repo: string | undefined): ExpectationCreation {
  const { alias, branch, within, severity, ...settings } = expectation
  const common = { alias, branch, within, severity, ...(repo === undefined && { repos: ['**'] }) }
  if (settings.kind === 'freshness') return { ...common, kind: settings.kind, max_age: settings.maxAge }
  if (settings.kind === 'written') return { ...common, ...settings }
  return { ...common, kind: settings.kind, contract: writeContract(settings.type) }
}
