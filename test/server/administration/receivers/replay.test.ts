import { t } from 'tap'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { waitUntil } from '../../wait-until.ts'
import { receive, startAdministration } from '../start-administration.ts'
import { readRefusal, webhook } from './start-with-webhooks.ts'

const since = '2020-01-01T00:00:00Z'

for (const engine of await reachableEngines(t)) {
  t.test(`what a webhook missed is sent again with its id, and recorded in the audit (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { origin: url, requests } = await receive(t, { status: 204 })
    const server = await startAdministration(t, { db })
    const { id } = await (await server.administer('POST', 'repos/weather/receivers', { ...webhook, url })).json()
    const address = `repos/weather/receivers/${id}`
    const replay = async (body: object) => (await server.administer('POST', `${address}/replay`, body)).json()
    await server.administer('PATCH', address, { kind: 'webhook', enabled: false })
    await server.administer('POST', 'repos/weather/refresh')
    await server.administer('PATCH', address, { kind: 'webhook', enabled: true, resume: 'none' })

    // Nothing is sent before the notifier starts.
    t.match(await replay({ since, until: '2020-01-02T00:00:00Z' }), {
      queued: 0,
      waiting: 0,
      next_event_at: null,
      hint: /^No delivery of this period .*"all": true/,
    })
    const started = await server.administer('POST', `${address}/replay`, { since: '2020-01-01T00:00:00+02:00' })
    t.equal(started.status, 202)
    t.match(await started.json(), { queued: 1, waiting: 1, next_event_at: /^20/, hint: null })
    t.match(await replay({ since, all: true }), { queued: 0, waiting: 1, hint: /does not wait already/ }, 'it waits')
    t.equal((await server.administer('DELETE', `${address}/replay`)).status, 204)
    const progress = async () => (await server.administer('GET', `${address}/replay`)).json()
    t.strictSame(await progress(), { waiting: 0, next_event_at: null })

    await server.notifier.start()
    t.match(await replay({ since }), { queued: 1 })
    await waitUntil(() => requests.length === 1)
    const { items } = await (await server.administer('GET', 'repos/weather/deliveries')).json()
    await waitUntil(async () => (await progress()).waiting === 0)
    t.match(await replay({ since, as_new: true }), { queued: 0, hint: /"all": true/ }, 'it has arrived')
    t.match(await replay({ since, all: true }), { queued: 1 })
    await waitUntil(() => requests.length === 2)
    for (const { headers, body } of requests) {
      t.equal(headers['webhook-id'], items[0].id)
      t.equal(body, requests[0]?.body)
    }
    const audit = await (await server.administer('GET', 'repos/weather/audit')).json()
    const entries = audit.items.filter(({ action }: { action: string }) => action.endsWith('replay'))
    const first = { since: '2019-12-31T22:00:00.000Z', all: false, queued: 1 }
    t.match(entries.slice(-4), [
      { action: 'webhook.cancel-replay', subject_id: id, after: { cancelled: 1 } },
      { action: 'webhook.replay', after: { all: true, queued: 0 } },
      { action: 'webhook.replay', subject_id: id, after: first },
      { action: 'webhook.replay', after: { until: '2020-01-02T00:00:00.000Z', queued: 0 } },
    ])
  })
}

t.test('a webhook of an organisation gets the events of all its repositories again', async (t) => {
  const { origin: url, requests } = await receive(t, { status: 204 })
  const server = await startAdministration(t)
  const body = { ...webhook, url, repos: ['weather', 'types'], enabled: false }
  const { id } = await (await server.administer('POST', 'receivers', body)).json()
  for (const repo of ['weather', 'types']) await server.administer('POST', `repos/${repo}/refresh`)
  const refused = await readRefusal(server.administer('POST', `receivers/${id}/replay`, { since }))
  t.match(refused, { status: 409, type: '/problems/receiver-disabled' })
  await server.administer('PATCH', `receivers/${id}`, { kind: 'webhook', enabled: true, resume: 'none' })
  t.match(await (await server.administer('POST', `receivers/${id}/replay`, { since })).json(), {
    queued: 2,
    waiting: 2,
  })
  t.match(await (await server.administer('GET', `receivers/${id}/replay`)).json(), { waiting: 2 })
  await server.notifier.start()
  await waitUntil(() => requests.length === 2)
  const repos = new Set(requests.map((request) => JSON.parse(request.body).details.repo_name))
  t.strictSame(repos, new Set(['types', 'weather']))
  t.match(await readRefusal(server.administer('GET', `repos/weather/receivers/${id}/replay`)), { status: 404 })
})

t.test('a chat has no replay', async (t) => {
  const server = await startAdministration(t)
  const chat = { kind: 'chat', url: 'https://127.0.0.1/', alias: 'team', events: ['NewCommit'], service: 'slack' }
  const { id } = await (await server.administer('POST', 'repos/weather/receivers', chat)).json()
  for (const kind of ['chats', 'webhooks']) {
    const refused = await readRefusal(server.administer('POST', `repos/weather/${kind}/${id}/replay`, { since }))
    t.equal(refused.status, 404, kind)
  }
})
