// Webhooks and chats alike, from an address and a request: found, made, changed and deleted, or refused with a problem.
import type { ReceiverCheck } from '@floe/contract'
import {
  type AuditEntry,
  type AuditOf,
  type ChangeRefusal,
  type Configuration,
  type ConfigurationAddress,
  type ConfigurationChange,
  type ConfigurationKind,
  countHeld,
  createConfiguration,
  deleteConfiguration,
  findConfiguration,
  listConfigurations,
  maxConfigurations,
  type NewConfiguration,
  openReceiver,
  type Receiver,
  recordAudit,
  rotateSigningSecret,
  updateConfiguration,
} from '@floe/storage/database'
import type { FastifyRequest } from 'fastify'
import type { CatalogEntry } from '../../repositories/catalog.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { type AdministrationContext, findAdministered, type RepositoryAddress } from '../administration-context.ts'
import { callerOf, tellAudit, withAudit } from '../audit.ts'
import { auditedUrl, toAuditedConfiguration } from './receiver-answers.ts'
import { tryReceiver } from './try-receiver.ts'
import { versionsOf } from '../../http/version-tag.ts'

/** What the address of a configuration names. */
type ConfigurationParams = RepositoryAddress & { readonly id: string }

/** What is tested. */
type Test = {
  readonly entry: CatalogEntry
  /** Of the configuration; null when it was not saved yet. */
  readonly id: string | null
  readonly receiver: Receiver
}

/**
 * The configurations of one kind. Every method throws `repository-not-found`; those about one configuration throw
 * `configuration-not-found`; changes throw `configuration-declared` and `precondition-failed`, and `alias-in-use`.
 */
export class Configurations {
  readonly #context: AdministrationContext
  readonly #kind: ConfigurationKind

  constructor(context: AdministrationContext, kind: ConfigurationKind) {
    this.#context = context
    this.#kind = kind
  }

  /** All of a repository, oldest first, each with how many of its deliveries are held. */
  async list(params: RepositoryAddress): Promise<{ readonly configuration: Configuration; readonly held: number }[]> {
    const { db } = this.#context
    const { id: repoId } = await findAdministered(this.#context, params)
    const configurations = (await listConfigurations(db, repoId)).filter(({ kind }) => kind === this.#kind)
    const ids = configurations.map(({ id }) => id)
    const held = await countHeld(db, ids)
    return configurations.map((configuration) => ({ configuration, held: held.get(configuration.id) ?? 0 }))
  }

  async get(params: ConfigurationParams): Promise<Configuration> {
    const configuration = await findConfiguration(this.#context.db, await this.#addressOf(params))
    if (configuration === undefined) throw this.#notFound(params)
    return configuration
  }

  /** How many of its deliveries wait until it is enabled. */
  async heldBy({ id }: Configuration): Promise<number> {
    return (await countHeld(this.#context.db, [id])).get(id) ?? 0
  }

  /** Its address, without the host. */
  pathOf({ org, repo }: RepositoryAddress, { id }: Configuration): string {
    return `${this.#context.v1}/orgs/${org}/repos/${encodeURIComponent(repo)}/${this.#kind}s/${id}`
  }

  /**
   * What it takes to send a test to a saved configuration. One that the file declares is tested as it is declared: its secrets go
   * nowhere else.
   *
   * @param changes the body of the request: everything but the id is to be tried in place of what is saved
   */
  async openForCheck(params: RepositoryAddress, { id, ...changes }: { readonly id: string }): Promise<Receiver> {
    const configuration = await this.get({ ...params, id })
    if (configuration.isDeclared && Object.values(changes).some((value) => value !== undefined)) {
      const detail = `The configuration file declares this ${this.#kind}, so it is tested as it stands there`
      throw new RequestProblem('configuration-declared', detail)
    }
    return openReceiver(configuration, this.#context.secrets, this.#now())
  }

  /** Sends a test, and tells the audit what came of it. Throws what reading the repository throws. */
  async check(
    request: FastifyRequest,
    { org }: RepositoryAddress,
    { entry, id: subjectId, receiver }: Test,
  ): Promise<ReceiverCheck> {
    const { db, auditLog } = this.#context
    const result = await tryReceiver(this.#context, entry, receiver)
    const { ok, status, error } = result
    const audit: AuditEntry = {
      org,
      repoId: entry.id,
      keyId: callerOf(request).id,
      action: `${this.#kind}.test`,
      subjectId,
      before: null,
      after: { url: auditedUrl(receiver), ok, status, error },
    }
    await recordAudit(db, audit, this.#now())
    tellAudit(auditLog, audit)
    return result
  }

  /** Also throws `too-many-configurations`. */
  async add(request: FastifyRequest, params: RepositoryAddress, creation: Omit<NewConfiguration, 'repoId' | 'kind'>) {
    const { db, secrets } = this.#context
    const { id: repoId } = await findAdministered(this.#context, params)
    const added: NewConfiguration = { ...creation, repoId, kind: this.#kind }
    const outcome = await this.#change(request, params, repoId, 'create', (auditOf) =>
      createConfiguration(db, added, { secrets, auditOf, now: this.#now() }),
    )
    if (outcome.kind === 'created') return outcome
    if (outcome.kind === 'alias-in-use') throw aliasInUse(params)
    const detail = `${params.repo} has ${maxConfigurations} webhooks and chats, and cannot have more`
    throw new RequestProblem('too-many-configurations', detail)
  }

  async update(request: FastifyRequest, params: ConfigurationParams, change: ConfigurationChange) {
    const { db, secrets, notifier } = this.#context
    const address = await this.#addressOf(params)
    const outcome = await this.#change(request, params, address.repoId, 'update', (auditOf) =>
      updateConfiguration(db, address, change, { secrets, auditOf, now: this.#now(), ...conditionOf(request) }),
    )
    if (outcome.kind === 'alias-in-use') throw aliasInUse(params)
    if (outcome.kind !== 'updated') throw this.#refusal(outcome, params)
    if (change.isEnabled === true) notifier.wake()
    return outcome
  }

  async delete(request: FastifyRequest, params: ConfigurationParams): Promise<void> {
    const { db } = this.#context
    const address = await this.#addressOf(params)
    const outcome = await this.#change(request, params, address.repoId, 'delete', (auditOf) =>
      deleteConfiguration(db, address, { auditOf, now: this.#now(), ...conditionOf(request) }),
    )
    if (outcome.kind !== 'deleted') throw this.#refusal(outcome, params)
  }

  async rotateSecret(request: FastifyRequest, params: ConfigurationParams) {
    const { db, secrets } = this.#context
    const address = await this.#addressOf(params)
    const outcome = await this.#change(request, params, address.repoId, 'rotate-secret', (auditOf) =>
      rotateSigningSecret(db, address, { secrets, auditOf, now: this.#now() }),
    )
    if (outcome.kind === 'declared') {
      const detail = 'The configuration file declares the signing secret of this webhook; it is changed there'
      throw new RequestProblem('configuration-declared', detail)
    }
    if (outcome.kind !== 'rotated') throw this.#refusal(outcome, params)
    return outcome
  }

  #now(): Date {
    return new Date(this.#context.now())
  }

  async #addressOf(params: ConfigurationParams): Promise<ConfigurationAddress> {
    const { id: repoId } = await findAdministered(this.#context, params)
    return { repoId, kind: this.#kind, id: params.id }
  }

  #change<Outcome>(
    request: FastifyRequest,
    { org }: RepositoryAddress,
    repoId: string,
    verb: string,
    change: (auditOf: AuditOf<Configuration>) => Promise<Outcome>,
  ): Promise<Outcome> {
    const action = `${this.#kind}.${verb}`
    const intent = { org, repoId, action, key: callerOf(request), describe: toAuditedConfiguration }
    return withAudit(this.#context.auditLog, intent, change)
  }

  #refusal({ kind: refusal }: ChangeRefusal, params: ConfigurationParams): RequestProblem {
    if (refusal === 'unknown') return this.#notFound(params)
    if (refusal === 'outdated') {
      return new RequestProblem('precondition-failed', `The ${this.#kind} was changed meanwhile, so nothing was done`)
    }
    const detail = `The configuration file declares this ${this.#kind}; here it can only be enabled and disabled`
    return new RequestProblem('configuration-declared', detail)
  }

  #notFound({ repo, id }: ConfigurationParams): RequestProblem {
    return new RequestProblem('configuration-not-found', `${repo} has no ${this.#kind} with the id ${id}`)
  }
}

function conditionOf({ headers }: FastifyRequest) {
  return { versions: versionsOf(headers['if-match']) }
}

function aliasInUse({ repo }: RepositoryAddress): RequestProblem {
  const errors = [{ pointer: '/body/alias', message: 'is in use' }]
  return new RequestProblem('alias-in-use', `Another webhook or chat of ${repo} has this alias`, { errors })
}
