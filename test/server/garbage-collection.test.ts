import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ObjectStore, openLocalStore } from '@floe/storage/objects'
import t from 'tap'
import { expectedAnswers } from './expected-answers.ts'
import { fixtures, startServer } from './start-server.ts'

t.test('a snapshot that is gone while its name still points to it is not found, and the answer says why', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'weather'), { recursive: true })
  const { branches } = await expectedAnswers('weather')
  await rm(join(directory, 'weather/snapshots', branches['main'] ?? ''))
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(directory) }] })
  const response = await server.get('datasets/weather/main/forecast/info')
  t.equal(response.status, 404)
  t.match(await response.json(), { type: '/problems/snapshot-gone', detail: `snapshots/${branches['main']}` })
})

t.test('a snapshot that goes between the look at its name and its reading is looked up once more', async (t) => {
  const before = openLocalStore(join(fixtures, 'weather'))
  const after = openLocalStore(join(fixtures, 'satellite'))
  const { branches } = await expectedAnswers('weather')
  let current: ObjectStore = before
  const store: ObjectStore = {
    location: 'moving',
    encodesKeys: true,
    read: (key, options) => {
      // The collector comes when the old head is about to be read: the branch has moved on, its snapshot is gone.
      if (key === `snapshots/${branches['main']}`) current = after
      return current.read(key, options)
    },
    list: (prefix, options) => current.list(prefix, options),
    below: (prefix) => current.below(prefix),
  }
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'moving', store }] })
  const response = await server.get('discovery/moving/main')
  t.equal(response.status, 200)
  t.strictSame(
    await response.json(),
    await (await startServer(t)).get('discovery/satellite/main').then((r) => r.json()),
  )
})
