// Webhooks and chats alike, from an address and a request: found, made, changed and deleted, or refused with a problem.
import type { ReceiverCheck } from '@floe/contract'
import {
  type AuditEntry,
  type AuditOf,
  type ChangeRefusal,
  type Receiver,
  type ReceiverAddress,
  type ReceiverChange,
  type ReceiverKind,
  countHeld,
  addReceiver,
  deleteReceiver,
  findReceiver,
  listReceivers,
  maxReceivers,
  type NewReceiver,
  openReceiver,
  type OpenReceiver,
  recordAudit,
  rotateSigningSecret,
  updateReceiver,
} from '@floe/storage/database'
import type { FastifyRequest } from 'fastify'
import type { CatalogEntry } from '../../repositories/catalog.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { AdministrationContext, RepositoryAddress } from '../administration-context.ts'
import { findRepository } from '../../repositories/find-repository.ts'
import { callerOf, tellAudit, withAudit } from '../audit.ts'
import { auditedUrl, toAuditedReceiver } from './receiver-answers.ts'
import { tryReceiver } from './try-receiver.ts'
import { parseIfMatch } from '../../http/version-tag.ts'

/** What the address of a receiver names. */
type ReceiverParams = RepositoryAddress & { readonly id: string }

/** What is tested. */
type Test = {
  readonly entry: CatalogEntry
  /** Of the receiver; null when it was not saved yet. */
  readonly id: string | null
  readonly receiver: OpenReceiver
}

/**
 * The receivers of one kind. Every method throws `repository-not-found`; those about one receiver throw
 * `receiver-not-found`; changes throw `declared-in-file` and `precondition-failed`, and `alias-in-use`.
 */
export class AdministeredReceivers {
  readonly #context: AdministrationContext
  readonly #kind: ReceiverKind

  constructor(context: AdministrationContext, kind: ReceiverKind) {
    this.#context = context
    this.#kind = kind
  }

  /** All of a repository, oldest first, each with how many of its deliveries are held. */
  async list(params: RepositoryAddress): Promise<{ readonly receiver: Receiver; readonly held: number }[]> {
    const { db } = this.#context
    const { id: repoId } = await findRepository(this.#context, params)
    const receivers = (await listReceivers(db, repoId)).filter(({ kind }) => kind === this.#kind)
    const ids = receivers.map(({ id }) => id)
    const held = await countHeld(db, ids)
    return receivers.map((receiver) => ({ receiver, held: held.get(receiver.id) ?? 0 }))
  }

  async get(params: ReceiverParams): Promise<Receiver> {
    const receiver = await findReceiver(this.#context.db, await this.#addressOf(params))
    if (receiver === undefined) throw this.#notFound(params)
    return receiver
  }

  /** How many of its deliveries wait until it is enabled. */
  async heldBy({ id }: Receiver): Promise<number> {
    return (await countHeld(this.#context.db, [id])).get(id) ?? 0
  }

  /** Its address, without the host. */
  pathOf({ org, repo }: RepositoryAddress, { id }: Receiver): string {
    return `${this.#context.v1}/orgs/${org}/repos/${encodeURIComponent(repo)}/${this.#kind}s/${id}`
  }

  /**
   * What it takes to send a test to a saved receiver. One that the file declares is tested as it is declared: its secrets go
   * nowhere else.
   *
   * @param changes the body of the request: everything but the id is to be tried in place of what is saved
   */
  async openForCheck(params: RepositoryAddress, { id, ...changes }: { readonly id: string }): Promise<OpenReceiver> {
    const receiver = await this.get({ ...params, id })
    if (receiver.isDeclared && Object.values(changes).some((value) => value !== undefined)) {
      const detail = `The configuration file declares this ${this.#kind}, so it is tested as it stands there`
      throw new RequestProblem('declared-in-file', detail)
    }
    return openReceiver(receiver, this.#context.secrets, this.#now())
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

  /** Also throws `too-many-receivers`. */
  async add(request: FastifyRequest, params: RepositoryAddress, creation: Omit<NewReceiver, 'repoId' | 'kind'>) {
    const { db, secrets } = this.#context
    const { id: repoId } = await findRepository(this.#context, params)
    const added: NewReceiver = { ...creation, repoId, kind: this.#kind }
    const outcome = await this.#change(request, params, repoId, 'create', (auditOf) =>
      addReceiver(db, added, { secrets, auditOf, now: this.#now() }),
    )
    if (outcome.kind === 'created') return outcome
    if (outcome.kind === 'alias-in-use') throw aliasInUse(params)
    const detail = `${params.repo} has ${maxReceivers} webhooks and chats, and cannot have more`
    throw new RequestProblem('too-many-receivers', detail)
  }

  async update(request: FastifyRequest, params: ReceiverParams, change: ReceiverChange) {
    const { db, secrets, notifier } = this.#context
    const address = await this.#addressOf(params)
    const outcome = await this.#change(request, params, address.repoId, 'update', (auditOf) =>
      updateReceiver(db, address, change, { secrets, auditOf, now: this.#now(), ...conditionOf(request) }),
    )
    if (outcome.kind === 'alias-in-use') throw aliasInUse(params)
    if (outcome.kind !== 'updated') throw this.#refusal(outcome, params)
    if (change.isEnabled === true) notifier.wake()
    return outcome
  }

  async delete(request: FastifyRequest, params: ReceiverParams): Promise<void> {
    const { db } = this.#context
    const address = await this.#addressOf(params)
    const outcome = await this.#change(request, params, address.repoId, 'delete', (auditOf) =>
      deleteReceiver(db, address, { auditOf, now: this.#now(), ...conditionOf(request) }),
    )
    if (outcome.kind !== 'deleted') throw this.#refusal(outcome, params)
  }

  async rotateSecret(request: FastifyRequest, params: ReceiverParams) {
    const { db, secrets } = this.#context
    const address = await this.#addressOf(params)
    const outcome = await this.#change(request, params, address.repoId, 'rotate-secret', (auditOf) =>
      rotateSigningSecret(db, address, { secrets, auditOf, now: this.#now() }),
    )
    if (outcome.kind === 'declared') {
      const detail = 'The configuration file declares the signing secret of this webhook; it is changed there'
      throw new RequestProblem('declared-in-file', detail)
    }
    if (outcome.kind !== 'rotated') throw this.#refusal(outcome, params)
    return outcome
  }

  #now(): Date {
    return new Date(this.#context.now())
  }

  async #addressOf(params: ReceiverParams): Promise<ReceiverAddress> {
    const { id: repoId } = await findRepository(this.#context, params)
    return { repoId, kind: this.#kind, id: params.id }
  }

  #change<Outcome>(
    request: FastifyRequest,
    { org }: RepositoryAddress,
    repoId: string,
    verb: string,
    change: (auditOf: AuditOf<Receiver>) => Promise<Outcome>,
  ): Promise<Outcome> {
    const action = `${this.#kind}.${verb}`
    const intent = { org, repoId, action, key: callerOf(request), describe: toAuditedReceiver }
    return withAudit(this.#context.auditLog, intent, change)
  }

  #refusal({ kind: refusal }: ChangeRefusal, params: ReceiverParams): RequestProblem {
    if (refusal === 'unknown') return this.#notFound(params)
    if (refusal === 'outdated') {
      return new RequestProblem('precondition-failed', `The ${this.#kind} was changed meanwhile, so nothing was done`)
    }
    const detail = `The configuration file declares this ${this.#kind}; here it can only be enabled and disabled`
    return new RequestProblem('declared-in-file', detail)
  }

  #notFound({ repo, id }: ReceiverParams): RequestProblem {
    return new RequestProblem('receiver-not-found', `${repo} has no ${this.#kind} with the id ${id}`)
  }
}

function conditionOf({ headers }: FastifyRequest) {
  return { versions: parseIfMatch(headers['if-match']) }
}

function aliasInUse({ repo }: RepositoryAddress): RequestProblem {
  const errors = [{ pointer: '/body/alias', message: 'is in use' }]
  return new RequestProblem('alias-in-use', `Another webhook or chat of ${repo} has this alias`, { errors })
}
