import type { DatasetDict, DatasetInfo, DatasetKeys } from '@floe/contract'
import { contract, DeploymentName, OrgName } from '@floe/contract'
import type { AppRouteQuery, ClientInferRequest } from '@ts-rest/core'
import { type CallOptions, routeReader } from './route-reader.ts'
import { createTransport } from './transport.ts'

/** How to reach one deployment of Floe. */
export type ClientOptions = {
  /** Address of the service, ending in `/v1`, such as `https://floe.example.org/v1`. */
  readonly baseUrl: string
  /** Name of the deployment. */
  readonly deployment: string
  /** Name of the organisation. */
  readonly org: string
  /** API key of the organisation; a public deployment needs none. */
  readonly apiKey?: string | undefined
  /** Milliseconds that one request may take until its body has arrived; each retry has as many again. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** How often a request that failed in passing (no answer; 408, 429, 502, 503 or 504) is sent again. Default 2. */
  readonly retries?: number | undefined
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

type NamesOf<Route extends AppRouteQuery> =
  ClientInferRequest<Route> extends { readonly params: infer Names } ? Omit<Names, 'deployment' | 'org'> : never

/** A repository. */
export type RepositoryAddress = Readonly<NamesOf<typeof contract.discovery.refs>>

/** A group at a branch, else a tag, else a snapshot id. Without a `group`, or with an empty one: the root group. */
export type GroupAddress = Readonly<
  NamesOf<typeof contract.datasets.info> & { group?: NamesOf<typeof contract.datasets.groupInfo>['group'] | undefined }
>

/** The methods of a client. Names are given as they are; no caller encodes anything. */
export type Client = ReturnType<typeof createClient>

/**
 * Makes a client of one deployment.
 *
 * Each method rejects with a FloeError when its request fails, with the signal's reason when its caller ends it, and with a
 * TypeError when an address cannot carry a name (an empty one, `.`, `..`, or a lone surrogate).
 *
 * @throws TypeError for options that cannot be meant
 */
export function createClient(options: ClientOptions) {
  const { deployment, org } = options
  const get = routeReader(transportOf(options), { root: rootOf(options), names: { deployment, org } })
  const { discovery, datasets, documents } = contract
  return {
    /** Names of the repositories that the key may read, sorted by UTF-8 bytes. */
    repositories: (call?: CallOptions) => get(discovery.repositories, call),
    /** Branches and tags of a repository. */
    refs: (names: RepositoryAddress, call?: CallOptions) => get(discovery.refs, { ...call, names }),
    /** Paths of the groups that are datasets: the addressed group, if it is one, and all below it. */
    datasets: ({ group, ...names }: GroupAddress, call?: CallOptions) =>
      get(discovery.datasets, { ...call, names, query: { group: group || undefined } }),
    /** Dimensions, variables and attributes of a dataset. */
    info: (names: GroupAddress, call?: CallOptions): Promise<DatasetInfo> =>
      get(names.group ? datasets.groupInfo : datasets.info, { ...call, names }),
    /** Names of the variables of a dataset: data variables first, then coordinates. */
    keys: (names: GroupAddress, call?: CallOptions): Promise<DatasetKeys> =>
      get(names.group ? datasets.groupKeys : datasets.keys, { ...call, names }),
    /** A dataset as `xarray.Dataset.to_dict(data=False)` gives it. */
    dict: (names: GroupAddress, call?: CallOptions): Promise<DatasetDict> =>
      get(names.group ? datasets.groupDict : datasets.dict, { ...call, names }),
    /** HTML of the page of a group. */
    page: (names: GroupAddress, call?: CallOptions) =>
      get(names.group ? datasets.groupPage : datasets.page, { ...call, names }),
    /** HTML of the page of the repositories. */
    browse: (call?: CallOptions) => get(documents.browse, call),
    /** OpenAPI 3.1 document of the deployment. */
    openapi: (call?: CallOptions) => get(documents.openapi, call),
    /** HTML of the interactive documentation. */
    docs: (call?: CallOptions) => get(documents.docs, call),
    /** HTML of the reference documentation. */
    redoc: (call?: CallOptions) => get(documents.redoc, call),
    /** JSON Schema of the notification that webhooks receive. */
    notificationSchema: (call?: CallOptions) => get(documents.notificationSchema, call),
  }
}

function rootOf({ baseUrl, deployment, org }: ClientOptions): string {
  if (!DeploymentName.safeParse(deployment).success) throw new TypeError('deployment is not the name of one')
  if (!OrgName.safeParse(org).success) throw new TypeError('org is not the name of an organisation')
  const { protocol, origin, pathname, username, password, search, hash } = URL.parse(baseUrl) ?? {}
  const path = /^(.*)\/v1\/?$/.exec(pathname ?? '')
  const isWeb = protocol === 'http:' || protocol === 'https:'
  if (!path || !isWeb || username || password || search || hash) {
    // The value itself stays out of the message, since it may hold a password.
    throw new TypeError('baseUrl must be an http(s) address that ends in /v1, without credentials, query or fragment')
  }
  return `${origin}${path[1]}`
}

const maxTimeoutMs = 2 ** 31 - 1

function transportOf({ org, apiKey, timeoutMs = 30_000, retries = 2, fetch = globalThis.fetch }: ClientOptions) {
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > maxTimeoutMs) {
    throw new TypeError(`timeoutMs must be a whole number from 1 to ${maxTimeoutMs}`)
  }
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError('retries must be a whole number, 0 or more')
  const authorization = apiKey === undefined ? undefined : `Basic ${base64(`${org}:${apiKey}`)}`
  return createTransport({ authorization, timeoutMs, retries, fetch })
}

/** Base64 of the UTF-8 bytes; `btoa` takes one character for each byte. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
