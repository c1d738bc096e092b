import pLimit from 'p-limit'
import type { CatalogEntry } from '../../catalog/catalog-entries.ts'

/** Requested checks that run at the same time. */
const maxRunning = 16

/**
 * Checks repositories in the background when a caller reports a change. However many reports there are of one repository, at most one check
 * of it runs and one more waits, which then sees all changes.
 */
export class RequestedChecks {
  readonly #check: (entry: CatalogEntry) => Promise<unknown>
  readonly #limit = pLimit(maxRunning)
  /** Ids of the repositories whose check waits. */
  readonly #waiting = new Set<string>()
  readonly #running = new Map<string, Promise<unknown>>()

  /** @param check checks a repository, and keeps why it failed */
  constructor(check: (entry: CatalogEntry) => Promise<unknown>) {
    this.#check = check
  }

  /** Checks a repository soon. */
  request(entry: CatalogEntry): void {
    if (this.#waiting.has(entry.id)) return
    this.#waiting.add(entry.id)
    void this.#start(entry)
  }

  async #start(entry: CatalogEntry): Promise<void> {
    await this.#running.get(entry.id)
    const run = this.#limit(async () => {
      this.#waiting.delete(entry.id)
      // The repository keeps why a check failed.
      await this.#check(entry).catch(() => {})
    })
    this.#running.set(entry.id, run)
    await run
    if (this.#running.get(entry.id) === run) this.#running.delete(entry.id)
  }
}
