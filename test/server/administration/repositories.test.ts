import { cp, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { createApiKey, recordStream } from '@floe/storage/database'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { readExpectedAnswers } from '../expected-answers.ts'
import { basic, fixtures } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'
import { startAdministration } from './start-administration.ts'

t.test('repositories are told before they were looked at, and after', async (t) => {
  const directory = t.testdir()
  for (const name of ['weather', 'weather-v1']) {
    await cp(join(fixtures, name), join(directory, name), { recursive: true })
  }
  const server = await startAdministration(t, { sources: [{ kind: 'scan', store: openLocalStore(directory) }] })
  const unseen = { format_version: null, head: null, last_checked_at: null, error: null }
  t.match(await (await server.administer('GET', 'repos')).json(), {
    items: [
      { name: 'weather', location: join(directory, 'weather'), ...unseen },
      { name: 'weather-v1', ...unseen },
    ],
  })
  const { branches } = await readExpectedAnswers('weather')
  const head = branches['main']
  const refreshed = await server.administer('POST', 'repos/weather/refresh')
  t.equal(refreshed.status, 200)
  const first = await refreshed.json()
  t.strictSame(first, { snapshot_id: head, previous_snapshot_id: null, event_id: null }, 'nobody was to be told')
  const again = await (await server.administer('POST', 'repos/weather/refresh')).json()
  t.strictSame(again, { snapshot_id: head, previous_snapshot_id: head, event_id: null })
  const seen = await (await server.administer('GET', 'repos/weather')).json()
  t.match(seen, { name: 'weather', format_version: 2, head, last_checked_at: /T.*Z$/, error: null })
  const { items } = await (await server.administer('GET', 'repos')).json()
  t.strictSame(items[0], seen)
  await recordStream(server.db, 'acme')
  const other = await (await server.administer('POST', 'repos/weather-v1/refresh')).json()
  t.match(other, { previous_snapshot_id: null, event_id: /^[0-9a-f-]{36}$/ })
})

t.test('a failed look is told by the refresh and afterwards', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'weather'), { recursive: true })
  const source = { kind: 'repository', name: 'weather', store: openLocalStore(join(directory, 'weather')) } as const
  const server = await startAdministration(t, { sources: [source] })
  const { snapshot_id: head } = await (await server.administer('POST', 'repos/weather/refresh')).json()
  await truncate(join(directory, 'weather/repo'), 20)
  const damaged = await server.administer('POST', 'repos/weather/refresh')
  t.equal(damaged.status, 422)
  t.match(await damaged.json(), { type: '/problems/damaged-repository' })
  t.match(await (await server.administer('GET', 'repos/weather')).json(), { head, error: /repo/ })
  await rm(join(directory, 'weather'), { recursive: true })
  const missing = await server.administer('POST', 'repos/weather/refresh')
  t.equal(missing.status, 422)
  t.match(await missing.json(), { type: '/problems/not-a-repository' })
})

t.test('a head that search does not know is pending, with the reason', async (t) => {
  const directory = t.testdir()
  await cp(join(fixtures, 'weather'), join(directory, 'weather'), { recursive: true })
  const source = { kind: 'repository', name: 'weather', store: openLocalStore(join(directory, 'weather')) } as const
  const server = await startAdministration(t, { sources: [source], hasSearch: true })
  const look = async () => (await (await server.administer('GET', 'repos/weather')).json()).search_index
  t.equal(await look(), null, 'before the first head')
  await rm(join(directory, 'weather/snapshots'), { recursive: true })
  await server.notifier.start()
  await server.administer('POST', 'repos/weather/refresh')
  await waitUntil(async () => (await look()).error !== null)
  t.match(await look(), { is_pending: true, error: /snapshot/ })
  await cp(join(fixtures, 'weather/snapshots'), join(directory, 'weather/snapshots'), { recursive: true })
  await server.db.updateTable('heads').set({ index_due_at: 0 }).execute()
  await waitUntil(async () => (await look()).is_pending === false)
  t.strictSame(await look(), { is_pending: false, error: null })
})

t.test('the head that another process has seen is known', async (t) => {
  const one = await startAdministration(t)
  const { snapshot_id: head } = await (await one.administer('POST', 'repos/weather/refresh')).json()
  const other = await startAdministration(t, { db: one.db })
  t.match(await (await other.administer('GET', 'repos/weather')).json(), { head, last_checked_at: null })
})

t.test('a key sees the repositories that it covers', async (t) => {
  const server = await startAdministration(t)
  const key = await createApiKey(server.db, { org: 'acme', role: 'admin', repos: ['types', 'nowhere'] }, new Date())
  const response = await server.administer('GET', 'repos', undefined, { authorization: basic('acme', key) })
  const { items } = await response.json()
  t.strictSame(
    items.map(({ name }: { name: string }) => name),
    ['types'],
  )
})

t.test('an unknown repository is told', async (t) => {
  const server = await startAdministration(t)
  for (const [method, path] of [
    ['GET', 'repos/nowhere'],
    ['POST', 'repos/nowhere/refresh'],
    ['GET', 'repos/nowhere/audit'],
    ['GET', 'repos/nowhere/receivers'],
    ['GET', 'repos/nowhere/receivers'],
    ['GET', 'repos/nowhere/deliveries'],
  ] as const) {
    const response = await server.administer(method, path)
    t.equal(response.status, 404, path)
    t.match(await response.json(), { type: '/problems/repository-not-found', detail: /nowhere/ }, path)
  }
})
