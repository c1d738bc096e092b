// The methods of a client that show a dataset.
import type { GroupAddress } from './addresses.ts'
import type { Client } from './client.ts'
import { datasets } from './generated/routes.ts'
import type { RouteCaller } from './requests/route-caller.ts'

type DatasetViews = Pick<Client, 'info' | 'keys' | 'dict' | 'page' | 'versioned'>

/** Makes the methods of the four views. */
export function makeDatasetViews({ fetchBody: get, fetchView }: RouteCaller): DatasetViews {
  return {
    info: (names, call) => get(chooseInfoRoute(names), { ...call, names }),
    keys: (names, call) => get(chooseKeysRoute(names), { ...call, names }),
    dict: (names, call) => get(chooseDictRoute(names), { ...call, names }),
    page: (names, call) => get(choosePageRoute(names), { ...call, names }),
    versioned: {
      info: (names, call) => fetchView(chooseInfoRoute(names), { ...call, names }),
      keys: (names, call) => fetchView(chooseKeysRoute(names), { ...call, names }),
      dict: (names, call) => fetchView(chooseDictRoute(names), { ...call, names }),
      page: (names, call) => fetchView(choosePageRoute(names), { ...call, names }),
    },
  }
}

// Each view has two routes, one of them for the root group.
const chooseInfoRoute = ({ group }: GroupAddress) => (group ? datasets.groupInfo : datasets.info)
const chooseKeysRoute = ({ group }: GroupAddress) => (group ? datasets.groupKeys : datasets.keys)
const chooseDictRoute = ({ group }: GroupAddress) => (group ? datasets.groupDict : datasets.dict)
const choosePageRoute = ({ group }: GroupAddress) => (group ? datasets.groupPage : datasets.page)
