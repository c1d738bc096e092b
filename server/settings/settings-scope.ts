// What the page administers: one repository, or the whole organisation. The components call the API through it.
import type { AdminClient, CallOptions, DatasetContract, Expectation, Versioned } from '@floe/client'

/** An expectation, with its document if it is a contract. */
export type WholeExpectation = Expectation & { readonly contract?: DatasetContract }

type ById = { readonly id: string }

/** API keys of the organisation. */
export type KeyCalls = Pick<AdminClient['keys'], 'listPage' | 'create' | 'revoke'>

/** Sessions of people with a role in the organisation. */
export type SessionCalls = Pick<AdminClient['sessions'], 'listPage' | 'end'>

/** The calls of the API for one repository or for the organisation. No call needs the name of either. */
export type SettingsScope = {
  readonly kind: 'repository' | 'organisation'
  /** Only a repository has a head. */
  readonly head?: {
    readonly get: (call?: CallOptions) => ReturnType<AdminClient['repositories']['get']>
    readonly check: (call?: CallOptions) => ReturnType<AdminClient['repositories']['refresh']>
  }
  readonly receivers: AdminClient['orgReceivers']
  /** Only `get` returns the document of a contract. */
  readonly expectations: Omit<AdminClient['orgExpectations'], 'get' | 'getContract'> & {
    readonly get: (expectation: ById) => Promise<Versioned<WholeExpectation>>
  }
  readonly deliveries: Omit<AdminClient['orgDeliveries'], 'list'>
  /** Lists what everybody got about a repository, also webhooks and chats of the organisation. */
  readonly listEveryDelivery?: AdminClient['orgDeliveries']['listPage']
  /** Only an organisation has API keys. */
  readonly keys?: KeyCalls
  /** Only an organisation has sessions, and only where people can sign in. */
  readonly sessions?: SessionCalls
  readonly auditPage: AdminClient['auditPage']
}

/**
 * Makes the scope of the whole organisation.
 *
 * @param hasSignIn whether people can sign in
 */
export function makeOrganisationScope(client: AdminClient, hasSignIn: boolean): SettingsScope {
  const { orgReceivers: receivers, orgExpectations, orgDeliveries: deliveries, keys, sessions, auditPage } = client
  const expectations = { ...orgExpectations, get: ({ id }: ById) => getWhole(orgExpectations, { id }) }
  return { kind: 'organisation', receivers, expectations, deliveries, keys, auditPage, ...(hasSignIn && { sessions }) }
}

/** Makes the scope of one repository. */
export function makeRepositoryScope(client: AdminClient, repo: string): SettingsScope {
  const { repositories, receivers, expectations, deliveries, orgDeliveries } = client
  type OfRepository = { readonly repo: string }
  const inRepo =
    <Rest extends unknown[], Answer>(call: (address: OfRepository, ...rest: Rest) => Answer) =>
    (...rest: Rest) =>
      call({ repo }, ...rest)
  const withId =
    <Rest extends unknown[], Answer>(call: (address: OfRepository & ById, ...rest: Rest) => Answer) =>
    ({ id }: ById, ...rest: Rest) =>
      call({ repo, id }, ...rest)
  return {
    kind: 'repository',
    head: { get: inRepo(repositories.get), check: inRepo(repositories.refresh) },
    receivers: {
      list: inRepo(receivers.list),
      get: withId(receivers.get),
      create: inRepo(receivers.create),
      test: inRepo(receivers.test),
      update: withId(receivers.update),
      delete: withId(receivers.delete),
      rotateSecret: withId(receivers.rotateSecret),
      replay: withId(receivers.replay),
      getReplay: withId(receivers.getReplay),
      cancelReplay: withId(receivers.cancelReplay),
    },
    expectations: {
      list: inRepo(expectations.list),
      get: ({ id }) => getWhole(expectations, { repo, id }),
      create: inRepo(expectations.create),
      update: withId(expectations.update),
      delete: withId(expectations.delete),
    },
    deliveries: {
      listPage: (query, call) => deliveries.listPage({ ...query, repo }, call),
      rates: inRepo(deliveries.rates),
      get: withId(deliveries.get),
      redeliver: withId(deliveries.redeliver),
    },
    listEveryDelivery: (query, call) => orgDeliveries.listPage({ ...query, repo }, call),
    auditPage: (query, call) => repositories.auditPage({ repo, ...query }, call),
  }
}

type WholeCalls<Address> = {
  readonly get: (address: Address) => Promise<Versioned<Expectation>>
  readonly getContract: (address: Address) => Promise<Versioned<DatasetContract>>
}

/** Gets an expectation with its document, if it has one. A change in between is noticed when the form is saved. */
async function getWhole<Address>(calls: WholeCalls<Address>, address: Address): Promise<Versioned<WholeExpectation>> {
  const { value, etag } = await calls.get(address)
  if (value.kind !== 'contract') return { value, etag }
  const { value: contract } = await calls.getContract(address)
  return { value: { ...value, contract }, etag }
}
