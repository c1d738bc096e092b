import { setImmediate } from 'node:timers/promises'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Timing } from '../../timing.ts'

/** Least time between two times that the changed names of a catalog are handled, in milliseconds. Those found meanwhile are handled together. */
const collectMs = 20

type FollowOptions = {
  /** Handles names that were added, removed, or have another source. */
  readonly handle: (names: readonly string[]) => Promise<void>
  /** Names that are handled at once at most. */
  readonly batch: number
  readonly timing: Pick<Timing, 'after'>
  /** Ends everything. */
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
}

/** Handles the changed names of a catalog in batches, beginning with all that it knows. */
export class FollowedCatalog {
  readonly #options: FollowOptions
  readonly #changed: Set<string>
  #isBusy = false
  #running: Promise<void> = Promise.resolve()

  constructor(catalog: Catalog, options: FollowOptions) {
    this.#options = options
    this.#changed = catalog.follow(() => this.handleSoon())
  }

  /** Handles what has changed, now or a little later. What fails is tried again at the next call. */
  handleSoon(): void {
    const { timing, signal, onError } = this.#options
    if (this.#isBusy || this.#changed.size === 0 || signal.aborted) return
    this.#isBusy = true
    const goOn = () => {
      this.#isBusy = false
      this.handleSoon()
    }
    this.#running = this.#handleAll().then(
      () => void timing.after(collectMs, goOn),
      (error: unknown) => {
        this.#isBusy = false
        onError(error)
      },
    )
  }

  /** Resolves when nothing is under way, after the signal. */
  async end(): Promise<void> {
    await this.#running
  }

  async #handleAll(): Promise<void> {
    const { handle, batch, signal } = this.#options
    const changed = this.#changed
    // The catalog may not have noted all names yet.
    await setImmediate()
    while (changed.size > 0 && !signal.aborted) {
      const names = changed.values().take(batch).toArray()
      for (const name of names) changed.delete(name)
      await handle(names).catch((error: unknown) => {
        for (const name of names) changed.add(name)
        throw error
      })
      await setImmediate()
    }
  }
}
