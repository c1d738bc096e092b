import { join } from 'node:path'
import {
  type ObjectStore,
  ObjectStoreError,
  ObjectStoreTimeoutError,
  ObjectTooLargeError,
  openLocalStore,
  type ReadResult,
  UnsafeKeyError,
} from '@floe/storage/objects'
import { t } from 'tap'
import type { CatalogSource } from '../../../../server/catalog/sources/open-sources.ts'
import { buildRepo } from '../../../storage/repositories/icechunk/build-object.ts'
import { basic, fixtures, startServer } from '../../start-server.ts'

/** How each read of a store ends, by the name of the repository. */
const failures: Readonly<Record<string, (location: string, key: string) => Promise<ReadResult>>> = {
  failing: (location, key) => Promise.reject(new ObjectStoreError(location, key, 'cannot be read (EACCES)')),
  slow: (location, key) => Promise.reject(new ObjectStoreTimeoutError(location, key, 'no answer within 30 s')),
  large: (location, key) => Promise.reject(new ObjectTooLargeError(location, key, 'larger than 9 bytes')),
  unsafe: (location, key) => Promise.reject(new UnsafeKeyError(location, key, 'leads outside')),
  empty: () => Promise.resolve({ state: 'absent' }),
  damaged: () => Promise.resolve({ state: 'found', bytes: Buffer.from('no repository at all'), etag: '"1"' }),
  future: () => Promise.resolve({ state: 'found', bytes: buildRepo().with(36, 9), etag: '"1"' }),
}

t.test('no problem and no page tells a reader where repositories lie, and administrators see it', async (t) => {
  const sources = Object.entries(failures).map(([name, read]): CatalogSource => {
    const location = `s3://hidden-bucket/${name}`
    const store: ObjectStore = {
      location,
      encodesKeys: true,
      read: (key) => read(location, key),
      list: () => Promise.resolve({ objects: [], prefixes: [] }),
      below: () => store,
    }
    return { kind: 'repository', name, store }
  })
  const readable = openLocalStore(join(fixtures, 'weather'))
  const hidden: ObjectStore = {
    ...readable,
    location: 's3://hidden-bucket/weather',
    read: readable.read.bind(readable),
  }
  const server = await startServer(t, { sources: [...sources, { kind: 'repository', name: 'weather', store: hidden }] })
  const paths = [...Object.keys(failures), 'weather'].flatMap((name) => [
    `discovery/${name}`,
    `discovery/${name}/main`,
    `datasets/${name}/main/forecast`,
    `datasets/${name}/main/forecast/info`,
  ])
  for (const path of ['', ...paths]) {
    for (const accept of ['text/html', 'application/json']) {
      const response = await server.get(path, { accept })
      t.ok(response.status < 500 || ['failing', 'slow', 'unsafe'].some((name) => path.includes(name)), path)
      t.notMatch(await response.text(), 'hidden-bucket', `${path} as ${accept}`)
    }
  }
  for (const path of ['discovery/weather', 'discovery/weather/main', 'datasets/weather/main/forecast']) {
    const headers = { accept: 'text/html', authorization: basic('acme', server.adminKey) }
    const page = await (await server.get(path, headers)).text()
    if (path !== 'discovery/weather/main') t.match(page, 'hidden-bucket', `${path} for an administrator`)
    t.notMatch(await (await server.get(path, { accept: 'text/html' })).text(), 'hidden-bucket', `${path} after that`)
  }
})
