// Which names methods take when types are known. `Contracts` is `DatasetContracts` with known names.

/**
 * A name that is known, or that the compiler does not know as a literal, such as a `string` or a template literal. The
 * intersection makes editors offer the known names.
 */
export type KnownName<Name extends string, Known> = (Name & Known) | ({} extends Record<Name, 1> ? Name : Known)

/** Any ref. Editors offer those that have types. */
export type RefWithTypes<Contracts, Repo extends string, Ref extends string> =
  (Ref & keyof Contracts[Repo & keyof Contracts]) | keyof Contracts[Repo & keyof Contracts] | Ref

/** The contracts of a ref by group; false if the ref has no types. */
export type GroupsWithTypes<Contracts, Repo, Ref> = Repo extends keyof Contracts
  ? Ref extends keyof Contracts[Repo]
    ? Contracts[Repo][Ref]
    : false
  : false

/** A group of a ref. It cannot be left out if the root group is known to be no dataset. */
export type TypedGroup<Groups, Group extends string> = false extends Groups
  ? { readonly group?: Group | undefined }
  : '' extends keyof Groups
    ? { readonly group?: KnownName<Group, keyof Groups> | undefined }
    : { readonly group: KnownName<Group, keyof Groups> }

/** A repository and a ref of it. */
export type TypedRef<Contracts, Repo extends string, Ref extends string> = {
  readonly repo: KnownName<Repo, keyof Contracts>
  readonly ref: RefWithTypes<Contracts, Repo, Ref>
}

/** A group at a ref. */
export type TypedAddress<Contracts, Repo extends string, Ref extends string, Group extends string> = TypedRef<
  Contracts,
  Repo,
  Ref
> &
  TypedGroup<GroupsWithTypes<Contracts, Repo, Ref>, Group>
