// What the page administers: one repository, or the whole organisation. The components call the API through it.
import type { AdminClient, CallOptions, ChangeOptions, Versioned } from '@floe/client'
import type { DatasetContract, Expectation, ExpectationChange, ExpectationCreation } from '@floe/client'

type ById = { readonly id: string }

/**
 * Calls for records of one kind, such as expectations. `Item` is a record in a list, `Whole` one that is loaded by id.
 */
export type RecordCalls<Item, Whole, New, Change> = {
  readonly list: (call?: CallOptions) => Promise<{ readonly items: readonly Item[] }>
  readonly get: (record: ById) => Promise<Versioned<Whole>>
  readonly create: (record: New) => Promise<Versioned<Item>>
  readonly update: (record: ById, change: Change, call?: ChangeOptions) => Promise<Versioned<Item>>
  readonly delete: (record: ById) => Promise<undefined>
}

/** An expectation, with its document if it is a contract. */
export type WholeExpectation = Expectation & { readonly contract?: DatasetContract }

/** Expectations. Only `get` returns the document of a contract. */
export type ExpectationCalls = RecordCalls<Expectation, WholeExpectation, ExpectationCreation, ExpectationChange>

/** API keys of the organisation. */
export type KeyCalls = Pick<AdminClient['keys'], 'listPage' | 'create' | 'revoke'>

/** The calls of the API for one repository or for the organisation. No call needs the name of either. */
export type SettingsScope = {
  readonly kind: 'repository' | 'organisation'
  /** Only a repository has a head. */
  readonly head?: {
    readonly get: (call?: CallOptions) => ReturnType<AdminClient['repositories']['get']>
    readonly check: () => ReturnType<AdminClient['repositories']['refresh']>
  }
  readonly receivers: AdminClient['orgReceivers']
  readonly expectations: ExpectationCalls
  readonly deliveries: Omit<AdminClient['orgDeliveries'], 'list'>
  /** Only an organisation has API keys. */
  readonly keys?: KeyCalls
  readonly auditPage: AdminClient['auditPage']
}

/** Makes the scope of the whole organisation. */
export function makeOrganisationScope(client: AdminClient): SettingsScope {
  const { orgReceivers: receivers, orgDeliveries: deliveries, keys, auditPage, orgExpectations } = client
  const expectations = { ...orgExpectations, get: ({ id }: ById) => getWhole(orgExpectations, { id }) }
  return { kind: 'organisation', receivers, expectations, deliveries, keys, auditPage }
}

/** Makes the scope of one repository. */
export function makeRepositoryScope(client: AdminClient, repo: string): SettingsScope {
  const { repositories, receivers, expectations, deliveries } = client
  return {
    kind: 'repository',
    head: { get: (call) => repositories.get({ repo }, call), check: () => repositories.refresh({ repo }) },
    receivers: {
      list: (call) => receivers.list({ repo }, call),
      get: ({ id }, call) => receivers.get({ repo, id }, call),
      create: (receiver, call) => receivers.create({ repo }, receiver, call),
      test: (receiver, call) => receivers.test({ repo }, receiver, call),
      update: ({ id }, change, call) => receivers.update({ repo, id }, change, call),
      delete: ({ id }, call) => receivers.delete({ repo, id }, call),
      rotateSecret: ({ id }, call) => receivers.rotateSecret({ repo, id }, call),
      replay: ({ id }, period, call) => receivers.replay({ repo, id }, period, call),
      getReplay: ({ id }, call) => receivers.getReplay({ repo, id }, call),
      cancelReplay: ({ id }, call) => receivers.cancelReplay({ repo, id }, call),
    },
    expectations: {
      list: (call) => expectations.list({ repo }, call),
      get: ({ id }) => getWhole(expectations, { repo, id }),
      create: (expectation) => expectations.create({ repo }, expectation),
      update: ({ id }, change, call) => expectations.update({ repo, id }, change, call),
      delete: ({ id }) => expectations.delete({ repo, id }),
    },
    deliveries: {
      listPage: (query, call) => deliveries.listPage({ repo, ...query }, call),
      rates: (call) => deliveries.rates({ repo }, call),
      get: ({ id }, call) => deliveries.get({ repo, id }, call),
      redeliver: ({ id }, call) => deliveries.redeliver({ repo, id }, call),
    },
    auditPage: (query, call) => repositories.auditPage({ repo, ...query }, call),
  }
}

/** Gets an expectation with its document, if it has one. A change in between is noticed when the form is saved. */
async function getWhole<Address>(
  {
    get,
    getContract,
  }: {
    readonly get: (address: Address) => Promise<Versioned<Expectation>>
    readonly getContract: (address: Address) => Promise<Versioned<DatasetContract>>
  },
  address: Address,
): Promise<Versioned<WholeExpectation>> {
  const { value, etag } = await get(address)
  if (value.kind !== 'contract') return { value, etag }
  const { value: contract } = await getContract(address)
  return { value: { ...value, contract }, etag }
}
