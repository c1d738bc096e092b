// The names in the paths of the contract, without those that are options of the client.
import type { contract } from '@floe/contract'
import type { AppRoute, ClientInferRequest } from '@ts-rest/core'

type NamesOf<Route extends AppRoute> =
  ClientInferRequest<Route> extends { readonly params: infer Names } ? Omit<Names, 'deployment' | 'org'> : never

/** A repository. */
export type RepositoryAddress = Readonly<NamesOf<typeof contract.discovery.refs>>

/** A group at a ref: a branch, else a tag, else a snapshot id. A missing or empty `group` means the root group. */
export type GroupAddress = Readonly<
  NamesOf<typeof contract.datasets.info> & { group?: NamesOf<typeof contract.datasets.groupInfo>['group'] | undefined }
>

/** A ref of a repository: a branch, else a tag, else a snapshot id. */
export type RefAddress = Readonly<NamesOf<typeof contract.history.commits>>

/** Two snapshots of a repository; each is a branch, else a tag, else a snapshot id. */
export type DiffAddress = Readonly<NamesOf<typeof contract.diff.get>>

/** A webhook or a chat of a repository, by its id. */
export type ReceiverAddress = Readonly<NamesOf<typeof contract.webhooks.get>>

/** A delivery of a repository, by its id. */
export type DeliveryAddress = Readonly<NamesOf<typeof contract.deliveries.get>>

/** An API key, by its id. */
export type ApiKeyAddress = Readonly<NamesOf<typeof contract.keys.revoke>>
