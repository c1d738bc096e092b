import type { PublishedStorage } from '@floe/contract'
import { openRepository, type ReaderLimits, type RepoCache, type Repository } from '@floe/storage/icechunk'
import type { ObjectStore } from '@floe/storage/objects'

/**
 * A repository with an id in the database, so that receivers and events can belong to it. Reading a repository needs no
 * entry.
 */
export type CatalogEntry = {
  readonly org: string
  readonly name: string
  /** Stays the same after restarts and when the repository moves to another location. */
  readonly id: string
  readonly location: string
  /** Opened at the first use, and again when the limits of repositories have changed. */
  readonly repository: Repository
}

/** Opens the stores of repositories: one of the configuration, or those below a scanned location. */
export type EntrySource = {
  readonly open: (name: string) => ObjectStore
  /** How readers open a repository without Floe; undefined if that is not published. */
  readonly publish: (name: string) => PublishedStorage | undefined
}

/** Settings that all entries of a catalog share. */
export type EntryOptions = { readonly org: string; readonly limits: ReaderLimits; readonly cache: RepoCache }

/** A repository of a source that is polled or was requested recently. */
export class OpenedRepository {
  readonly name: string
  readonly source: EntrySource
  /** Undefined until it is needed for the first time. */
  id: string | undefined
  readonly #options: EntryOptions
  #repository: Repository | undefined

  constructor(name: string, source: EntrySource, options: EntryOptions) {
    this.name = name
    this.source = source
    this.#options = options
  }

  get org(): string {
    return this.#options.org
  }

  get location(): string {
    return (this.#repository ?? this.source.open(this.name)).location
  }

  get repository(): Repository {
    const { limits, cache } = this.#options
    return (this.#repository ??= openRepository(this.source.open(this.name), limits, cache))
  }

  /** Drops what is cached of the repository. */
  forget(): void {
    this.#repository = undefined
  }
}

/**
 * Returns the stable ids of repositories by their names. Gives new names an id, which needs a database that accepts
 * changes.
 */
export type EnsureIds = (org: string, names: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Makes repositories of one organisation entries. One query finds the ids of all that have none yet. */
export async function recordRepositories(
  org: string,
  repositories: readonly OpenedRepository[],
  ensureIds: EnsureIds,
): Promise<readonly CatalogEntry[]> {
  const unrecorded = repositories.filter(({ id }) => id === undefined)
  if (unrecorded.length > 0) {
    const names = unrecorded.map(({ name }) => name)
    const ids = await ensureIds(org, names)
    for (const repository of unrecorded) repository.id ??= ids.get(repository.name)
  }
  return repositories.map((repository) => {
    if (!hasId(repository)) throw new TypeError(`${org}/${repository.name} got no id`)
    return repository
  })
}

export function hasId(repository: OpenedRepository): repository is OpenedRepository & CatalogEntry {
  return repository.id !== undefined
}
