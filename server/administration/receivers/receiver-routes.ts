import {
  type ChangedReceiver,
  contract,
  type CreatedReceiver,
  type Receiver,
  type ReceiverChange,
  type ReceiverCreation,
  type ReceiverToTest,
  type Replay,
  type ReplaySelection,
  responseHeaders,
  type RotatedWebhook,
  type StartedReplay,
  type TestResult,
} from '@floe/contract'
import { defaultFilter } from '@floe/contract/lists'
import {
  addReceiver,
  type AuditEntry,
  cancelReplay,
  countHeld,
  deleteReceiver,
  explainMissingReceiver,
  findReceiver,
  listReceivers,
  mainAlone,
  readReplay,
  type Receiver as StoredReceiver,
  type ReceiverAddress,
  type ReceiverOwner,
  recordReceiverTest,
  replay,
  rotateSigningSecret,
  selectRefs,
  updateReceiver,
} from '@floe/storage/database'
import type { FastifyRequest } from 'fastify'
import { implementJson } from '../../http/contract.ts'
import type { VaryingReply } from '../../http/representation/negotiation.ts'
import { makeVersionTag } from '../../http/representation/version-tag.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { explainInvalidRequest } from '../../problems/validation-problem.ts'
import type { AdministrationContext, Owner, OwnerParams } from '../administration-context.ts'
import { logAudit } from '../../observation/log-audit.ts'
import { locateRecord, readChangeOptions, readEditOptions } from '../changes.ts'
import { adviseReplay, readFilter, readReplaySelection } from './receiver-members.ts'
import { checkChange, checkTarget, showReceiver } from './receiver-rules.ts'
import { findSample, testReceiver } from './test-receiver.ts'
import { openChanged, openUnsaved } from './tested-receiver.ts'
import { showWebhook, warnOfDropped } from './webhook-rules.ts'

/** Implements the routes of webhooks and chats, of a repository and of an organisation. */
export function makeReceiverRoutes(context: AdministrationContext) {
  const actions = new ReceiverActions(context)
  return {
    receivers: implementJson(contract.receivers, actions),
    orgReceivers: implementJson(contract.orgReceivers, actions),
  }
}

type Reply = Pick<VaryingReply, 'header'>

/** A request about the receivers of an owner. */
type Call = { readonly params: OwnerParams; readonly request: FastifyRequest; readonly reply: Reply }
/** A request about one receiver. */
type ReceiverCall = Call & { readonly params: { readonly id: string } }

/** The handlers of `contract.receivers` and `contract.orgReceivers`. */
class ReceiverActions {
  readonly #context: AdministrationContext

  constructor(context: AdministrationContext) {
    this.#context = context
  }

  async list(call: Call): Promise<{ items: Receiver[] }> {
    const { db, findOwner } = this.#context
    const receivers = await listReceivers(db, await findOwner(call))
    const ids = receivers.map(({ id }) => id)
    const held = await countHeld(db, ids)
    return { items: receivers.map((receiver) => showReceiver(receiver, held.get(receiver.id) ?? 0, this.#context)) }
  }

  async create({ body, ...call }: Call & { readonly body: ReceiverCreation }): Promise<CreatedReceiver> {
    const { kind, alias, enabled: isEnabled = true } = body
    const owner = await this.#context.findOwner(call)
    const { org, repoId } = owner
    const filter = { ...defaultFilter, repos: repoId === null ? ['**'] : null, ...readFilter(body, owner) }
    const { value: target, warnings } = await checkTarget(body, this.#context)
    const creation = { ...target, filter, alias, isEnabled, org, repoId, kind }
    const { receiver, signingSecret, audit } = await addReceiver(
      this.#context.db,
      creation,
      this.#readOptions(call.request),
    )
    this.#log(audit)
    await this.#announce(owner, receiver)
    const address = locateRecord(this.#context, call.params, 'receivers', receiver.id)
    call.reply.header(responseHeaders.location.name, address)
    const shown = { ...(await this.#answer(call.reply, receiver, showReceiver)), warnings: [...warnings] }
    if (shown.kind === 'chat') return shown
    if (signingSecret === null) throw new TypeError('a webhook was made without a signing secret')
    return { ...shown, signing_secret: signingSecret }
  }

  async test({ params, body, request }: Call & { readonly body: ReceiverToTest }): Promise<TestResult> {
    const owner = await this.#context.findOwner({ params, request })
    const id = 'id' in body ? body.id : null
    const { receiver, warnings } = await this.#openTested(owner, body)
    this.#context.countTest({ org: params.org, repo: params.repo ?? '' })
    const entry = owner.entry ?? (await findSample(this.#context, params.org))
    const result = { ...(await testReceiver(this.#context, entry, receiver)), warnings: [...warnings] }
    const test = { repoId: owner.repoId, id, receiver, result }
    this.#log(await recordReceiverTest(this.#context.db, test, this.#readOptions(request)))
    return result
  }

  async get(call: ReceiverCall): Promise<Receiver> {
    const receiver = await this.#find(await this.#context.findOwner(call), call.params.id)
    return this.#answer(call.reply, receiver, showReceiver)
  }

  async update({ body, ...call }: ReceiverCall & { readonly body: ReceiverChange }): Promise<ChangedReceiver> {
    const { db, notifier } = this.#context
    const { alias, enabled: isEnabled, resume } = body
    const owner = await this.#context.findOwner(call)
    await this.#findOfKind(owner, { kind: body.kind, id: call.params.id })
    const filter = readFilter(body, owner)
    const { value: target, warnings } = await checkChange(body, this.#context)
    const change = { ...target, filter, alias, isEnabled, resume }
    const address = { ...owner, id: call.params.id }
    const options = this.#readEditOptions(call.request)
    const { audit, receiver, dropped } = await updateReceiver(db, address, change, options)
    this.#log(audit)
    if (isEnabled === true) notifier.signal('deliveries')
    await this.#announce(owner, receiver)
    const shown = await this.#answer(call.reply, receiver, showReceiver)
    return { ...shown, warnings: [...warnings, ...warnOfDropped(dropped)] }
  }

  async delete(call: ReceiverCall): Promise<undefined> {
    const address = { ...(await this.#context.findOwner(call)), id: call.params.id }
    const { audit } = await deleteReceiver(this.#context.db, address, this.#readEditOptions(call.request))
    this.#log(audit)
    this.#context.notifier.signal('receivers')
  }

  async rotateSecret({ reply, ...call }: ReceiverCall): Promise<RotatedWebhook> {
    const address = await this.#findWebhook(call)
    const { audit, ...rotated } = await rotateSigningSecret(this.#context.db, address, this.#readOptions(call.request))
    this.#log(audit)
    const shown = await this.#answer(reply, rotated.receiver, showWebhook)
    return { ...shown, signing_secret: rotated.signingSecret }
  }

  async replay({ body, ...call }: ReceiverCall & { readonly body: ReplaySelection }): Promise<StartedReplay> {
    const { db, notifier } = this.#context
    const address = await this.#findWebhook(call)
    const options = this.#readOptions(call.request)
    const { queued, audit } = await replay(db, address, readReplaySelection(body, options.now), options)
    this.#log(audit)
    notifier.signal('deliveries')
    return { queued, hint: queued === 0 ? adviseReplay(body) : null, ...(await this.getReplay(call)) }
  }

  async getReplay(call: ReceiverCall): Promise<Replay> {
    const { waiting, nextEventAt } = await readReplay(this.#context.db, await this.#findWebhook(call))
    return { waiting, next_event_at: nextEventAt?.toISOString() ?? null }
  }

  async cancelReplay(call: ReceiverCall): Promise<undefined> {
    this.#log(await cancelReplay(this.#context.db, await this.#findWebhook(call), this.#readOptions(call.request)))
  }

  /**
   * Signals a change to all replicas. If the receiver selects more than `main` of a repository, records the heads and
   * tags that it selects, so that its events begin now.
   */
  async #announce({ entry }: Owner, receiver: StoredReceiver): Promise<void> {
    const { notifier } = this.#context
    notifier.signal('receivers')
    if (entry === undefined || selectRefs(receiver.filter) === mainAlone) return
    await notifier.watcher.checkSelection(entry)
  }

  /** Shows a receiver in an answer, and sets its version as `ETag`. */
  async #answer<Shown>(
    reply: Reply,
    receiver: StoredReceiver,
    show: (receiver: StoredReceiver, held: number, context: AdministrationContext) => Shown,
  ): Promise<Shown> {
    reply.header(responseHeaders.etag.name, makeVersionTag(receiver.version))
    const held = await countHeld(this.#context.db, [receiver.id])
    return show(receiver, held.get(receiver.id) ?? 0, this.#context)
  }

  async #find({ org, repoId }: ReceiverOwner, id: string): Promise<StoredReceiver> {
    const receiver = await findReceiver(this.#context.db, { org, repoId, id })
    if (receiver === undefined) throw explainMissingReceiver({ repoId, id })
    return receiver
  }

  /** Finds a receiver that a body is about. The kind of a receiver never changes. */
  async #findOfKind(owner: ReceiverOwner, { kind, id }: Pick<StoredReceiver, 'kind' | 'id'>): Promise<StoredReceiver> {
    const receiver = await this.#find(owner, id)
    if (receiver.kind === kind) return receiver
    const message = `must stay ${receiver.kind}; add another webhook or chat`
    throw explainInvalidRequest([{ pointer: '/body/kind', message }])
  }

  /** Finds the receiver of a route that only webhooks have. */
  async #findWebhook({ params, request }: Pick<ReceiverCall, 'params' | 'request'>): Promise<ReceiverAddress> {
    const owner = await this.#context.findOwner({ params, request })
    const { kind, id } = await this.#find(owner, params.id)
    if (kind === 'webhook') return { ...owner, id }
    throw new RequestProblem('receiver-not-found', `Only webhooks have signing secrets and replays; ${id} is a chat`)
  }

  async #openTested(owner: Owner, body: ReceiverToTest) {
    if ('id' in body) return openChanged(this.#context, await this.#findOfKind(owner, body), body)
    return openUnsaved(this.#context, body, owner)
  }

  #log(entry: AuditEntry | undefined): void {
    if (entry !== undefined) logAudit(this.#context.auditLog, entry)
  }

  #readOptions(request: FastifyRequest) {
    return { ...readChangeOptions(this.#context, request), secrets: this.#context.secrets }
  }

  #readEditOptions(request: FastifyRequest) {
    return { ...readEditOptions(this.#context, request), secrets: this.#context.secrets }
  }
}
