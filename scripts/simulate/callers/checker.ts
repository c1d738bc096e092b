// A pipeline that checks the heads of `main`, and posts what it finds through any replica. Every tenth commit is bad:
// its check never passes. Some checks of others fail first, run for long, or are made after the head has moved.
import type { CheckState } from '@floe/contract/lists'
import { buildId } from '../../../test/storage/repositories/icechunk/build-object.ts'
import { machine } from '../machine/machine.ts'
import { Actor } from './actor.ts'
import type { SimulatedRepository } from '../world/repositories.ts'
import { type AskedService, sendRequest } from './send-request.ts'

/** A check that was posted, and the time of its answer. */
export type PostedCheck = { readonly commit: number; readonly state: CheckState; readonly at: number }

/** How many of the last heads are checked. */
const recent = 4

export function isBad(commit: number): boolean {
  return commit % 10 === 3
}

export class Checker {
  /** The checks that were answered, by the name of the repository. */
  readonly answered = new Map<string, PostedCheck[]>()
  /** What the check of each commit may say, because some answers were lost; `missing` if it may not be recorded. */
  readonly states = new Map<number, ReadonlySet<CheckState | 'missing'>>()
  readonly actor: Actor
  posts = 0
  readonly #service: AskedService
  readonly #repositories: readonly SimulatedRepository[]

  constructor(service: AskedService, repositories: readonly SimulatedRepository[], everyMs: number) {
    this.#service = service
    this.#repositories = repositories
    this.actor = new Actor({ name: 'the checker', does: 'checks', everyMs, act: () => this.#check() })
  }

  async #check(): Promise<void> {
    const { random } = machine
    const repository = random.choose(this.#repositories)
    const heads = (repository.changes.get('branch main') ?? []).flatMap(({ commit }) => commit ?? []).slice(-recent)
    const commit = random.chance(0.7) ? heads.at(-1) : random.choose(heads)
    if (commit !== undefined) await this.#post(repository, commit)
  }

  async #post(repository: SimulatedRepository, commit: number): Promise<void> {
    const { random } = machine
    const others = ['pending', 'failed', 'error'] as const
    const state = isBad(commit) || random.chance(0.2) ? random.choose(others) : 'passed'
    const url = `/v1/services/simulation/acme/_meta/checks/${repository.name}/${buildId(commit)}/quality`
    machine.say(machine.world, `the check of ${commit} in ${repository.name} is ${state}`)
    const isCalm = () => this.#service.isCalm() && !repository.wasDamaged(machine.now, machine.now)
    const answer = await sendRequest({ ...this.#service, isCalm }, 'checker', 'PUT', url, { state })
    this.posts++
    // The snapshot may have expired.
    if (answer?.status === 404) return
    if (answer?.status !== 200) {
      this.states.set(commit, new Set([...(this.states.get(commit) ?? ['missing' as const]), state]))
      return
    }
    this.states.set(commit, new Set([state]))
    const answered = this.answered.get(repository.name) ?? []
    this.answered.set(repository.name, [...answered, { commit, state, at: machine.now }])
  }
}
