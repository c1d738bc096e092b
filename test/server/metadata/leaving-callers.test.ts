import { join } from 'node:path'
import { openLocalStore } from '@floe/storage/objects'
import { pino } from 'pino'
import t from 'tap'
import type { CatalogSource } from '../../../server/repositories/source-scan.ts'
import { fixtures, startServer } from '../start-server.ts'

/** A source whose reads of snapshots wait until they are aborted. */
function makeSilentSource(onRead: (read: { readonly aborted: Promise<void> }) => void): CatalogSource {
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

t.test('reading ends when the only caller leaves, and that is not logged as a fault', async (t) => {
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => logged.push(line) })
  const reading = Promise.withResolvers<{ readonly aborted: Promise<void> }>()
  const server = await startServer(t, { sources: [makeSilentSource(reading.resolve)], log })
  const leaving = new AbortController()
  const response = fetch(`${server.publicMeta}/datasets/weather/main/forecast/info`, { signal: leaving.signal })
  const { aborted } = await reading.promise
  leaving.abort()
  await t.rejects(response, { name: 'AbortError' })
  await aborted
  t.equal((await fetch(`${server.origin}/healthz`)).status, 200)
  t.same(logged, [])
})
