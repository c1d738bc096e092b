import type { GroupOfSnapshot, Notified } from '../addresses.ts'
import type { CallOptions, VersionedOptions, VersionedView } from '../calls.ts'
import type { Client, DatasetViews, SnapshotClient } from '../client.ts'
import type { DatasetContracts } from './dataset-contracts.ts'
import type { GroupsWithTypes, TypedAddress, TypedGroup, TypedRef } from './typed-names.ts'
import type { TypedDict, TypedInfo, TypedKeys } from './typed-views.ts'

/** The client that knows these datasets; {@link Client} if none are named. */
export type ClientOf<Contracts extends DatasetContracts> = string extends keyof Contracts
  ? Client
  : TypedClient<Contracts>

/**
 * A client that knows datasets. Its methods are those of {@link Client}. A name that is a literal must be known; a ref
 * without types, or a name that is a `string`, gives views without types.
 */
export type TypedClient<Contracts> = Omit<Client, ViewName | 'versioned' | 'at'> & {
  /** Dimensions, variables and attributes of a dataset. */
  readonly info: TypedMethod<Contracts, 'info'>
  /** Names of the variables of a dataset: data variables first, then coordinates. */
  readonly keys: TypedMethod<Contracts, 'keys'>
  /** A dataset as `xarray.Dataset.to_dict(data=False)` gives it. */
  readonly dict: TypedMethod<Contracts, 'dict'>
  /** The same three views, each with its ETag and the id of the snapshot that it describes. */
  readonly versioned: { readonly [View in ViewName]: TypedVersionedMethod<Contracts, View> }
  /**
   * A client for the snapshot of a notification: its answers are about that snapshot, even after the branch has moved
   * on.
   *
   * @param typesOf the repository and the ref whose types the snapshot has; without them, the answers have no types
   * @throws TypeError when the notification is from another organisation or repository
   * @example
   * ```ts
   * const { variables } = await floe.at(details, { repo: 'weather', ref: 'main' }).info({ group: 'forecast' })
   * ```
   */
  readonly at: <Repo extends string = string, Ref extends string = string>(
    notified: Notified,
    typesOf?: TypedRef<Contracts, Repo, Ref>,
  ) => TypedSnapshotClient<GroupsWithTypes<Contracts, Repo, Ref>>
}

/** The methods of a client that read one snapshot whose datasets are known. */
export type TypedSnapshotClient<Groups> = Omit<SnapshotClient, ViewName> & {
  readonly [View in ViewName]: TypedSnapshotMethod<Groups, View>
}

/** `info`, `keys` or `dict`. */
export type ViewName = keyof DatasetViews

/** A view of a dataset; without types if the contract is unknown. */
export type TypedView<Groups, Group, View extends ViewName> = Groups extends false
  ? Awaited<ReturnType<DatasetViews[View]>>
  : Group extends keyof Groups
    ? { info: TypedInfo<Groups[Group]>; keys: TypedKeys<Groups[Group]>; dict: TypedDict<Groups[Group]> }[View]
    : Awaited<ReturnType<DatasetViews[View]>>

/** A method that reads a view of a dataset. */
export type TypedMethod<Contracts, View extends ViewName> = <
  Repo extends string,
  Ref extends string,
  Group extends string = '',
>(
  names: TypedAddress<Contracts, Repo, Ref, Group>,
  call?: CallOptions,
) => Promise<TypedView<GroupsWithTypes<Contracts, Repo, Ref>, Group, View>>

/** A method that reads a view of a dataset with its version. */
export type TypedVersionedMethod<Contracts, View extends ViewName> = <
  Repo extends string,
  Ref extends string,
  Group extends string = '',
>(
  names: TypedAddress<Contracts, Repo, Ref, Group>,
  call?: VersionedOptions,
) => Promise<VersionedView<TypedView<GroupsWithTypes<Contracts, Repo, Ref>, Group, View>>>

/** A method that reads a view of a dataset of one snapshot. */
export type TypedSnapshotMethod<Groups, View extends ViewName> = false extends Groups
  ? (group?: GroupOfSnapshot, call?: CallOptions) => ReturnType<DatasetViews[View]>
  : '' extends keyof Groups
    ? <Group extends string = ''>(
        group?: TypedGroup<Groups, Group>,
        call?: CallOptions,
      ) => Promise<TypedView<Groups, Group, View>>
    : <Group extends string>(
        group: TypedGroup<Groups, Group>,
        call?: CallOptions,
      ) => Promise<TypedView<Groups, Group, View>>
