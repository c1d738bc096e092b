/** A place outside the repository that has virtual chunks. Readers of the chunks must authorize access to it. */
export type VirtualContainer = {
  /** With it, `vcc://NAME/` is the beginning of locations, in place of the prefix. Null if the container has none. */
  readonly name: string | null
  /** The beginning of the locations of its chunks, such as `s3://bucket/path/`. */
  readonly urlPrefix: string
  readonly store: 's3' | 'gcs' | 'azure' | 'http' | 'local'
  /** Null if the repository names none. */
  readonly region: string | null
  /** Whether the repository says that its store needs no credentials. Only stores of the kind `s3` can say so. */
  readonly isAnonymous: boolean
}

/** The kinds of stores, by their names in the configuration of a repository. */
const storeKinds: ReadonlyMap<string, VirtualContainer['store']> = new Map([
  ['s3', 's3'],
  ['s3_compatible', 's3'],
  ['tigris', 's3'],
  ['gcs', 'gcs'],
  ['azure', 'azure'],
  ['http', 'http'],
  ['local_file_system', 'local'],
])

/**
 * The values of an entry of `virtual_chunk_containers`: `{ name, url_prefix, store: { KIND: { region, anonymous } } }`.
 */
type StoredContainer = {
  readonly name: unknown
  readonly urlPrefix: unknown
  readonly kind: string
  readonly region: unknown
  readonly anonymous: unknown
}

/** Describes a container. Leaves out stores of kinds that a later version of the format added. */
export function describeContainer({ name, urlPrefix, kind, region, anonymous }: StoredContainer): VirtualContainer[] {
  const store = storeKinds.get(kind)
  if (typeof urlPrefix !== 'string' || store === undefined) return []
  return [
    {
      name: typeof name === 'string' ? name : null,
      urlPrefix,
      store,
      region: typeof region === 'string' ? region : null,
      isAnonymous: anonymous === true,
    },
  ]
}
