// The actions on webhooks and chats, of repositories and of organisations. `ReceiverRules` has the differences between
// webhooks and chats.
import {
  type Replay,
  type ReplaySelection,
  responseHeaders,
  type StartedReplay,
  type TestResult,
  type Warning,
} from '@floe/contract'
import { defaultFilter } from '@floe/contract/lists'
import {
  addReceiver,
  type AuditEntry,
  cancelReplay,
  countHeld,
  deleteReceiver,
  type DroppedSecrets,
  dropSecrets,
  explainMissingReceiver,
  findReceiver,
  listLastMoved,
  listReceivers,
  newSigningSecret,
  type NewReceiver,
  openReceiver,
  type OpenReceiver,
  type Receiver,
  type ReceiverAddress,
  type ReceiverChange,
  readReplay,
  RecordProblem,
  recordReceiverTest,
  replay,
  rotateSigningSecret,
  selectRefs,
  mainAlone,
  updateReceiver,
} from '@floe/storage/database'
import type { FastifyRequest } from 'fastify'
import { findEntry, requireCatalog } from '../../catalog/find-repository.ts'
import type { VaryingReply } from '../../http/representation/negotiation.ts'
import { makeVersionTag } from '../../http/representation/version-tag.ts'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { AdministrationContext, Owner, OwnerParams } from '../administration-context.ts'
import { logAudit } from '../audit.ts'
import { locateRecord, readChangeOptions, readEditOptions } from '../changes.ts'
import { type FilterBody, readFilter, readReplaySelection } from './receiver-members.ts'
import type { ReceiverRules } from './receiver-rules.ts'
import { testReceiver } from './test-receiver.ts'

type Reply = Pick<VaryingReply, 'header'>

/** A request about the receivers of one kind that an owner has. */
type Call = { readonly params: OwnerParams; readonly request: FastifyRequest; readonly reply: Reply }
/** A request about one receiver. */
type ReceiverCall = Call & { readonly params: { readonly id: string } }
type Addressed = Pick<ReceiverCall, 'params' | 'request'>

type Settings = FilterBody & Pick<NewReceiver, 'alias'> & { readonly enabled?: boolean | undefined }
type SettingsChange = FilterBody & Pick<ReceiverChange, 'alias' | 'resume'> & Pick<Settings, 'enabled'>

/** Maximum number of repositories that a test of an organisation's receiver considers, the last moved first. */
const maxSamples = 1_000

/** The body of a test: a saved receiver, with or without changes, or a receiver that is not saved yet. */
type TestBody<Creation, Change> = (Change & { readonly id: string }) | (Creation & { readonly id?: undefined })

/** A receiver to test, with what is to be checked about it. */
type TestedReceiver = { readonly receiver: OpenReceiver; readonly warnings: Warning[] }

/** The handlers of `contract.chats` and `contract.webhooks`, and of `contract.orgChats` and `contract.orgWebhooks`. */
export class ReceiverActions<Creation, Change, Shown extends object, ShownOnce extends object> {
  readonly #context: AdministrationContext
  readonly #rules: ReceiverRules<Creation, Change, Shown, ShownOnce>

  constructor(context: AdministrationContext, rules: ReceiverRules<Creation, Change, Shown, ShownOnce>) {
    this.#context = context
    this.#rules = rules
  }

  async list(call: Call): Promise<{ items: Shown[] }> {
    const { db, findOwner } = this.#context
    const { kind, show } = this.#rules
    const receivers = (await listReceivers(db, await findOwner(call))).filter((receiver) => receiver.kind === kind)
    const ids = receivers.map(({ id }) => id)
    const held = await countHeld(db, ids)
    return { items: receivers.map((receiver) => show(receiver, held.get(receiver.id) ?? 0)) }
  }

  async create({ body, ...call }: Call & { readonly body: Creation & Settings }) {
    const { kind, checkTarget, showOnce } = this.#rules
    const { alias, enabled: isEnabled = true } = body
    const { value: target, warnings } = await checkTarget(body)
    const owner = await this.#context.findOwner(call)
    const { org, repoId } = owner
    const filter = { ...defaultFilter, repos: repoId === null ? ['**'] : null, ...readFilter(body) }
    const creation: NewReceiver = { ...target, filter, alias, isEnabled, org, repoId, kind }
    const added = await addReceiver(this.#context.db, creation, this.#readOptions(call.request))
    this.#log(added.audit)
    await this.#announce(owner, added.receiver)
    const address = locateRecord(this.#context, call.params, `${kind}s`, added.receiver.id)
    call.reply.header(responseHeaders.location.name, address)
    return { ...(await this.#answer(call.reply, added.receiver)), warnings, ...showOnce(added) }
  }

  async test({ params, body, request }: Call & { readonly body: TestBody<Creation, Change> }): Promise<TestResult> {
    const owner = await this.#context.findOwner({ params, request })
    const { id = null } = body
    const { receiver, warnings } = await (body.id === undefined
      ? this.#openUnsaved(body)
      : this.#openChanged({ params: { ...params, id: body.id }, request }, body))
    this.#context.countTest({ org: params.org, repo: params.repo ?? '' })
    const entry = owner.entry ?? (await this.#findSample(params.org))
    const result = { ...(await testReceiver(this.#context, entry, receiver)), warnings }
    const test = { repoId: owner.repoId, id, receiver, result }
    this.#log(await recordReceiverTest(this.#context.db, test, this.#readOptions(request)))
    return result
  }

  async get(call: ReceiverCall): Promise<Shown> {
    return this.#answer(call.reply, await this.#read(call))
  }

  async update({ body, ...call }: ReceiverCall & { readonly body: Change & SettingsChange }) {
    const { db, notifier } = this.#context
    const { alias, enabled: isEnabled, resume } = body
    const { value: target, warnings } = await this.#rules.checkChange(body)
    const change = { ...target, filter: readFilter(body), alias, isEnabled, resume }
    const owner = await this.#context.findOwner(call)
    const address = { ...owner, kind: this.#rules.kind, id: call.params.id }
    const options = this.#readEditOptions(call.request)
    const { audit, receiver, dropped } = await updateReceiver(db, address, change, options)
    this.#log(audit)
    if (isEnabled === true) notifier.signal('deliveries')
    await this.#announce(owner, receiver)
    return { ...(await this.#answer(call.reply, receiver)), warnings: [...warnings, ...warnOfDropped(dropped)] }
  }

  async delete(call: ReceiverCall): Promise<undefined> {
    const address = await this.#findAddress(call)
    const { audit } = await deleteReceiver(this.#context.db, address, this.#readEditOptions(call.request))
    this.#log(audit)
    this.#context.notifier.signal('receivers')
  }

  async rotateSecret({ reply, ...call }: ReceiverCall) {
    const address = await this.#findAddress(call)
    const { audit, ...rotated } = await rotateSigningSecret(this.#context.db, address, this.#readOptions(call.request))
    this.#log(audit)
    return { ...(await this.#answer(reply, rotated.receiver)), signing_secret: rotated.signingSecret }
  }

  async replay({ body, ...call }: ReceiverCall & { readonly body: ReplaySelection }): Promise<StartedReplay> {
    const { db, notifier } = this.#context
    const address = await this.#findAddress(call)
    const options = this.#readOptions(call.request)
    const { queued, audit } = await replay(db, address, readReplaySelection(body, options.now), options)
    this.#log(audit)
    notifier.signal('deliveries')
    return { queued, hint: queued === 0 ? adviseReplay(body) : null, ...(await this.getReplay(call)) }
  }

  async getReplay(call: ReceiverCall): Promise<Replay> {
    const { waiting, nextEventAt } = await readReplay(this.#context.db, await this.#findAddress(call))
    return { waiting, next_event_at: nextEventAt?.toISOString() ?? null }
  }

  async cancelReplay(call: ReceiverCall): Promise<undefined> {
    this.#log(await cancelReplay(this.#context.db, await this.#findAddress(call), this.#readOptions(call.request)))
  }

  /**
   * Signals a change to all replicas. If the receiver selects more than `main` of a repository, records the heads and
   * tags that it selects, so that its events begin now.
   */
  async #announce({ entry }: Owner, receiver: Receiver): Promise<void> {
    const { notifier } = this.#context
    notifier.signal('receivers')
    if (entry === undefined || selectRefs(receiver.filter) === mainAlone) return
    await notifier.watcher.checkSelection(entry)
  }

  /** Shows a receiver in an answer, and sets its version as `ETag`. */
  async #answer(reply: Reply, receiver: Receiver): Promise<Shown> {
    reply.header(responseHeaders.etag.name, makeVersionTag(receiver.version))
    const held = await countHeld(this.#context.db, [receiver.id])
    return this.#rules.show(receiver, held.get(receiver.id) ?? 0)
  }

  async #read(call: Addressed): Promise<Receiver> {
    const address = await this.#findAddress(call)
    const receiver = await findReceiver(this.#context.db, address)
    if (receiver === undefined) throw explainMissingReceiver(address)
    return receiver
  }

  /**
   * Decrypts a saved receiver and applies the changes of a test. A declared receiver can only be tested without
   * changes, so that its secrets are not sent to another URL.
   */
  async #openChanged(addressed: Addressed, body: Change & { readonly id: string }): Promise<TestedReceiver> {
    const { kind, checkChange } = this.#rules
    const receiver = await this.#read(addressed)
    if (receiver.isDeclared && Object.entries(body).some(([name, value]) => name !== 'id' && value !== undefined)) {
      throw new RecordProblem(
        'declared-in-file',
        `The configuration file declares this ${kind}; test it without changes`,
      )
    }
    const saved = openReceiver(receiver, this.#context.secrets, new Date(this.#context.now()))
    const { value: change, warnings } = await checkChange(body)
    const {
      url = saved.url,
      service = saved.service,
      secretToken = saved.secretToken,
      headers = saved.headers,
    } = change
    return { receiver: { ...saved, url, service, secretToken, headers, ...dropSecrets(saved, change) }, warnings }
  }

  /** Makes a receiver that is not saved. Without a signing secret in the body, the test is signed with a random one. */
  async #openUnsaved(body: Creation): Promise<TestedReceiver> {
    const { kind, checkTarget } = this.#rules
    const { value: target, warnings } = await checkTarget(body)
    const { url, service, secretToken, headers, signingSecret = newSigningSecret() } = target
    const signingSecrets = kind === 'chat' ? [] : [signingSecret]
    return { receiver: { kind, url, service, secretToken, headers, signingSecrets }, warnings }
  }

  #log(entry: AuditEntry | undefined): void {
    if (entry !== undefined) logAudit(this.#context.auditLog, entry)
  }

  async #findAddress(call: Addressed): Promise<ReceiverAddress> {
    return { ...(await this.#context.findOwner(call)), kind: this.#rules.kind, id: call.params.id }
  }

  /** Finds the repository that had the last commit. A test of an organisation's receiver sends this commit. */
  async #findSample(org: string): Promise<CatalogEntry> {
    const catalog = requireCatalog(this.#context, org)
    // Without the first scans, the catalog knows only the repositories that are configured one by one.
    await catalog.listNames()
    const moved = await listLastMoved(this.#context.db, org, maxSamples)
    const name = moved.find((name) => catalog.has(name))
    if (name === undefined)
      throw new RequestProblem('repository-not-found', `The organisation ${org} has no commit yet`)
    return findEntry(this.#context, { org, repo: name })
  }

  #readOptions(request: FastifyRequest) {
    return { ...readChangeOptions(this.#context, request), secrets: this.#context.secrets }
  }

  #readEditOptions(request: FastifyRequest) {
    return { ...readEditOptions(this.#context, request), secrets: this.#context.secrets }
  }
}

/** Says what to select in place of a selection that queued nothing. */
function adviseReplay({ all = false }: ReplaySelection): string {
  return all
    ? 'The webhook got nothing in this period that does not wait already; choose another `since` or `until`'
    : 'No delivery of this period was given up or discarded; ' +
        'send `"all": true` to select also what the webhook has accepted, or choose another `since` or `until`'
}

/** Warns of the secrets that a change of the URL removed. */
function warnOfDropped({ secretToken, headers }: DroppedSecrets): Warning[] {
  const reason = 'belonged to another scheme, host, port or path, so'
  return [
    ...(secretToken === undefined
      ? []
      : [
          {
            code: 'secret-token-dropped' as const,
            detail: `The Secret Token ${reason} it was removed; send it again if it is still right`,
          },
        ]),
    ...(headers === undefined
      ? []
      : [
          {
            code: 'headers-dropped' as const,
            detail: `The headers ${reason} they were removed; send them again if they are still right`,
          },
        ]),
  ]
}
