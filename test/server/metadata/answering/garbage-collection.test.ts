import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ObjectStore, openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { readExpectedAnswers } from '../../expected-answers.ts'
import { fixtures, startServer } from '../../start-server.ts'

t.test('a snapshot that is gone while its name still points to it is not found, and the answer says why', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'weather'), { recursive: true })
  const { branches } = await readExpectedAnswers('weather')
  await rm(join(directory, 'weather/snapshots', branches['main'] ?? ''))
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(directory) }] })
  const response = await server.get('datasets/weather/main/forecast/info')
  t.equal(response.status, 404)
  t.match(await response.json(), { type: '/problems/snapshot-gone', detail: `snapshots/${branches['main']}` })
})

/** A repository whose branch moves, and whose old head is deleted, just before that head is read. */
async function startMoving(t: Test) {
  const before = openLocalStore(join(fixtures, 'weather'))
  const after = openLocalStore(join(fixtures, 'satellite'))
  const { branches } = await readExpectedAnswers('weather')
  const { branches: later } = await readExpectedAnswers('satellite')
  let current: ObjectStore = before
  const store: ObjectStore = {
    location: 'moving',
    encodesKeys: true,
    read: (key, options) => {
      if (key === `snapshots/${branches['main']}`) current = after
      return current.read(key, options)
    },
    list: (prefix, options) => current.list(prefix, options),
    below: (prefix) => current.below(prefix),
  }
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'moving', store }] })
  return { server, snapshotId: later['main'] }
}

/** Compressed forms have tags of their own. */
const identity = { 'accept-encoding': 'identity' }

const addresses = ['discovery/moving/main', 'datasets/moving/main', 'datasets/moving/main/info']

for (const path of addresses) {
  t.test(`${path} starts again as a whole when its snapshot is deleted after its name was resolved`, async (t) => {
    const { server, snapshotId } = await startMoving(t)
    const first = await server.get(path, identity)
    t.equal(first.status, 200)
    t.equal(first.headers.get('floe-snapshot'), snapshotId, 'the snapshot that was described')
    const second = await server.get(path, identity)
    const readFacts = (response: Response) => [response.headers.get('etag'), response.headers.get('floe-snapshot')]
    t.strictSame(readFacts(first), readFacts(second), 'the tag is that of the snapshot, which is the only one now')
    t.equal(await first.text(), await second.text(), 'nothing of the old snapshot was kept')
    const again = await server.get(path, { ...identity, 'if-none-match': first.headers.get('etag') ?? '' })
    t.equal(again.status, 304)
    t.strictSame(readFacts(again), readFacts(first))
  })
}

t.test('an answer is started again only once', async (t) => {
  let isGone = false
  const weather = openLocalStore(join(fixtures, 'weather'))
  const satellite = openLocalStore(join(fixtures, 'satellite'))
  let resolved = 0
  const store: ObjectStore = {
    location: 'restless',
    encodesKeys: true,
    // The two heads take turns, and no snapshot is ever there.
    read: async (key, options) => {
      if (key.startsWith('snapshots/')) {
        isGone = !isGone
        return { state: 'absent' }
      }
      if (key === 'repo') resolved++
      return (isGone ? satellite : weather).read(key, options)
    },
    list: (prefix, options) => weather.list(prefix, options),
    below: (prefix) => weather.below(prefix),
  }
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'restless', store }] })
  const response = await server.get('datasets/restless/main/info')
  t.equal(response.status, 404)
  t.match(await response.json(), { type: '/problems/snapshot-gone' })
  t.equal(resolved, 2)
  t.equal(response.headers.get('etag'), null, 'a refusal is not tagged as a snapshot')
  t.equal(response.headers.get('floe-snapshot'), null)
})
