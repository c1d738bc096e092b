import type { ObjectStore } from '@floe/storage/objects'

/**
 * How a store behaves: it answers, fails, gives no answer whatever the signal says, or answers scans and nothing else.
 */
export type Mood = { is: 'well' | 'down' | 'hanging' | 'listing' }

/** A store of directories that each contain a file `repo`. `mood` and `names` can change at any time. */
export function makeMoodyStore(names: readonly string[], mood: Mood, location = 'moody'): ObjectStore {
  const answer = <Answer>(value: Answer): Promise<Answer> => {
    if (mood.is === 'down') return Promise.reject(new Error(`${location} is down`))
    return mood.is === 'hanging' ? new Promise(() => {}) : Promise.resolve(value)
  }
  const makeStore = (prefix: string): ObjectStore => ({
    location: prefix === '' ? location : `${location}/${prefix.slice(0, -1)}`,
    encodesKeys: true,
    list: () => answer({ objects: [], prefixes: [...names] }),
    read: (key, { maxBytes }) => {
      // A scan reads one byte.
      if (mood.is === 'listing' && maxBytes > 1) return new Promise(() => {})
      const isThere = key === 'repo' && names.includes(prefix.slice(0, -1))
      return answer(
        isThere ? { state: 'found' as const, bytes: new Uint8Array(1), etag: '"1"' } : { state: 'absent' as const },
      )
    },
    below: (more) => makeStore(prefix + more),
  })
  return makeStore('')
}
