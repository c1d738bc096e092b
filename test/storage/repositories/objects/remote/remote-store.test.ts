import { t } from 'tap'
import { RemoteStore } from '../../../../../storage/repositories/objects/remote/remote-store.ts'

const { signal } = new AbortController()

t.test('a listing whose pages never end fails, and is not called too long', async (t) => {
  const backend = {
    root: 's3://endless',
    encodesKeys: true,
    get: () => Promise.reject(new Error('nothing is read')),
    list: () => Promise.resolve({ keys: [], prefixes: [], next: 'more' }),
  }
  const list = new RemoteStore(backend, '').list('', { maxEntries: 10, signal })
  await t.rejects(list, { name: 'ObjectStoreError', message: /the listing has more than 10000 pages/ })
})
