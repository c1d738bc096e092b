// The types of a client that knows datasets, and of one that does not. The compiler is the test: it refuses this file
// if one is wrong. test/packages compiles more with TypeScript 5.9 too, with types that `floe types` writes.
import {
  type CallOptions,
  type Client,
  createClient,
  type DatasetDict,
  type DatasetInfo,
  type DatasetKeys,
  type GroupAddress,
  type Notified,
  type SnapshotClient,
  type TypedClient,
  type TypedInfo,
  type VersionedOptions,
  type VersionedView,
} from '@floe/client'
import { t } from 'tap'

/** True when two types are identical. The compiler compares the functions' types without looking into them. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the parameter makes it compare so
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only when every comparison is true. */
type AllTrue<Results extends Record<string, true>> = Results

type Forecast = {
  readonly dimensions: { readonly time: {} }
  readonly variables: {
    readonly temperature: {
      readonly type: 'float32'
      readonly dimensions: readonly ['time']
      readonly role: 'data'
      readonly units: 'K'
    }
    readonly time: { readonly role: 'coordinate' }
  }
}
type Datasets = { weather: { main: { forecast: Forecast } } }

type View<Answer> = (names: GroupAddress, call?: CallOptions) => Promise<Answer>
type VersionedMethod<Answer> = (names: GroupAddress, call?: VersionedOptions) => Promise<VersionedView<Answer>>

/** Without the parameter, the methods have the types that they had before there were types of datasets. */
type WithoutParameter = {
  client: Same<ReturnType<typeof createClient>, Client>
  info: Same<Client['info'], View<DatasetInfo>>
  keys: Same<Client['keys'], View<DatasetKeys>>
  dict: Same<Client['dict'], View<DatasetDict>>
  versionedInfo: Same<Client['versioned']['info'], VersionedMethod<DatasetInfo>>
  versionedKeys: Same<Client['versioned']['keys'], VersionedMethod<DatasetKeys>>
  versionedDict: Same<Client['versioned']['dict'], VersionedMethod<DatasetDict>>
  at: Same<Client['at'], (notified: Notified) => SnapshotClient>
}

/** With it, other methods stay as they are. */
type WithParameter = {
  methods: Same<keyof TypedClient<Datasets>, keyof Client>
  history: Same<TypedClient<Datasets>['history'], Client['history']>
  verify: Same<TypedClient<Datasets>['verify'], Client['verify']>
  datasets: Same<TypedClient<Datasets>['datasets'], Client['datasets']>
  units: Same<TypedInfo<Forecast>['variables']['temperature']['attributes']['units'], 'K'>
  undescribed: Same<TypedInfo<Forecast>['variables']['time']['type'], string>
}

t.test(
  'without a parameter, a client has the types that it had, and a client that knows datasets can replace it',
  async (t) => {
    const compared: Partial<AllTrue<WithoutParameter & WithParameter>> = {}
    t.strictSame(compared, {})
    const options = { baseUrl: 'https://floe.example.org/v1', deployment: 'tiles', org: 'acme' }
    const typed = createClient<Datasets>(options)
    const plain: Client = typed
    t.strictSame(Object.keys(plain), Object.keys(createClient(options)))
  },
)
