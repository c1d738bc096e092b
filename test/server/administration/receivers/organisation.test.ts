// Webhooks and chats of an organisation, which hear of all its repositories.
import { CreatedReceiver } from '@floe/contract'
import { createApiKey } from '@floe/storage/database'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { basic, fixtures } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'
import { receive, startAdministration } from '../start-administration.ts'
import { readRefusal, webhook } from './start-with-webhooks.ts'

for (const engine of await reachableEngines(t)) {
  t.test(`a webhook of an organisation is made, changed, listed and deleted (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const server = await startAdministration(t, { db })
    const response = await server.administer('POST', 'receivers', { ...webhook, repos: ['wea*'] })
    t.equal(response.status, 201)
    const created = CreatedReceiver.parse(await response.json())
    t.match(created, { repos: ['wea*'], branches: ['main'], paths: ['**'] })
    t.equal(response.headers.get('location'), `/v1/orgs/acme/receivers/${created.id}`)
    const changed = await server.administer('PATCH', `receivers/${created.id}`, { kind: 'webhook', repos: ['**'] })
    t.match(await changed.json(), { repos: ['**'] })
    t.match(await (await server.administer('GET', 'receivers')).json(), { items: [{ id: created.id, repos: ['**'] }] })
    t.strictSame(await (await server.administer('GET', 'repos/weather/receivers')).json(), { items: [] })
    t.match(await readRefusal(server.administer('POST', 'receivers', { ...webhook, kind: 'chat', repos: ['**'] })), {
      status: 409,
      type: '/problems/alias-in-use',
    })
    t.equal((await server.administer('DELETE', `receivers/${created.id}`)).status, 204)
    t.strictSame(await (await server.administer('GET', 'receivers')).json(), { items: [] })
  })

  t.test(
    `it gets the events of the repositories that it names, each in a queue of its own (${engine.name})`,
    async (t) => {
      const { db } = await engine.fresh(t)
      const { origin: url, requests: received } = await receive(t, { status: 204 })
      const server = await startAdministration(t, { db })
      // No other repository of the samples has such a name. The first heads of those that a receiver selects are events
      // too.
      await server.administer('POST', 'receivers', { ...webhook, alias: 'one', url, repos: ['weath*r'] })
      await server.administer('POST', 'receivers', { ...webhook, alias: 'none', url, repos: ['other-*'] })
      await server.administer('POST', 'repos/weather/refresh')
      await server.notifier.start()
      await waitUntil(() => received.length === 1)
      t.match(JSON.parse(received[0]?.body ?? ''), { event: 'NewCommit', details: { repo_name: 'weather' } })
      const list = async () => (await (await server.administer('GET', 'deliveries')).json()).items
      // A delivery that is under way is not sent again.
      await waitUntil(async () => (await list())[0]?.state === 'delivered')
      const items = await list()
      t.equal(items.length, 1)
      t.match(items, [{ receiver_alias: 'one', receiver_repo_name: null }])
      t.match(await (await server.administer('GET', 'deliveries/rates')).json(), { accepted: 1, failed: 0 })
      t.match(await (await server.administer('GET', `deliveries/${items[0].id}`)).json(), { event: 'NewCommit' })
      t.equal((await server.administer('POST', `deliveries/${items[0].id}/redeliver`)).status, 202)
      await waitUntil(() => received.length === 2)
      t.strictSame(await db.selectFrom('queues').select('repo_id').distinct().execute(), [
        {
          repo_id: (
            await db.selectFrom('repositories').select('id').where('name', '=', 'weather').executeTakeFirstOrThrow()
          ).id,
        },
      ])
    },
  )
}

for (const engine of await reachableEngines(t)) {
  // Proves: a key of single repositories neither reads nor redelivers what webhooks of the organisation get
  t.test(`deliveries to it are not those of the repository (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { origin: url, requests: received } = await receive(t, { status: 204 })
    const server = await startAdministration(t, { db })
    const ofOrg = await (await server.administer('POST', 'receivers', { ...webhook, url, repos: ['weather'] })).json()
    const own = await (await server.administer('POST', 'repos/weather/receivers', { ...webhook, url })).json()
    await server.administer('POST', 'repos/weather/refresh')
    await server.notifier.start()
    await waitUntil(() => received.length === 2)
    const key = await createApiKey(db, { org: 'acme', role: 'admin', repos: ['weather'] }, new Date())
    const ask = async (path: string, method = 'GET') => {
      const headers = { authorization: basic('acme', key) }
      const response = await fetch(`${server.org}/repos/weather/${path}`, { method, headers })
      return { status: response.status, body: await response.json() }
    }
    const list = async () => (await (await server.administer('GET', 'deliveries')).json()).items
    // A delivery that is asked for again while its attempt is under way is sent once.
    await waitUntil(async () => (await list()).every(({ state }: Record<'state', string>) => state === 'delivered'))
    const ids = new Map<string, string>(
      (await list()).map(({ receiver_id, id }: Record<'receiver_id' | 'id', string>) => [receiver_id, id]),
    )
    t.equal(ids.size, 2, 'the organisation has both')
    const hidden = ids.get(ofOrg.id)
    const unknown = { status: 404, body: { type: '/problems/delivery-not-found' } }
    t.match(await ask(`deliveries/${hidden}`), unknown)
    t.match(await ask(`deliveries/${hidden}/redeliver`, 'POST'), unknown)
    const queries = ['', `?receiver=${ofOrg.id}`, `?before=${hidden}`, '?state=pending', '?state=delivered']
    const shown = []
    for (const query of queries) shown.push(...(await ask(`deliveries${query}`)).body.items)
    t.ok(shown.length > 0)
    t.strictSame(new Set(shown.map(({ receiver_id }) => receiver_id)), new Set([own.id]))
    t.match(await ask(`deliveries/${ids.get(own.id)}/redeliver`, 'POST'), { status: 202 })
    t.equal((await server.administer('POST', `deliveries/${hidden}/redeliver`)).status, 202)
    await waitUntil(() => received.length === 4)
    const { items: entries } = (await ask('audit')).body
    t.notMatch(JSON.stringify(entries), hidden)
  })
}

t.test('a key of single repositories administers no receivers of the organisation', async (t) => {
  const server = await startAdministration(t)
  const key = await createApiKey(server.db, { org: 'acme', role: 'admin', repos: ['weather'] }, new Date())
  for (const path of ['receivers', 'deliveries']) {
    const headers = { authorization: basic('acme', key) }
    t.match(await readRefusal(fetch(`${server.origin}/v1/orgs/acme/${path}`, { headers })), { status: 403 })
  }
})

t.test('a test sends the last commit of the repository that moved last', async (t) => {
  const { origin: url, requests: received } = await receive(t, { status: 204 })
  const server = await startAdministration(t)
  const body = { ...webhook, url }
  t.match(await readRefusal(server.administer('POST', 'receivers/test', body)), { status: 404 })
  await server.administer('POST', 'repos/weather/refresh')
  t.match(await (await server.administer('POST', 'receivers/test', body)).json(), { ok: true })
  t.match(JSON.parse(received[0]?.body ?? ''), { details: { repo_name: 'weather' } })
})

t.test('a test sends no commit of a repository that is gone, but that of the one that moved before', async (t) => {
  const { origin: url, requests: received } = await receive(t, { status: 204 })
  let now = Date.now()
  const before = await startAdministration(t, { now: () => now })
  for (const repo of ['weather', 'types']) {
    await before.administer('POST', `repos/${repo}/refresh`)
    now += 1_000
  }
  const body = { ...webhook, url }
  const sources = (name: string) => [{ kind: 'repository' as const, name, store: openLocalStore(`${fixtures}${name}`) }]
  const after = await startAdministration(t, { db: before.db, sources: sources('weather') })
  t.match(await (await after.administer('POST', 'receivers/test', body)).json(), { ok: true })
  t.match(JSON.parse(received[0]?.body ?? ''), { details: { repo_name: 'weather' } })
  const neither = await startAdministration(t, { db: before.db, sources: sources('empty') })
  t.match(await readRefusal(neither.administer('POST', 'receivers/test', body)), {
    status: 404,
    detail: 'The organisation acme has no commit yet',
  })
})
