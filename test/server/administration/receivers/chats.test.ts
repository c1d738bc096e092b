import { CreatedReceiver } from '@floe/contract'
import { t } from 'tap'
import { receive, startAdministration } from '../start-administration.ts'

const path = 'repos/weather/receivers'
const events = ['NewCommit']
const resolveHost = async () => ['203.0.114.1']

// Proves: a chat has Webhook URL, Alias and Events
t.test('the URL of a chat is shown without its path, which is a secret', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  const url = 'https://hooks.slack.com/services/T0/B0/hush'
  const response = await server.administer('POST', path, { kind: 'chat', url, alias: 'team', events })
  t.equal(response.status, 201)
  const { warnings, ...chat } = CreatedReceiver.parse(await response.json())
  t.strictSame(warnings, [])
  t.match(chat, { url: 'https://hooks.slack.com/...', service: 'slack', alias: 'team', enabled: true })
  t.equal(response.headers.get('location'), `/v1/orgs/acme/${path}/${chat.id}`)
  t.strictSame(await (await server.administer('GET', path)).json(), { items: [chat] })
  const found = await server.administer('GET', `${path}/${chat.id}`)
  t.equal(found.headers.get('etag'), '"1"')
  t.strictSame(await found.json(), chat)
})

t.test('a chat keeps its URL when it is left out, and is not given the masked one', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  const url = 'https://chat.example.org:8443/hooks/hush'
  const { id } = await (
    await server.administer('POST', path, { kind: 'chat', url, alias: 'team', events, service: 'mattermost' })
  ).json()
  const patch = async (body: object) => {
    const response = await server.administer('PATCH', `${path}/${id}`, { kind: 'chat', ...body })
    return { status: response.status, body: await response.json() }
  }
  const shown = 'https://chat.example.org:8443/...'
  t.match(await patch({ alias: 'crew' }), { status: 200, body: { alias: 'crew', url: shown } })
  const refused = await patch({ url: shown })
  t.match(refused, { status: 400, body: { errors: [{ pointer: '/body/url', message: /leave it out/ }] } })
  t.match(await patch({ enabled: false }), { status: 200, body: { enabled: false, url: shown } })
  const stays = await patch({ url: 'https://other.example.org/hooks/hush' })
  t.match(stays, { status: 200, body: { service: 'mattermost', url: 'https://other.example.org/...' } })
  const told = await patch({ url: 'https://discord.com/api/webhooks/1/hush' })
  t.match(told, { status: 200, body: { service: 'discord' } })
  t.equal((await server.administer('DELETE', `${path}/${id}`)).status, 204)
})

t.test('a guessed service is a warning, when a chat is saved, changed and tested', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  const { origin } = await receive(t, { status: 200 })
  const call = async (method: 'POST' | 'PATCH', target: string, body: object) =>
    (await server.administer(method, target, body)).json()
  const guess = { code: 'chat-service-guessed', detail: /^Floe does not know the chat service at 127\.0\.0\.1, / }
  const chat = { kind: 'chat', url: `${origin}/hooks/hush`, alias: 'team', events }
  t.match((await call('POST', `${path}/test`, chat)).warnings, [guess])
  const created = await call('POST', path, chat)
  t.match(created.warnings, [{ ...guess, detail: /so it gets what Slack gets; choose the service that is there$/ }])
  const target = `${path}/${created.id}`
  const moved = { kind: 'chat', url: `${origin}/hooks/other` }
  t.match((await call('POST', `${path}/test`, { id: created.id, ...moved })).warnings, [guess])
  t.match((await call('PATCH', target, moved)).warnings, [{ ...guess, detail: /so the service stays as it was;/ }])
  t.strictSame((await call('PATCH', target, { ...moved, service: 'mattermost' })).warnings, [])
  t.strictSame((await call('PATCH', target, { kind: 'chat', alias: 'crew' })).warnings, [])
  t.strictSame((await call('POST', `${path}/test`, { kind: 'chat', id: created.id })).warnings, [])
  t.strictSame((await call('POST', path, { ...chat, alias: 'named', service: 'slack' })).warnings, [])
})

// The line itself is that of the specification.
t.test('a message ends with the link to the page that shows the commit', async (t) => {
  const server = await startAdministration(t, { resolveHost, baseUrl: 'https://floe.example.org/v1' })
  const { origin, requests } = await receive(t, { status: 200 })
  const chat = { kind: 'chat', url: `${origin}/hooks/hush`, alias: 'team', events, service: 'slack' }
  t.match(await (await server.administer('POST', `${path}/test`, chat)).json(), { ok: true })
  const { text } = JSON.parse(requests[0]?.body ?? '')
  const [, link = ''] =
    /^Test: acme\/weather branch main is now at [0-9A-Z]{20}: .* https:\/\/floe\.example\.org(\S+)$/.exec(text) ?? []
  t.match(link, /^\/v1\/services\/tiles\/acme\/_meta\/diff\/weather\/[0-9A-Z]{20}\/[0-9A-Z]{20}$/)
  const page = await server.get(`${server.origin}${link}`, { accept: 'text/html' })
  t.equal(page.status, 200, 'there is such a page')
})

t.test('a chat that answers 200 and says that it failed has failed, and its test shows why', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  const body = '{"errcode":310000,"errmsg":"keywords not in content"}'
  const { origin, requests } = await receive(t, { status: 200, body })
  const chat = { kind: 'chat', url: `${origin}/robot/send`, alias: 'team', events, service: 'dingtalk' }
  const error = `answered 200, but says that the message is not shown: ${body}`
  const tested = await (await server.administer('POST', `${path}/test`, chat)).json()
  t.match(tested, { ok: false, status: 200, error, response_excerpt: body })
  const line = /^Test: acme\/weather branch main is now at [0-9A-Z]{20}: /
  t.match(JSON.parse(requests.at(-1)?.body ?? ''), { msgtype: 'text', text: { content: line } })
  const webhook = { kind: 'webhook', url: `${origin}/robot/send`, alias: 'hook', events }
  const { ok } = await (await server.administer('POST', 'repos/weather/receivers/test', webhook)).json()
  t.equal(ok, true, 'a webhook is judged by the status alone')
})

t.test('URL, alias and events are enough for a chat at any host, which gets what Slack gets', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  const { origin, requests } = await receive(t, { status: 200 })
  const chat = { kind: 'chat', url: `${origin}/hooks/hush`, alias: 'team', events }
  const saved = await server.administer('POST', path, chat)
  t.equal(saved.status, 201)
  t.match(await saved.json(), { alias: 'team', service: 'slack', url: `${origin}/...` })
  const tested = await server.administer('POST', `${path}/test`, chat)
  t.match(await tested.json(), { ok: true, status: 200 })
  t.match(JSON.parse(requests.at(-1)?.body ?? ''), { text: /acme\/weather branch main is now at [0-9A-Z]{20}: / })
})

t.test('Google Chat, Rocket.Chat and Feishu are known by name, and by host where they have one', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  const add = async (alias: string, url: string, service?: string) => {
    const response = await server.administer('POST', path, {
      kind: 'chat',
      url,
      alias,
      events,
      ...(service && { service }),
    })
    const body = await response.json()
    return [response.status, body.service]
  }
  t.strictSame(await add('space', 'https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=t'), [
    201,
    'googlechat',
  ])
  t.strictSame(await add('cloud', 'https://acme.rocket.chat/hooks/1/hush'), [201, 'rocketchat'])
  t.strictSame(await add('own', 'https://chat.example.org/hooks/1/hush', 'rocketchat'), [201, 'rocketchat'])
  t.strictSame(await add('relay', 'https://relay.example.org/chat', 'googlechat'), [201, 'googlechat'])
  t.strictSame(await add('group', 'https://open.feishu.cn/open-apis/bot/v2/hook/hush'), [201, 'feishu'])
})

t.test('a chat has quiet hours and a digest, which are checked, and webhooks have neither', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  const url = 'https://hooks.slack.com/services/T0/B0/hush'
  const quiet = { from: '20:00', to: '07:00' }
  const add = async (body: object) => {
    const response = await server.administer('POST', path, { kind: 'chat', url, events, ...body })
    return { status: response.status, body: await response.json() }
  }
  t.match(await add({ alias: 'loud' }), { status: 201, body: { quiet: null, digest: null } })
  const { body: chat } = await add({ alias: 'team', quiet })
  t.match(chat, { quiet, digest: null })
  const digest = { at: '07:30', every: 'week' }
  const changed = await server.administer('PATCH', `${path}/${chat.id}`, { kind: 'chat', quiet: null, digest })
  t.match(await changed.json(), { quiet: null, digest })
  const { items } = await (await server.administer('GET', 'audit')).json()
  t.match(items[0], { before: { quiet, digest: null }, after: { quiet: null, digest } })
  const refuse = async (body: object) => (await add({ alias: 'other', ...body })).body.errors[0]
  t.match(await refuse({ quiet: { from: '24:00', to: '07:00' } }), {
    pointer: '/body/quiet/from',
    message: 'must be a time such as "07:30"',
  })
  t.match(await refuse({ quiet: { from: '07:00', to: '07:00' } }), { pointer: '/body/quiet/to' })
  t.match(await refuse({ digest: { at: '07:30', every: 'hour' } }), { pointer: '/body/digest/every' })
  t.match(await refuse({ kind: 'webhook', url: 'https://tiles.example.org/hook', quiet }), { pointer: '/body/quiet' })
})

t.test('webhooks and chats have a least severity, which is checked, shown and audited', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  for (const kind of ['webhook', 'chat']) {
    const add = async (body: object) =>
      (
        await server.administer('POST', path, { kind, url: 'https://hooks.slack.com/services/hush', events, ...body })
      ).json()
    t.match(await add({ alias: `${kind} for all` }), { severity: null })
    const { id, severity } = await add({ alias: kind, severity: 'critical' })
    t.equal(severity, 'critical')
    const changed = await server.administer('PATCH', `${path}/${id}`, { kind, severity: 'warning' })
    t.match(await changed.json(), { severity: 'warning' })
    const { items } = await (await server.administer('GET', 'audit')).json()
    t.match(items[0], { before: { severity: 'critical' }, after: { severity: 'warning' } })
    t.match((await add({ alias: 'other', severity: 'fatal' })).errors, [{ pointer: '/body/severity' }])
  }
})

t.test('the log says until when a delivery waits, and a test is sent at once', async (t) => {
  const server = await startAdministration(t, { resolveHost })
  const { origin, requests } = await receive(t, { status: 200 })
  const [from, to] = [-1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16))
  const body = { kind: 'chat', url: `${origin}/hooks/hush`, alias: 'team', events, quiet: { from, to } }
  const chat = await (await server.administer('POST', path, body)).json()
  await server.administer('POST', 'repos/weather/refresh')
  const { items } = await (await server.administer('GET', 'repos/weather/deliveries')).json()
  t.match(items, [
    { state: 'pending', attempt_count: 0, digest_id: null, next_attempt_at: new RegExp(`T${to}:00.000Z$`) },
  ])
  t.match(await (await server.administer('POST', `${path}/test`, { kind: 'chat', id: chat.id })).json(), { ok: true })
  t.equal(requests.length, 1)
})
