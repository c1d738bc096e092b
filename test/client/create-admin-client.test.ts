// Checks what an administrator's client sends and how it reads answers. Plain servers record its requests.
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { type AdminClient, type ConnectionOptions, createAdminClient } from '@floe/client'
import { t, type Test } from 'tap'
import { startPlainServer } from './start-plain-server.ts'

const apiKey = 'floe_sécret-key'
const id = '0198c0de-0000-7000-8000-000000000001'
const weather = { repo: 'weather' }
const url = 'https://example.org/hook'

const webhook = {
  id,
  kind: 'webhook',
  url,
  alias: 'tile server',
  events: ['NewCommit'],
  branches: ['main'],
  kinds: null,
  severity: null,
  checks: null,
  states: null,
  repos: null,
  paths: ['**'],
  search: null,
  compatibility: ['breaking', 'unknown'],
  format: 'standard',
  include_changes: false,
  enabled: true,
  disabled_reason: null,
  declared: false,
  has_secret_token: false,
  header_names: [],
  created_at: '2026-01-02T03:04:05.678Z',
  updated_at: '2026-01-02T03:04:05.678Z',
  last_success_at: null,
  failing_since: null,
  last_status: null,
  last_error: null,
  held: 0,
}
const changed = { ...webhook, warnings: [] }
const created = { ...changed, signing_secret: 'whsec_c2VjcmV0' }

type Answer = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
type Sent = { readonly request: string; readonly headers: IncomingHttpHeaders; readonly body: string }
type Recording = { readonly floe: AdminClient; readonly sent: readonly Sent[] }

/**
 * Creates a client of a server that gives every request the same answer. Without an answer, the server closes the
 * connection.
 */
async function record(
  t: Test,
  answer: Answer | undefined,
  options: Partial<ConnectionOptions> = {},
): Promise<Recording> {
  const sent: Sent[] = []
  const origin = await startPlainServer(t, (request, response) => {
    void text(request).then((body) => {
      sent.push({ request: `${request.method} ${request.url}`, headers: request.headers, body })
      if (!answer) return request.socket.destroy()
      const type = answer.status < 300 ? 'application/json' : 'application/problem+json'
      response.writeHead(answer.status, {
        ...(answer.body !== undefined && { 'content-type': type }),
        ...answer.headers,
      })
      return response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body))
    })
  })
  const baseUrl = `${origin}/v1`
  return { floe: createAdminClient({ baseUrl, org: 'acme', apiKey, ...options }), sent }
}

function problem(code: string, status: number): Answer {
  const body = {
    type: `/problems/${code}`,
    code,
    title: 'A title',
    status,
    detail: 'what happened',
    instance: 'urn:uuid:1',
  }
  return { status, body }
}

t.test('a change is sent as JSON with the key and its condition, and returns the new ETag', async (t) => {
  const { floe, sent } = await record(t, { status: 200, headers: { etag: '"8"' }, body: changed })
  const change = { kind: 'webhook' as const, alias: 'tiles ü', secret_token: null }
  const answer = await floe.receivers.update({ ...weather, id }, change, { ifMatch: '"7"' })
  t.strictSame(answer, { value: changed, etag: '"8"' })
  t.match(sent, [
    {
      request: `PATCH /v1/orgs/acme/repos/weather/receivers/${id}`,
      headers: {
        authorization: `Basic ${Buffer.from(`acme:${apiKey}`).toString('base64')}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'if-match': '"7"',
      },
      body: JSON.stringify(change),
    },
  ])
})

t.test('without an ETag a change has no condition, and an answer without an ETag is accepted', async (t) => {
  const { floe, sent } = await record(t, { status: 201, body: created })
  const answer = await floe.receivers.create(weather, {
    kind: 'webhook',
    url,
    alias: 'tile server',
    events: ['NewCommit'],
  })
  t.strictSame(answer, { value: created, etag: undefined })
  const update = await record(t, { status: 200, body: changed })
  await update.floe.receivers.update({ ...weather, id }, { kind: 'webhook', enabled: true }, { ifMatch: answer.etag })
  for (const { headers } of [...sent, ...update.sent]) t.notOk('if-match' in headers)
})

t.test('a request without a body is sent without one, and its answer may have none', async (t) => {
  const { floe, sent } = await record(t, { status: 204 })
  t.equal(await floe.receivers.delete({ ...weather, id }, { ifMatch: '"7"' }), undefined)
  t.match(sent, [{ request: `DELETE /v1/orgs/acme/repos/weather/receivers/${id}`, headers: { 'if-match': '"7"' } }])
  const head = { snapshot_id: '1CECHNKREP0F1RSTCMT0', previous_snapshot_id: null, event_id: null }
  const refresh = await record(t, { status: 200, body: head })
  t.strictSame(await refresh.floe.repositories.refresh(weather), head)
  for (const { body, headers } of [...sent, ...refresh.sent]) {
    t.equal(body, '')
    t.notOk('content-type' in headers)
  }
})

t.test('a list is restricted by its query', async (t) => {
  const { floe, sent } = await record(t, { status: 200, body: { items: [], next: null } })
  await floe.deliveries.listPage(weather)
  await floe.deliveries.listPage({ ...weather, receiver: id, state: 'dead', before: id, limit: 20 })
  await floe.repositories.auditPage({ repo: 'a/b ü', before: id, limit: 200 })
  t.strictSame(
    sent.map(({ request }) => request),
    [
      'GET /v1/orgs/acme/repos/weather/deliveries',
      `GET /v1/orgs/acme/repos/weather/deliveries?receiver=${id}&state=dead&before=${id}&limit=20`,
      `GET /v1/orgs/acme/repos/a%2Fb%20%C3%BC/audit?before=${id}&limit=200`,
    ],
  )
})

t.test('only GET requests are repeated', async (t) => {
  const changes: Record<string, (floe: AdminClient) => Promise<unknown>> = {
    POST: (floe) => floe.receivers.create(weather, { kind: 'webhook', url, alias: 'a', events: ['NewCommit'] }),
    'POST without a body': (floe) => floe.deliveries.redeliver({ ...weather, id }),
    PATCH: (floe) => floe.receivers.update({ ...weather, id }, { kind: 'webhook', enabled: false }),
    DELETE: (floe) => floe.keys.revoke({ id: '0123456789abcdef' }),
  }
  const passing: readonly [Answer | undefined, string][] = [
    [{ ...problem('unavailable', 503), headers: { 'retry-after': '0' } }, 'ProblemResponseError'],
    [undefined, 'NetworkError'],
  ]
  for (const [answer, name] of passing) {
    for (const [method, change] of Object.entries(changes)) {
      const { floe, sent } = await record(t, answer)
      await t.rejects(change(floe), { name }, method)
      t.equal(sent.length, 1, method)
    }
    const { floe, sent } = await record(t, answer, { retries: 1 })
    await t.rejects(floe.receivers.list(weather), { name })
    t.equal(sent.length, 2)
  }
})

t.test("a caller's fetch can let the browser's own credentials through", async (t) => {
  const seen: Request[] = []
  const sameOrigin: typeof fetch = (request, init) => {
    const withCredentials = new Request(request, { ...init, credentials: 'same-origin' })
    seen.push(withCredentials)
    return fetch(withCredentials)
  }
  const { floe, sent } = await record(t, { status: 201, body: created }, { apiKey: undefined, fetch: sameOrigin })
  const body = { kind: 'webhook' as const, url, alias: 'a', events: ['NewCommit' as const] }
  t.strictSame((await floe.receivers.create(weather, body)).value, created)
  t.match(seen, [{ credentials: 'same-origin', redirect: 'manual', method: 'POST' }])
  t.match(sent, [{ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }])
  t.notOk('authorization' in (sent[0]?.headers ?? {}))
})
