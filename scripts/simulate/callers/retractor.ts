// An administrator who retracts heads of `main`, or `main` as a whole, and takes half of that back. Each request goes
// to any replica.
import { Remark, RemarkList } from '@floe/contract'
import { buildId } from '../../../test/storage/repositories/icechunk/build-object.ts'
import { machine } from '../machine/machine.ts'
import { Actor } from './actor.ts'
import type { SimulatedRepository } from '../world/repositories.ts'
import { type Answer, type AskedService, type Method, sendRequest } from './send-request.ts'

/** A retraction, and its times: it took effect after it was asked for, and before it was known to stand. */
export type Retraction = {
  readonly repository: string
  /** Undefined for the whole of `main`. */
  readonly commit: number | undefined
  readonly id: string
  readonly askedAt: number
  readonly standsSince: number
  /** When it was asked to be taken back, and when it was known to be. */
  endAskedAt: number
  endedAt: number
}

export class Retractor {
  readonly retractions: Retraction[] = []
  readonly actor: Actor
  readonly #service: AskedService
  readonly #repositories: readonly SimulatedRepository[]
  #sent = 0

  constructor(service: AskedService, repositories: readonly SimulatedRepository[], everyMs: number) {
    this.#service = service
    this.#repositories = repositories
    this.actor = new Actor({ name: 'the retractor', does: 'retracts', everyMs, act: () => this.#act() })
  }

  async #act(): Promise<void> {
    const { random } = machine
    const standing = this.retractions.filter(({ endAskedAt }) => endAskedAt === Infinity)
    if (standing.length > 0 && random.chance(0.5)) await this.#takeBack(random.choose(standing))
    else await this.#retract(random.choose(this.#repositories))
  }

  async #retract(repository: SimulatedRepository): Promise<void> {
    const { name, branches } = repository
    const commit = machine.random.chance(0.2) ? undefined : branches.get('main')
    const [text, askedAt] = [`retraction ${++this.#sent}`, machine.now]
    machine.say(machine.world, `${name} is to lose`, `${commit ?? 'main'} by ${text}`)
    const target = commit === undefined ? { ref: 'main' } : { snapshot: buildId(commit) }
    const answer = await this.#send(repository, 'POST', '', { kind: 'retraction', text, ...target })
    // The snapshot may have expired.
    if (answer?.status === 404) return
    const id = answer?.status === 201 ? Remark.parse(answer.body).id : await this.#find(repository, text)
    if (id === undefined) return
    const times = { askedAt, standsSince: machine.now, endAskedAt: Infinity, endedAt: Infinity }
    this.retractions.push({ repository: name, commit, id, ...times })
  }

  async #takeBack(retraction: Retraction): Promise<void> {
    const repository = this.#repositories.find(({ name }) => name === retraction.repository)
    if (repository === undefined) return
    machine.say(machine.world, `${repository.name} is to get back`, String(retraction.commit ?? 'main'))
    retraction.endAskedAt = machine.now
    let answer: Answer | undefined
    while (answer?.status !== 204 && answer?.status !== 404)
      answer = await this.#send(repository, 'DELETE', `/${retraction.id}`)
    retraction.endedAt = machine.now
  }

  /** Finds the id of a retraction whose answer was lost; undefined if it was not made. */
  async #find(repository: SimulatedRepository, wanted: string): Promise<string | undefined> {
    for (;;) {
      await machine.wait(machine.random.between(100, 5_000), 'retracts')
      const answer = await this.#send(repository, 'GET', '')
      if (answer?.status !== 200) continue
      return RemarkList.parse(answer.body).items.find(({ text }) => text === wanted)?.id
    }
  }

  #send(repository: SimulatedRepository, method: Method, path: string, body?: object): Promise<Answer | undefined> {
    const isCalm = () => this.#service.isCalm() && !repository.wasDamaged(machine.now, machine.now)
    const url = `/v1/orgs/acme/repos/${repository.name}/remarks${path}`
    return sendRequest({ ...this.#service, isCalm }, 'retractor', method, url, body)
  }
}
