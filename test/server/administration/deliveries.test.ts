import { DeliveryDetails } from '@floe/contract'
import { createApiKey } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { reachableEngines } from '../../storage/records/database/engines.ts'
import { basic, type RunningServer, type ServerOptions } from '../start-server.ts'
import { receive, startAdministration } from './start-administration.ts'
import { waitUntil } from '../wait-until.ts'

const deliveries = 'repos/weather/deliveries'

async function addWebhook(server: RunningServer, alias: string, url = 'https://127.0.0.1/'): Promise<string> {
  const response = await server.administer('POST', 'repos/weather/receivers', {
    kind: 'webhook',
    url,
    alias,
    events: ['NewCommit'],
  })
  return (await response.json()).id
}

/** A server on which the first head of `weather` waits for three webhooks. */
async function startWithThree(t: Test, options: ServerOptions = {}) {
  const server = await startAdministration(t, options)
  const webhooks = [await addWebhook(server, 'one'), await addWebhook(server, 'two'), await addWebhook(server, 'three')]
  const { event_id } = await (await server.administer('POST', 'repos/weather/refresh')).json()
  const list = async (query = '') => (await server.administer('GET', `${deliveries}${query}`)).json()
  return { server, webhooks, event_id, list }
}

/**
 * A server that delivers the first head of `weather` to a webhook. It watches heads only when the webhook exists:
 * otherwise the watcher can record the head before, and then nothing waits for the webhook.
 */
async function startWithDelivery(t: Test, url: string, options: ServerOptions = {}) {
  const server = await startAdministration(t, options)
  await addWebhook(server, 'tiles', url)
  await server.administer('POST', 'repos/weather/refresh')
  const [{ id, event_id }] = (await (await server.administer('GET', deliveries)).json()).items
  await server.notifier.start()
  return { server, id, event_id }
}

/** Waits until the delivery has this many attempts. */
async function waitForAttempts(server: RunningServer, id: string, attempts: number): Promise<DeliveryDetails> {
  const read = async () => DeliveryDetails.parse(await (await server.administer('GET', `${deliveries}/${id}`)).json())
  await waitUntil(async () => (await read()).attempt_count === attempts)
  return read()
}

const engines = await reachableEngines(t)

for (const engine of engines) {
  t.test(`deliveries are listed in pages, newest first (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { webhooks, event_id, list } = await startWithThree(t, { db })
    const all = await list()
    t.equal(all.next, null)
    t.match(all.items[0], { event: 'NewCommit', event_id, sequence: 1, state: 'pending', attempt_count: 0 })
    t.match(all.items[0], { line: /^acme\/weather branch main/, next_attempt_at: null, last_attempt: null })
    const first = await list('?limit=2')
    const aliases = all.items.map((item: { receiver_alias: string }) => item.receiver_alias)
    t.strictSame(new Set(aliases), new Set(['one', 'two', 'three']))
    t.match(all.items[0], { receiver_repo_name: 'weather' })
    t.strictSame(first.items, all.items.slice(0, 2))
    t.equal(first.next, all.items[1].id)
    t.strictSame(await list(`?limit=2&before=${first.next}`), { items: all.items.slice(2), next: null })
    t.strictSame(await list(`?limit=3`), all)
    const ofOne = await list(`?receiver=${webhooks[0]}`)
    t.equal(ofOne.items.length, 1)
    t.equal(ofOne.items[0].receiver_id, webhooks[0])
    t.strictSame(await list('?state=delivered'), { items: [], next: null })
    t.strictSame(await list('?state=pending&limit=200'), all)
    t.strictSame(await list('?before=0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11'), { items: [], next: null })
  })

  t.test(`those about one repository are listed, also to receivers of the organisation (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { server } = await startWithThree(t, { db })
    const body = { kind: 'webhook', url: 'https://127.0.0.1/', alias: 'all', events: ['NewCommit'] }
    await server.administer('POST', 'receivers', body)
    for (const repo of ['types', 'satellite']) await server.administer('POST', `repos/${repo}/refresh`)
    const list = async (query: string) => {
      const { items, next } = await (await server.administer('GET', `deliveries${query}`)).json()
      return { next, about: items.map(({ line }: { line: string }) => line.split(' ')[0]) }
    }
    t.strictSame(await list('?repo=types'), { next: null, about: ['acme/types'] })
    t.equal((await list('?repo=weather')).about.length, 3)
    const { next } = await list('?repo=weather&limit=2')
    t.equal((await list(`?repo=weather&before=${next}`)).about.length, 1)
    t.equal((await list('?repo=satellite&state=delivered')).about.length, 0)
    t.equal((await list('?repo=satellite&state=pending')).about.length, 1)
    t.equal((await server.administer('GET', 'deliveries?repo=nowhere')).status, 404)
    const key = await createApiKey(db, { org: 'acme', role: 'admin', repos: ['types'] }, new Date())
    const limited = { authorization: basic('acme', key) }
    t.equal((await server.administer('GET', 'deliveries?repo=types', undefined, limited)).status, 403)
  })

  t.test(`a delivery is sent, shown with its attempt, and sent once more (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { origin, requests } = await receive(t, { status: 200, body: 'thanks' })
    const { server, id } = await startWithDelivery(t, origin, { db })
    const delivered = await waitForAttempts(server, id, 1)
    t.match(delivered, { state: 'delivered', attempts: [{ number: 1, status: 200, response_excerpt: 'thanks' }] })
    const rates = await (await server.administer('GET', `${deliveries}/rates`)).json()
    t.match(rates, { since: /^20/, accepted: 1, failed: 0, median_ms: Number })
    t.match(delivered, { payload: JSON.parse(requests[0]?.body ?? ''), last_attempt: { status: 200, error: null } })

    const asked = await server.administer('POST', `${deliveries}/${id}/redeliver`)
    t.equal(asked.status, 202)
    t.match(await asked.json(), { id, attempt_count: 1 })
    t.equal((await waitForAttempts(server, id, 2)).attempts.length, 2)
    const [first, second] = requests
    t.equal(second?.body, first?.body)
    t.equal(second?.headers['webhook-id'], id)
    t.equal(second?.headers['webhook-attempt'], '2')
    const { items } = await (await server.administer('GET', 'repos/weather/audit?limit=1')).json()
    t.match(items, [{ action: 'delivery.redeliver', subject_id: id }])
  })
}

t.test('a payload that an older version recorded is shown and sent as it was recorded', async (t) => {
  const { origin, requests } = await receive(t, { status: 204, body: '' })
  const { server, id, event_id } = await startWithDelivery(t, origin)
  await waitForAttempts(server, id, 1)
  const old = { event: 'NewCommit', details: { org: 'acme', repo_name: 'weather', sequence: 1, author: 'unknown' } }
  const payload = JSON.stringify(old, null, 1)
  await server.db.updateTable('events').set({ payload }).where('id', '=', event_id).execute()
  await server.administer('POST', `${deliveries}/${id}/redeliver`)
  t.strictSame((await waitForAttempts(server, id, 2)).payload, old)
  t.equal(requests[1]?.body, payload)
})

t.test('what waits for a disabled webhook is held, and not sent once more', async (t) => {
  const { server, webhooks, list } = await startWithThree(t)
  const address = `repos/weather/receivers/${webhooks[0]}`
  const disabled = await server.administer('PATCH', address, { kind: 'webhook', enabled: false })
  t.match(await disabled.json(), { held: 1 })
  const { items } = await list('?state=held')
  t.equal(items.length, 1)
  const refused = await server.administer('POST', `${deliveries}/${items[0].id}/redeliver`)
  t.equal(refused.status, 409)
  t.match(await refused.json(), { type: '/problems/receiver-disabled' })
  t.match(await (await server.administer('GET', 'repos/weather/audit?limit=1')).json(), {
    items: [{ action: 'webhook.update' }],
  })
  await server.administer('PATCH', address, { kind: 'webhook', enabled: true, resume: 'none' })
  t.match(await list(`?receiver=${webhooks[0]}`), { items: [{ state: 'discarded' }] })
})

t.test('a delivery of another repository is unknown', async (t) => {
  const { server, list } = await startWithThree(t)
  const [{ id }] = (await list()).items
  for (const [method, path] of [
    ['GET', `repos/types/deliveries/${id}`],
    ['POST', `repos/types/deliveries/${id}/redeliver`],
    ['GET', `${deliveries}/0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11`],
  ] as const) {
    const response = await server.administer(method, path)
    t.equal(response.status, 404, path)
    t.match(await response.json(), { type: '/problems/delivery-not-found' }, path)
  }
  t.strictSame((await (await server.administer('GET', 'repos/types/deliveries')).json()).items, [])
})
