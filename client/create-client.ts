import type { DatasetDict, DatasetInfo, DatasetKeys } from '@floe/contract'
import { contract, DeploymentName } from '@floe/contract'
import type { GroupAddress, RepositoryAddress } from './addresses.ts'
import { openConnection, type ConnectionOptions } from './connection.ts'
import { type CallOptions, createRouteCaller, type VersionedOptions, type VersionedView } from './route-caller.ts'

/** How to reach one deployment of Floe. */
export type ClientOptions = ConnectionOptions & {
  /** Name of the deployment. */
  readonly deployment: string
}

/** The methods of a client. Pass names as they are; the client encodes them. */
export type Client = ReturnType<typeof createClient>

/**
 * Makes a client of one deployment.
 *
 * Each method rejects with a FloeError when its request fails, with the signal's reason when the caller aborts it, and with a
 * TypeError when a name cannot be part of an address (an empty one, `.`, `..`, or one with a lone surrogate).
 *
 * @throws TypeError for an invalid option
 */
export function createClient({ deployment, ...options }: ClientOptions) {
  if (!DeploymentName.safeParse(deployment).success) throw new TypeError('deployment is not the name of a deployment')
  const { fetchBody: get, fetchView } = createRouteCaller(openConnection(options), { deployment, org: options.org })
  const { discovery, documents } = contract
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
      get(chooseInfoRoute(names), { ...call, names }),
    /** Names of the variables of a dataset: data variables first, then coordinates. */
    keys: (names: GroupAddress, call?: CallOptions): Promise<DatasetKeys> =>
      get(chooseKeysRoute(names), { ...call, names }),
    /** A dataset as `xarray.Dataset.to_dict(data=False)` gives it. */
    dict: (names: GroupAddress, call?: CallOptions): Promise<DatasetDict> =>
      get(chooseDictRoute(names), { ...call, names }),
    /** HTML of the page of a group. */
    page: (names: GroupAddress, call?: CallOptions) => get(choosePageRoute(names), { ...call, names }),
    /**
     * The same four views, each with its ETag and the id of the snapshot that it describes. A later call with that ETag as
     * `ifNoneMatch` gets the value only when it has changed.
     *
     * @example
     * ```ts
     * const first = await floe.versioned.info(names)
     * const later = await floe.versioned.info(names, { ifNoneMatch: first.etag })
     * if (later.isModified) console.log(later.snapshotId, later.value)
     * ```
     */
    versioned: {
      /** As `info`. */
      info: (names: GroupAddress, call?: VersionedOptions): Promise<VersionedView<DatasetInfo>> =>
        fetchView(chooseInfoRoute(names), { ...call, names }),
      /** As `keys`. */
      keys: (names: GroupAddress, call?: VersionedOptions): Promise<VersionedView<DatasetKeys>> =>
        fetchView(chooseKeysRoute(names), { ...call, names }),
      /** As `dict`. */
      dict: (names: GroupAddress, call?: VersionedOptions): Promise<VersionedView<DatasetDict>> =>
        fetchView(chooseDictRoute(names), { ...call, names }),
      /** As `page`. */
      page: (names: GroupAddress, call?: VersionedOptions): Promise<VersionedView<string>> =>
        fetchView(choosePageRoute(names), { ...call, names }),
    },
    /** HTML of the page of the deployments: the public ones and, with a key, those of its organisation. */
    index: (call?: CallOptions) => get(documents.index, call),
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

const { datasets } = contract

// Each view has two routes, because the group in an address cannot be empty.
const chooseInfoRoute = ({ group }: GroupAddress) => (group ? datasets.groupInfo : datasets.info)
const chooseKeysRoute = ({ group }: GroupAddress) => (group ? datasets.groupKeys : datasets.keys)
const chooseDictRoute = ({ group }: GroupAddress) => (group ? datasets.groupDict : datasets.dict)
const choosePageRoute = ({ group }: GroupAddress) => (group ? datasets.groupPage : datasets.page)
