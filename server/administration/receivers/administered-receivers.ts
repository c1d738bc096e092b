// Finds, changes and tests the receivers of one kind for the routes of administration. Logs every change with its audit entry.
import type { TestResult } from '@floe/contract'
import {
  addReceiver,
  type AuditEntry,
  countHeld,
  DeclaredInFileError,
  deleteReceiver,
  findReceiver,
  listReceivers,
  type NewReceiver,
  openReceiver,
  type OpenReceiver,
  type Receiver,
  type ReceiverAddress,
  type ReceiverChange,
  type ReceiverKind,
  ReceiverNotFoundError,
  recordReceiverTest,
  rotateSigningSecret,
  updateReceiver,
} from '@floe/storage/database'
import type { FastifyRequest } from 'fastify'
import type { CatalogEntry } from '../../catalog/catalog-entries.ts'
import { findRepository } from '../../catalog/find-repository.ts'
import type { AdministrationContext, RepositoryAddress } from '../administration-context.ts'
import { logAudit, requireCaller } from '../audit.ts'
import { testReceiver } from './test-receiver.ts'
import { parseIfMatch } from '../../http/representation/version-tag.ts'

/** The parameters in the address of a receiver. */
export type ReceiverParams = RepositoryAddress & { readonly id: string }

/** A test to send. */
type Test = {
  readonly entry: CatalogEntry
  /** Id of the receiver; null when it is not saved yet. */
  readonly id: string | null
  readonly receiver: OpenReceiver
}

/** Every method can throw `repository-not-found`, and the errors of the database functions that it calls. */
export class AdministeredReceivers {
  readonly kind: ReceiverKind
  readonly #context: AdministrationContext

  constructor(context: AdministrationContext, kind: ReceiverKind) {
    this.#context = context
    this.kind = kind
  }

  /** Lists the receivers of a repository, oldest first, each with the number of its held deliveries. */
  async list(params: RepositoryAddress): Promise<{ readonly receiver: Receiver; readonly held: number }[]> {
    const { db } = this.#context
    const { id: repoId } = await findRepository(this.#context, params)
    const receivers = (await listReceivers(db, repoId)).filter(({ kind }) => kind === this.kind)
    const ids = receivers.map(({ id }) => id)
    const held = await countHeld(db, ids)
    return receivers.map((receiver) => ({ receiver, held: held.get(receiver.id) ?? 0 }))
  }

  /** @throws ReceiverNotFoundError */
  async get(params: ReceiverParams): Promise<Receiver> {
    const address = await this.#findAddress(params)
    const receiver = await findReceiver(this.#context.db, address)
    if (receiver === undefined) throw new ReceiverNotFoundError(address)
    return receiver
  }

  /** Counts the deliveries that wait until the receiver is enabled. */
  async countHeld({ id }: Receiver): Promise<number> {
    return (await countHeld(this.#context.db, [id])).get(id) ?? 0
  }

  /** Writes the path of a receiver's address. */
  formatPath({ org, repo }: RepositoryAddress, { id }: Receiver): string {
    return `${this.#context.v1}/orgs/${org}/repos/${encodeURIComponent(repo)}/${this.kind}s/${id}`
  }

  /**
   * Opens the secrets of a saved receiver for a test. A declared receiver is only tested as the file declares it, so that its
   * secrets are sent nowhere else.
   *
   * @param changes the members of the request besides the id; the test uses them instead of the saved ones
   * @throws ReceiverNotFoundError, DeclaredInFileError
   */
  async openForCheck(params: RepositoryAddress, { id, ...changes }: { readonly id: string }): Promise<OpenReceiver> {
    const receiver = await this.get({ ...params, id })
    if (receiver.isDeclared && Object.values(changes).some((value) => value !== undefined)) {
      throw new DeclaredInFileError(`The configuration file declares this ${this.kind}; test it without changes`)
    }
    return openReceiver(receiver, this.#context.secrets, this.#now())
  }

  /** Sends a test and records its result in the audit. Throws what reading the repository throws. */
  async test(request: FastifyRequest, { entry, id, receiver }: Test): Promise<TestResult> {
    const result = await testReceiver(this.#context, entry, receiver)
    const test = { repoId: entry.id, id, receiver, result }
    this.#log(await recordReceiverTest(this.#context.db, test, this.#readOptions(request)))
    return result
  }

  async add(request: FastifyRequest, params: RepositoryAddress, creation: Omit<NewReceiver, 'repoId' | 'kind'>) {
    const { id: repoId } = await findRepository(this.#context, params)
    const added: NewReceiver = { ...creation, repoId, kind: this.kind }
    const { audit, ...outcome } = await addReceiver(this.#context.db, added, this.#readOptions(request))
    this.#log(audit)
    this.#context.notifier.tell('receivers')
    return outcome
  }

  async update(request: FastifyRequest, params: ReceiverParams, change: ReceiverChange) {
    const { db, notifier } = this.#context
    const address = await this.#findAddress(params)
    const { audit, ...outcome } = await updateReceiver(db, address, change, this.#readEditOptions(request))
    this.#log(audit)
    if (change.isEnabled === true) notifier.tell('deliveries')
    notifier.tell('receivers')
    return outcome
  }

  async delete(request: FastifyRequest, params: ReceiverParams): Promise<void> {
    const address = await this.#findAddress(params)
    const { audit } = await deleteReceiver(this.#context.db, address, this.#readEditOptions(request))
    this.#log(audit)
    this.#context.notifier.tell('receivers')
  }

  async rotateSecret(request: FastifyRequest, params: ReceiverParams) {
    const address = await this.#findAddress(params)
    const { audit, ...outcome } = await rotateSigningSecret(this.#context.db, address, this.#readOptions(request))
    this.#log(audit)
    return outcome
  }

  #now(): Date {
    return new Date(this.#context.now())
  }

  #log(entry: AuditEntry | undefined): void {
    if (entry !== undefined) logAudit(this.#context.auditLog, entry)
  }

  async #findAddress(params: ReceiverParams): Promise<ReceiverAddress> {
    const { id: repoId } = await findRepository(this.#context, params)
    return { repoId, kind: this.kind, id: params.id }
  }

  #readOptions(request: FastifyRequest) {
    return { by: requireCaller(request), now: this.#now(), secrets: this.#context.secrets }
  }

  #readEditOptions(request: FastifyRequest) {
    return { ...this.#readOptions(request), versions: parseIfMatch(request.headers['if-match']) }
  }
}
