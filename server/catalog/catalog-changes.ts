import type { CatalogEntry, KnownRepository } from './catalog-entry.ts'

/** The repositories that were added to a catalog or removed since the last time that they were taken. */
export class CatalogChanges {
  readonly #record: (known: readonly KnownRepository[]) => Promise<readonly CatalogEntry[]>
  readonly #added: Set<KnownRepository>
  readonly #removed = new Set<KnownRepository>()

  /** @param record returns the entries of repositories, and records those that are new */
  constructor(
    record: (known: readonly KnownRepository[]) => Promise<readonly CatalogEntry[]>,
    added: Iterable<KnownRepository>,
  ) {
    this.#record = record
    this.#added = new Set(added)
  }

  note(removed: KnownRepository | undefined, added: KnownRepository | undefined): void {
    // What was added and removed before anybody took it needs no mention.
    if (removed !== undefined && !this.#added.delete(removed)) this.#removed.add(removed)
    if (added !== undefined) this.#added.add(added)
  }

  /** Takes what was removed. Repositories that were never taken are not among them. */
  takeRemoved(): readonly KnownRepository[] {
    const removed = [...this.#removed]
    this.#removed.clear()
    return removed
  }

  get hasAdded(): boolean {
    return this.#added.size > 0
  }

  /** Takes some of what was added. If that fails, the next call takes it again. */
  async takeAdded(most: number): Promise<readonly CatalogEntry[]> {
    const added = this.#added.values().take(most).toArray()
    const entries = await this.#record(added)
    // Meanwhile some may have been removed, or taken by another call.
    return entries.filter((_, index) => {
      const one = added[index]
      return one !== undefined && this.#added.delete(one)
    })
  }
}
