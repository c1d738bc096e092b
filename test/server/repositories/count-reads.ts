import type { ObjectStore } from '@floe/storage/objects'

/**
 * A store that lists the keys of all reads of it and of what lies below it.
 *
 * @param onRead called before each read, which fails when this throws
 */
export function countReads(
  place: ObjectStore,
  onRead: () => void = () => {},
): { readonly store: ObjectStore; readonly reads: readonly string[] } {
  const reads: string[] = []
  const note = async (key: string) => {
    onRead()
    reads.push(key)
  }
  const wrap = (store: ObjectStore): ObjectStore => ({
    location: store.location,
    encodesKeys: store.encodesKeys,
    read: async (key, options) => {
      await note(key)
      return store.read(key, options)
    },
    list: async (prefix, options) => {
      await note(prefix)
      return store.list(prefix, options)
    },
    below: (prefix) => wrap(store.below(prefix)),
  })
  return { store: wrap(place), reads }
}
