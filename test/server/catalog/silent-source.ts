import { join } from 'node:path'
import { openLocalStore } from '@floe/storage/objects'
import type { CatalogSource } from '../../../server/catalog/sources/open-sources.ts'
import { fixtures } from '../start-server.ts'

/** A source whose reads of snapshots wait until they are aborted. */
export function makeSilentSource(onRead: (read: { readonly aborted: Promise<void> }) => void): CatalogSource {
  const store = openLocalStore(join(fixtures, 'weather'))
  return {
    kind: 'repository',
    name: 'weather',
    store: {
      location: store.location,
      encodesKeys: store.encodesKeys,
      list: (prefix, options) => store.list(prefix, options),
      below: (prefix) => store.below(prefix),
      read: (key, options) => {
        if (!key.startsWith('snapshots/')) return store.read(key, options)
        const aborted = new Promise<void>((resolve) =>
          options.signal.addEventListener('abort', () => resolve(), { once: true }),
        )
        onRead({ aborted })
        return aborted.then(() => Promise.reject(new Error('aborted')))
      },
    },
  }
}
