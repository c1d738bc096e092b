import { openRepository, type ReaderLimits, type Repository } from '@floe/storage/icechunk'
import type { ObjectStore } from '@floe/storage/objects'

/** A repository that the database knows, so that receivers and events can belong to it. Reading one needs no entry. */
export type CatalogEntry = {
  readonly org: string
  readonly name: string
  /** Stays the same after restarts and when the repository moves to another location. */
  readonly id: string
  readonly location: string
  /** Opened at the first use, and again when the limits of repositories have changed. */
  readonly repository: Repository
}

/** Where an entry comes from. */
export type EntrySource = { readonly open: (name: string) => ObjectStore }

/** What the entries of a catalog share. */
export type EntryOptions = { readonly org: string; readonly limits: ReaderLimits }

/** A repository of a source that is polled, or was asked for lately. */
export class KnownRepository {
  readonly name: string
  readonly source: EntrySource
  /** Undefined before somebody needed it. */
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
    return (this.#repository ??= openRepository(this.source.open(this.name), this.#options.limits))
  }

  /** Drops what is cached of the repository. */
  forget(): void {
    this.#repository = undefined
  }
}

export function hasId(known: KnownRepository): known is KnownRepository & CatalogEntry {
  return known.id !== undefined
}
