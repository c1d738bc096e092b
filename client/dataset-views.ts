// The methods of a client that show a dataset.
import { contract, type DatasetDict, type DatasetInfo, type DatasetKeys } from '@floe/contract'
import type { GroupAddress } from './addresses.ts'
import type { CallOptions, RouteCaller, VersionedOptions, VersionedView } from './route-caller.ts'

/** Makes the methods of the four views. */
export function makeDatasetViews({ fetchBody: get, fetchView }: Pick<RouteCaller, 'fetchBody' | 'fetchView'>) {
  return {
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
  }
}

const { datasets } = contract

// Each view has two routes, because the group in an address cannot be empty.
const chooseInfoRoute = ({ group }: GroupAddress) => (group ? datasets.groupInfo : datasets.info)
const chooseKeysRoute = ({ group }: GroupAddress) => (group ? datasets.groupKeys : datasets.keys)
const chooseDictRoute = ({ group }: GroupAddress) => (group ? datasets.groupDict : datasets.dict)
const choosePageRoute = ({ group }: GroupAddress) => (group ? datasets.groupPage : datasets.page)
