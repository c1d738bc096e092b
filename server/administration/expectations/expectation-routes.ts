import {
  contract,
  type DatasetContract,
  type Expectation,
  expectationKinds,
  findSettingFaults,
  maxListedStates,
  responseHeaders,
} from '@floe/contract'
import {
  addExpectation,
  type ChangedExpectation,
  deleteExpectation,
  type Expectation as StoredExpectation,
  explainMissingExpectation,
  type ExpectationOwner,
  findExpectation,
  isTold,
  type Listener,
  listExpectations,
  listListeners,
  listStatesOfExpectations,
  type NewExpectation,
  readContractDocument,
  updateExpectation,
} from '@floe/storage/database'
import { type Encodable, JsonWriter } from '@floe/storage/json'
import { Slices } from '@floe/storage/waiting'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { makeRequestSignal } from '../../catalog/reading-signals.ts'
import { describeExpectation } from '../../expectations/describe-event.ts'
import { nobodyIsTold } from '../../expectations/find-untold.ts'
import { showExpectation } from '../../expectations/show-expectation.ts'
import { implement, implementJson } from '../../http/contract.ts'
import type { VaryingReply } from '../../http/representation/negotiation.ts'
import { makeVersionTag } from '../../http/representation/version-tag.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { explainInvalidRequest } from '../../problems/validation-problem.ts'
import type { AdministrationContext, Owner, OwnerParams } from '../administration-context.ts'
import { logAudit } from '../../observation/log-audit.ts'
import { locateRecord, readChangeOptions, readEditOptions } from '../changes.ts'
import { ChangeBody, CreationBody, readChange, readCreation } from './expectation-bodies.ts'

const { getContract, create, update, ...others } = contract.expectations
const {
  getContract: getOrgContract,
  create: createInOrg,
  update: updateInOrg,
  ...othersOfOrg
} = contract.orgExpectations

const ofRepository = { ...others, create: { ...create, body: CreationBody }, update: { ...update, body: ChangeBody } }
const ofOrg = {
  ...othersOfOrg,
  create: { ...createInOrg, body: CreationBody },
  update: { ...updateInOrg, body: ChangeBody },
}

/** The routes of expectations, whose bodies are checked by `takeContracts`. */
export const expectationRoutes = {
  expectations: { ...ofRepository, getContract },
  orgExpectations: { ...ofOrg, getContract: getOrgContract },
}

/** Implements {@link expectationRoutes}. */
export function makeExpectationRoutes(context: AdministrationContext) {
  const actions = new ExpectationActions(context)
  const readContract = (call: ExpectationCall) => actions.getContract(call)
  return {
    expectations: {
      ...implementJson(ofRepository, actions),
      ...implement({ getContract }, { getContract: readContract }),
    },
    orgExpectations: {
      ...implementJson(ofOrg, actions),
      ...implement({ getContract: getOrgContract }, { getContract: readContract }),
    },
  }
}

type Reply = Pick<VaryingReply, 'header'>

/** A request about the expectations of an owner. */
type Call = { readonly params: OwnerParams; readonly request: FastifyRequest; readonly reply: Reply }
/** A request about one expectation. */
type ExpectationCall = Call & { readonly params: { readonly id: string } }

/** The handlers of `contract.expectations` and `contract.orgExpectations`. */
class ExpectationActions {
  readonly #context: AdministrationContext

  constructor(context: AdministrationContext) {
    this.#context = context
  }

  async list(call: Call): Promise<{ items: Encodable<Expectation>[] }> {
    const owner = await this.#context.findOwner(call)
    const found = await listExpectations(this.#context.db, readName(owner))
    const states = await this.#listStates(owner, found)
    const listeners = await listListeners(this.#context.db, owner.org)
    return {
      items: found.map((expectation) => this.#show(expectation, states, this.#isTold(owner, expectation, listeners))),
    }
  }

  async create({
    body,
    ...call
  }: Call & { readonly body: z.output<typeof CreationBody> }): Promise<Encodable<Expectation>> {
    const { db, findOwner } = this.#context
    const owner = await findOwner(call)
    const repos = owner.entry === undefined ? (body.repos ?? ['**']) : refuseRepos(body.repos)
    const creation = { ...readCreation(body), repos }
    refuseSettingFaults(creation)
    const options = readChangeOptions(this.#context, call.request)
    const { expectation, ...change } = await addExpectation(db, readName(owner), creation, options)
    await this.#announce(owner, { ...change, expectation })
    const address = locateRecord(this.#context, call.params, 'expectations', expectation.id)
    call.reply.header(responseHeaders.location.name, address)
    return this.#answer(call.reply, owner, expectation.id)
  }

  async get(call: ExpectationCall): Promise<Encodable<Expectation>> {
    return this.#answer(call.reply, await this.#context.findOwner(call), call.params.id)
  }

  /** Answers with the document, which can have a megabyte. */
  async getContract(call: ExpectationCall) {
    const { db, findOwner } = this.#context
    const found = await this.#find(await findOwner(call), call.params.id)
    if (!('hasDocument' in expectationKinds[found.kind]))
      throw new RequestProblem(
        'contract-not-found',
        `The expectation has no contract, because its kind is ${found.kind}`,
      )
    const document = await readContractDocument(db, found)
    if (document === undefined) throw new RequestProblem('unavailable', 'The contract was changed while it was read')
    call.reply.header(responseHeaders.etag.name, makeVersionTag(found.version))
    const parsed = JSON.parse(document) as DatasetContract // it was checked when it was sent
    const slices = new Slices(makeRequestSignal(call.request))
    return { status: 200 as const, body: await new JsonWriter().writeInSlices<DatasetContract>(parsed, slices) }
  }

  async update({ body, ...call }: ExpectationCall & { readonly body: z.output<typeof ChangeBody> }) {
    const { db, findOwner } = this.#context
    const owner = await findOwner(call)
    if (owner.entry !== undefined) refuseRepos(body.repos)
    const { kind, settings } = await this.#findOwn(owner, call.params.id)
    if (body.kind !== kind)
      throw explainInvalidRequest([{ pointer: '/body/kind', message: `must stay ${kind}; add another expectation` }])
    const change = readChange(body)
    refuseSettingFaults({ kind, settings: { ...settings, ...change.settings } })
    const address = { owner: readName(owner), id: call.params.id }
    const options = readEditOptions(this.#context, call.request)
    await this.#announce(owner, await updateExpectation(db, address, change, describeExpectation, options))
    return this.#answer(call.reply, owner, call.params.id)
  }

  async delete(call: ExpectationCall): Promise<undefined> {
    const { db, findOwner } = this.#context
    const owner = await findOwner(call)
    await this.#findOwn(owner, call.params.id)
    const address = { owner: readName(owner), id: call.params.id }
    const options = readEditOptions(this.#context, call.request)
    const deleted = await deleteExpectation(db, address, describeExpectation, options)
    await this.#announce({ ...owner, entry: undefined }, deleted)
  }

  async #find(owner: Owner, id: string): Promise<StoredExpectation> {
    const expectation = await findExpectation(this.#context.db, readName(owner), id)
    if (expectation === undefined)
      throw explainMissingExpectation(owner.entry === undefined ? 'organisation' : 'repository', id)
    return expectation
  }

  /** Finds an expectation to change it. A repository cannot change those of its organisation. */
  async #findOwn(owner: Owner, id: string): Promise<StoredExpectation> {
    const expectation = await this.#find(owner, id)
    if (owner.repoId !== expectation.repoId && !expectation.isDeclared) {
      const address = locateRecord(this.#context, { org: owner.org }, 'expectations', id)
      throw new RequestProblem('forbidden', `The expectation is one of the organisation; change it at ${address}`)
    }
    return expectation
  }

  /**
   * Logs a change, and tells all replicas of it. Judges the repository now, if it is one; those of an organisation are
   * judged when their replicas hear of it.
   */
  async #announce(
    owner: Owner,
    { audit, hasEvents, expectation }: Partial<ChangedExpectation> & Pick<ChangedExpectation, 'audit' | 'hasEvents'>,
  ): Promise<void> {
    const { db, notifier, auditLog } = this.#context
    const { entry } = owner
    if (audit === undefined) return
    logAudit(auditLog, audit)
    if (expectation && !this.#isTold(owner, expectation, await listListeners(db, owner.org)))
      auditLog.warn({ expectation: expectation.id, org: owner.org, repo: entry?.name }, nobodyIsTold)
    notifier.signal('selections')
    if (hasEvents) notifier.signal('deliveries')
    if (entry !== undefined) await notifier.watcher.checkSelection(entry)
  }

  async #answer(reply: Reply, owner: Owner, id: string): Promise<Encodable<Expectation>> {
    const expectation = await this.#find(owner, id)
    reply.header(responseHeaders.etag.name, makeVersionTag(expectation.version))
    const told = this.#isTold(owner, expectation, await listListeners(this.#context.db, owner.org))
    return this.#show(expectation, await this.#listStates(owner, [expectation]), told)
  }

  /** Whether somebody is told of the branches of a repository, or of any of an organisation. */
  #isTold({ entry }: Owner, expectation: StoredExpectation, listeners: readonly Listener[] | null): boolean {
    const repos = entry === undefined ? (expectation.repos ?? []) : [entry.name]
    return isTold({ ...expectation, repos }, listeners)
  }

  /** Lists the states of the branches of expectations: for a repository, only those of its own branches. */
  async #listStates({ org, repoId }: Owner, found: readonly StoredExpectation[]): Promise<States> {
    const of = { org, ids: found.map(({ id }) => id), repoId: repoId ?? undefined }
    return listStatesOfExpectations(this.#context.db, of, maxListedStates)
  }

  #show(expectation: StoredExpectation, states: States, told: boolean): Encodable<Expectation> {
    const { branches, unmet } = states.get(expectation.id) ?? { branches: [], unmet: 0 }
    return showExpectation(expectation, branches, { unmet, told, now: this.#context.now() })
  }
}

type States = Awaited<ReturnType<typeof listStatesOfExpectations>>

/** Returns the owner by the names that expectations find it with. */
function readName({ org, entry }: Owner): ExpectationOwner {
  return entry ?? { org }
}

/** A change can take away what a setting needs that is not sent, so whole expectations are checked. */
function refuseSettingFaults({ kind, settings }: Pick<NewExpectation, 'kind' | 'settings'>): void {
  const faults = findSettingFaults(expectationKinds[kind], settings)
  if (faults.length === 0) return
  throw explainInvalidRequest(faults.map(({ name, message }) => ({ pointer: `/body/${name}`, message })))
}

/** Only an expectation of an organisation says for which repositories it is. */
function refuseRepos(repos: readonly string[] | undefined): null {
  if (repos === undefined) return null
  const message = 'is only for an expectation of the organisation'
  throw explainInvalidRequest([{ pointer: '/body/repos', message }])
}
