import type { ObjectStore } from '@floe/storage/objects'

/** What was read from a store, in the order in which the reads began. */
export type CountedReads = {
  readonly store: ObjectStore
  /** Keys of all reads and listings of the store and of what lies below it. */
  readonly reads: readonly string[]
  /** How many reads had to wait for one another: the time of the whole, in round trips. */
  readonly countRounds: () => number
}

/**
 * Counts the reads of a store.
 *
 * @param onRead called before each read, which fails when this throws
 */
export function countReads(place: ObjectStore, onRead: () => void = () => {}): CountedReads {
  const reads: string[] = []
  let endedRounds = 0
  const count = async <Result>(key: string, read: () => Promise<Result>): Promise<Result> => {
    onRead()
    reads.push(key)
    const round = endedRounds + 1
    const result = await read()
    endedRounds = Math.max(endedRounds, round)
    return result
  }
  const wrap = (store: ObjectStore): ObjectStore => ({
    location: store.location,
    encodesKeys: store.encodesKeys,
    read: (key, options) => count(key, () => store.read(key, options)),
    list: (prefix, options) => count(prefix, () => store.list(prefix, options)),
    below: (prefix) => wrap(store.below(prefix)),
  })
  return { store: wrap(place), reads, countRounds: () => endedRounds }
}
