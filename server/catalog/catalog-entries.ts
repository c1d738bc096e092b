import { openRepository, type ReaderLimits, type Repository } from '@floe/storage/icechunk'
import type { ObjectStore } from '@floe/storage/objects'

/** A repository and the name under which its organisation serves it. */
export type CatalogEntry = {
  readonly org: string
  readonly name: string
  /** Stays the same after restarts and when the repository moves to another location. */
  readonly id: string
  readonly repository: Repository
}

/** Returns the stable ids of repositories by their names; creates those of new names. */
export type RememberRepositories = (org: string, names: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** What {@link CatalogEntries} work with. */
export type EntryOptions = {
  readonly remember: RememberRepositories
  /** Limits of the repositories. Call {@link CatalogEntries.clear} when they have changed. */
  readonly limits: ReaderLimits
}

/** The opened repositories of an organisation. What was read of a repository stays cached as long as its entry is here. */
export class CatalogEntries {
  readonly #org: string
  readonly #options: EntryOptions
  readonly #opened = new Map<string, { readonly store: ObjectStore; readonly entry: CatalogEntry }>()

  constructor(org: string, options: EntryOptions) {
    this.#org = org
    this.#options = options
  }

  /** The entry of a name, if it was opened from this store. */
  get(name: string, store: ObjectStore | undefined): CatalogEntry | undefined {
    const opened = this.#opened.get(name)
    return opened !== undefined && opened.store === store ? opened.entry : undefined
  }

  /** Whether an entry is here. */
  has(entry: CatalogEntry): boolean {
    return this.#opened.get(entry.name)?.entry === entry
  }

  /** Lists the entries, in no order. */
  list(): CatalogEntry[] {
    return [...this.#opened.values()].map(({ entry }) => entry)
  }

  /** Opens the repositories in these stores, unless they are open. Looks up the ids of all new ones together. */
  async open(stores: ReadonlyMap<string, ObjectStore>): Promise<void> {
    const added = [...stores].filter(([name, store]) => this.get(name, store) === undefined)
    if (added.length === 0) return
    const ids = await this.#options.remember(
      this.#org,
      added.map(([name]) => name),
    )
    for (const [name, store] of added) {
      const id = ids.get(name)
      if (id === undefined) throw new TypeError(`${this.#org}/${name} got no id`)
      // Another request may have added the entry while we waited for the ids. Keep that one: its caches are warm.
      if (this.get(name, store) !== undefined) continue
      const repository = openRepository(store, this.#options.limits)
      this.#opened.set(name, { store, entry: { org: this.#org, name, id, repository } })
    }
  }

  /** Opens the repository in a store, unless it is open. */
  async openOne(name: string, store: ObjectStore): Promise<CatalogEntry | undefined> {
    if (this.get(name, store) === undefined) await this.open(new Map([[name, store]]))
    // Meanwhile, the name may have come to lead elsewhere.
    return this.#opened.get(name)?.entry
  }

  /** Drops the entries whose names lead to another store now, or to none. */
  dropOthers(findStore: (name: string) => ObjectStore | undefined): void {
    for (const [name, { store }] of this.#opened) if (findStore(name) !== store) this.#opened.delete(name)
  }

  /** Drops all entries. */
  clear(): void {
    this.#opened.clear()
  }
}
