import { setImmediate } from 'node:timers/promises'

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item }

/**
 * Handles items together, because a transaction for many items costs little more than a transaction for one. Items that
 * are added while a batch is under way form the next batch.
 */
export class Batches<Item, Result> {
  readonly #handle: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #maxItems: number
  #waiting: Waiting<Item, Result>[] = []
  #isRunning = false

  /** @param handle returns the result of each item, in the same order */
  constructor(handle: (items: readonly Item[]) => Promise<readonly Result[]>, maxItems = 500) {
    this.#handle = handle
    this.#maxItems = maxItems
  }

  /**
   * Handles an item with the next batch. When a batch fails, each of its items is handled alone, so that only the items
   * that cause the failure fail. All are handled at the same time: while a database hangs, they wait for it once, and
   * not one after the other.
   */
  async add(item: Item): Promise<Result> {
    const waiting = { item, ...Promise.withResolvers<Result>() }
    this.#waiting.push(waiting)
    if (!this.#isRunning) void this.#run()
    return waiting.promise
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // The items that are added in this iteration of the event loop belong to the first batch.
    await setImmediate()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxItems)
      if (!(await this.#settle(batch))) await Promise.all(batch.map((waiting) => this.#settle([waiting])))
    }
    this.#isRunning = false
  }

  /** Handles a batch. Returns false if it has failed and each of its items must be handled alone. */
  async #settle(batch: readonly Waiting<Item, Result>[]): Promise<boolean> {
    try {
      const results = await this.#handle(batch.map(({ item }) => item))
      // `handle` has returned one result for each item.
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
      return true
    } catch (error) {
      if (batch.length > 1) return false
      for (const { reject } of batch) reject(error)
      return true
    }
  }
}
