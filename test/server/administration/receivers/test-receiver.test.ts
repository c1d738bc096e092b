import { parseNotification } from '@floe/client'
import { t } from 'tap'
import { readHistory } from '../../notifications/fixture-histories.ts'
import { receive, startAdministration, startWithCheck } from '../start-administration.ts'

const events = ['NewCommit']

// Proves: a receiver can be tested before it is saved
t.test('an unsaved webhook gets the last commit of main, and nobody sees its secrets', async (t) => {
  const { check } = await startWithCheck(t)
  const { origin, requests } = await receive(t, { status: 200, body: 'got open-sesame' })
  const result = await check({ url: `${origin}/hook`, secret_token: 'open-sesame' })
  t.match(result, { ok: true, status: 200, error: null, response_excerpt: 'got [redacted]' })
  const [request] = requests
  t.match(request?.headers, {
    'x-secret-token': 'open-sesame',
    'webhook-signature': /^v1,/,
    'webhook-attempt': '1',
    'webhook-sequence': '1',
    'webhook-id': /^[0-9a-f-]{36}$/,
  })
  t.equal(request?.body, result.request.body)
  t.match(result.request.headers, { 'x-secret-token': '[redacted]', 'webhook-signature': '[redacted]' })
  t.notMatch(JSON.stringify(result), 'open-sesame')
  const { head, ids } = await readHistory('weather')
  t.match(parseNotification(result.request.body).details, {
    snapshot_id: head,
    previous_snapshot_id: ids[1],
    commits: [{ snapshot_id: head }],
  })
})

t.test('a saved webhook is tried with its own secrets, disabled or not, and nothing is recorded', async (t) => {
  const { server, check } = await startWithCheck(t)
  const { origin, requests } = await receive(t, { status: 500, body: 'sorry' })
  const webhook = {
    kind: 'webhook',
    url: `${origin}/hook`,
    alias: 'tiles',
    events,
    secret_token: 'open-sesame',
    enabled: false,
  }
  const { id } = await (await server.administer('POST', 'repos/weather/receivers', webhook)).json()
  const result = await check({ id })
  t.match(result, { ok: false, status: 500, error: /^answered 500: /, response_excerpt: 'sorry' })
  t.equal(requests[0]?.headers['x-secret-token'], 'open-sesame')
  const saved = await (await server.administer('GET', `repos/weather/receivers/${id}`)).json()
  t.match(saved, { failing_since: null, last_success_at: null, enabled: false })
  const { items } = await (await server.administer('GET', 'repos/weather/deliveries')).json()
  t.strictSame(items, [])
})

t.test('a saved webhook is tried with changes as if they were saved', async (t) => {
  const { server, check } = await startWithCheck(t)
  const { origin, requests } = await receive(t, { status: 204 })
  const elsewhere = await receive(t, { status: 204 })
  const webhook = { kind: 'webhook', url: `${origin}/hook`, alias: 'tiles', events, secret_token: 'open-sesame' }
  const { id } = await (await server.administer('POST', 'repos/weather/receivers', webhook)).json()
  await check({ id, url: `${origin}/hook?of=weather` })
  t.match(requests.at(-1), { headers: { 'x-secret-token': 'open-sesame' } })
  await check({ id, url: `${origin}/other` })
  t.match(requests.at(-1), { headers: { 'x-secret-token': undefined } }, 'a path may belong to somebody else')
  await check({ id, url: `${origin}/other`, secret_token: 'open-sesame' })
  t.match(requests.at(-1), { headers: { 'x-secret-token': 'open-sesame' } })
  await check({ id, secret_token: null })
  t.match(requests.at(-1), { headers: { 'x-secret-token': undefined } })
  await check({ id, secret_token: 'simsim' })
  t.match(requests.at(-1), { headers: { 'x-secret-token': 'simsim' } })
  await check({ id, url: elsewhere.origin })
  t.match(elsewhere.requests, [{ headers: { 'x-secret-token': undefined } }], 'the token does not go to another host')
  t.match(await (await server.administer('GET', `repos/weather/receivers/${id}`)).json(), { url: webhook.url })
})

// Proves: the values of headers are never shown
t.test('a webhook carries its own headers to the host that they are for, and answers do not show them', async (t) => {
  const { server, check } = await startWithCheck(t)
  const key = 'hush-hush-of-the-gateway'
  const headers = { Authorization: `Bearer ${key}`, 'X-Functions-Key': 'hush-of-functions' }
  const { origin, requests } = await receive(t, { status: 401, body: `${key} is not known` })
  const elsewhere = await receive(t, { status: 204 })
  const unsaved = await check({ url: `${origin}/hook`, headers })
  t.match(unsaved, {
    error: /; check Authorization, X-Functions-Key, and the signing secret/,
    response_excerpt: '[redacted] is not known',
    request: { headers: { Authorization: '[redacted]', 'X-Functions-Key': '[redacted]' } },
  })
  const sent = { headers: { authorization: headers.Authorization, 'x-functions-key': 'hush-of-functions' } }
  t.match(requests.at(-1), sent)
  const created = await server.administer('POST', 'repos/weather/receivers', {
    kind: 'webhook',
    url: `${origin}/hook`,
    alias: 'gateway',
    events,
    headers,
  })
  const { id } = await created.json()
  const saved = await check({ id })
  t.match(requests.at(-1), sent)
  t.notMatch(JSON.stringify([unsaved, saved]), /hush/)
  await check({ id, headers: { Authorization: 'Basic dXNlcjpwYXNz' } })
  t.match(requests.at(-1)?.headers, { authorization: 'Basic dXNlcjpwYXNz', 'x-functions-key': undefined })
  await check({ id, url: elsewhere.origin })
  t.match(elsewhere.requests.at(-1)?.headers, { authorization: undefined, 'x-functions-key': undefined })
  await server.administer('PATCH', `repos/weather/receivers/${id}`, { kind: 'webhook', url: elsewhere.origin })
  await check({ id })
  t.match(elsewhere.requests.at(-1)?.headers, { authorization: undefined, 'x-functions-key': undefined })
})

t.test('a test of what the file declares goes where it is declared, with its secrets, and nowhere else', async (t) => {
  const declared = await receive(t, { status: 204 })
  const elsewhere = await receive(t, { status: 204 })
  const of = { org: 'acme', repo: 'weather' }
  const webhooks = [{ ...of, url: `${declared.origin}/hook`, alias: 'tiles', secretToken: 'open-sesame' }]
  const chats = [{ ...of, url: `${declared.origin}/chat`, alias: 'team', service: 'slack' as const }]
  const server = await startAdministration(t, { notifications: { webhooks, chats } })
  await server.notifier.start()
  const changes = {
    webhook: [{ url: `${elsewhere.origin}/hook` }, { url: `${declared.origin}/hook?x` }, { secret_token: 'simsim' }],
    chat: [{ url: `${elsewhere.origin}/chat` }, { service: 'teams' }],
  }
  const { items } = await (await server.administer('GET', 'repos/weather/receivers')).json()
  for (const [kind, refused] of Object.entries(changes)) {
    const { id } = items.find((receiver: { kind: string }) => receiver.kind === kind)
    for (const change of refused) {
      const response = await server.administer('POST', 'repos/weather/receivers/test', { kind, id, ...change })
      t.equal(response.status, 409)
      t.match(await response.json(), { type: '/problems/declared-in-file', detail: 'declares this' })
    }
    const response = await server.administer('POST', 'repos/weather/receivers/test', { kind, id })
    t.match(await response.json(), { ok: true })
  }
  t.strictSame(elsewhere.requests, [])
  const tests = declared.requests.filter(({ headers }) => headers['webhook-test'] !== undefined)
  t.match(tests, [{ headers: { 'x-secret-token': 'open-sesame' } }], 'a chat gets no such header')
})

t.test('each test is in the audit, without what may be secret', async (t) => {
  const { server, check } = await startWithCheck(t)
  const { origin } = await receive(t, { status: 500, body: 'hush' })
  const saved = {
    kind: 'webhook',
    url: `${origin}/hook?key=hush-hush`,
    alias: 'tiles',
    events,
    secret_token: 'open-sesame',
  }
  const { id } = await (await server.administer('POST', 'repos/weather/receivers', saved)).json()
  await check({ id })
  const signing_secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  await check({ url: `${origin}/hook?key=hush-hush`, secret_token: 'open-sesame', signing_secret })
  await check({ url: `${origin}/hooks/hush-hush`, kind: 'chat', service: 'slack' })
  const text = await (await server.administer('GET', 'repos/weather/audit')).text()
  t.notMatch(text, /hush|sesame|whsec/)
  const outcome = { ok: false, status: 500, error: /^answered 500/ }
  const [chat, unsaved, test] = JSON.parse(text).items
  t.match(chat, { action: 'chat.test', subject_id: null, before: null, after: { url: `${origin}/...`, ...outcome } })
  const webhook = { action: 'webhook.test', before: null, after: { url: `${origin}/...`, ...outcome } }
  t.match(unsaved, { ...webhook, subject_id: null })
  t.match(test, { ...webhook, subject_id: id, key_id: server.adminKey.split('_')[1] })
})

t.test('a chat gets its line, and its URL stays a secret', async (t) => {
  const { server, check } = await startWithCheck(t)
  const { origin, requests } = await receive(t, { status: 404, body: 'no /hooks/hush here' })
  const chat = { kind: 'chat', url: `${origin}/hooks/hush`, service: 'slack' }
  const unsaved = await check(chat)
  t.match(unsaved, { ok: false, status: 404, response_excerpt: 'no [redacted] here' })
  const line = /^Test: acme\/weather branch main is now at [0-9A-Z]{20}: /
  t.match(JSON.parse(requests[0]?.body ?? ''), { text: line }, 'it says that it is a test')
  const created = await server.administer('POST', 'repos/weather/receivers', { ...chat, alias: 'team', events })
  const { id } = await created.json()
  const saved = await check({ kind: 'chat', id })
  t.notMatch(JSON.stringify(saved), 'hush')
  const changed = await check({ kind: 'chat', id, service: 'discord' })
  t.match(JSON.parse(changed.request.body), { content: line })
  t.equal(requests.length, 3)
})

t.test('an unknown id is told, and so is one of another repository', async (t) => {
  const { server } = await startWithCheck(t)
  const webhook = { kind: 'webhook', url: 'https://127.0.0.1/', alias: 'tiles', events }
  const { id } = await (await server.administer('POST', 'repos/types/receivers', webhook)).json()
  for (const unknown of [id, '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11']) {
    const response = await server.administer('POST', 'repos/weather/receivers/test', { kind: 'webhook', id: unknown })
    t.equal(response.status, 404)
    t.match(await response.json(), { type: '/problems/receiver-not-found' })
  }
})

t.test('ten tests a minute are made for a repository', async (t) => {
  const { server } = await startWithCheck(t)
  const { origin, requests } = await receive(t, { status: 204 })
  const statuses: number[] = []
  for (let count = 0; count < 11; count++) {
    const response = await server.administer('POST', 'repos/weather/receivers/test', { kind: 'webhook', url: origin })
    statuses.push(response.status)
    if (response.status === 429) t.match(response.headers.get('retry-after'), /^\d+$/)
  }
  t.strictSame(statuses, [...Array<number>(10).fill(200), 429])
  t.equal(requests.length, 10)
})
