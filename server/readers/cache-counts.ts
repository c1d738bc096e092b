/** Where each number lies in the memory. */
const places = { snapshotHits: 0, snapshotMisses: 1, snapshotBytes: 2 } as const

/** A number about the snapshots that a reader thread holds. */
export type CountName = keyof typeof places

/**
 * Numbers about the snapshots of a reader thread, in memory that it shares with the main thread. The thread writes them while it works, and the
 * main thread reads them when somebody asks, so that they cost no message.
 */
export class CacheCounts {
  /** Send this to a thread, and make counts of it there. */
  readonly memory: SharedArrayBuffer
  readonly #numbers: BigInt64Array

  constructor(memory = new SharedArrayBuffer(Object.keys(places).length * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#numbers = new BigInt64Array(memory)
  }

  /** Adds 1 to a number. */
  count(name: CountName): void {
    Atomics.add(this.#numbers, places[name], 1n)
  }

  set(name: CountName, value: number): void {
    Atomics.store(this.#numbers, places[name], BigInt(value))
  }

  read(name: CountName): number {
    return Number(Atomics.load(this.#numbers, places[name]))
  }
}
