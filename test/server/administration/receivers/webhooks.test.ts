import { ChangedWebhook, CreatedWebhook, RotatedWebhook } from '@floe/contract'
import { type Database, listReceivers, openReceiver, rememberRepository } from '@floe/storage/database'
import t, { type Test } from 'tap'
import { reachableEngines } from '../../../storage/database/engines.ts'
import type { ServerOptions } from '../../start-server.ts'
import { startAdministration } from '../start-administration.ts'

const webhook = { url: 'https://127.0.0.1/hook', alias: 'tiles', events: ['NewCommit'] }
const path = 'repos/weather/webhooks'

/** A server, and ways to make and change webhooks of it that succeed. */
async function start(t: Test, options: ServerOptions = {}) {
  const server = await startAdministration(t, options)
  const create = async (members: object = {}) => {
    const response = await server.administer('POST', path, { ...webhook, ...members })
    t.equal(response.status, 201)
    return CreatedWebhook.parse(await response.json())
  }
  const change = async (id: string, members: object) => {
    const response = await server.administer('PATCH', `${path}/${id}`, members)
    t.equal(response.status, 200)
    return ChangedWebhook.parse(await response.json())
  }
  return { server, create, change }
}

/** Status and problem of an answer, in brief. */
async function refusal(answer: Promise<Response>) {
  const response = await answer
  const { type, detail, errors = [] } = await response.json()
  return { status: response.status, type, detail, pointers: errors.map(({ pointer }: { pointer: string }) => pointer) }
}

function repoIdOf(db: Database): Promise<string> {
  return rememberRepository(db, 'acme', 'weather', new Date())
}

// PGlite speaks as PostgreSQL does, and the storage is tried on it elsewhere.
const engines = (await reachableEngines(t)).filter(({ name }) => name !== 'PGlite')

for (const engine of engines) {
  t.test(`a webhook is made, read, listed and deleted (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { server } = await start(t, { db })
    const response = await server.administer('POST', path, { ...webhook, secret_token: 'open-sesame' })
    t.equal(response.status, 201)
    const created = CreatedWebhook.parse(await response.json())
    t.equal(response.headers.get('etag'), '"1"')
    t.equal(response.headers.get('cache-control'), 'no-store')
    t.equal(response.headers.get('location'), `/v1/orgs/acme/${path}/${created.id}`)
    t.match(created, { ...webhook, enabled: true, disabled_reason: null, declared: false, held: 0, warnings: [] })
    t.match(created.signing_secret, /^whsec_/)

    const found = await server.administer('GET', `${path}/${created.id}`)
    t.equal(found.headers.get('etag'), '"1"')
    const { signing_secret: _secret, warnings: _warnings, ...shown } = created
    const text = await found.text()
    t.strictSame(JSON.parse(text), shown)
    t.equal(shown.has_secret_token, true)
    t.notMatch(text, /sesame|whsec/)
    t.strictSame(await (await server.administer('GET', path)).json(), { items: [shown] })

    t.equal((await server.administer('DELETE', `${path}/${created.id}`)).status, 204)
    const gone = await refusal(server.administer('GET', `${path}/${created.id}`))
    t.match(gone, { status: 404, type: '/problems/receiver-not-found' })
  })

  t.test(`an alias is used once in a repository, over webhooks and chats (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { server, create } = await start(t, { db })
    t.equal((await create({ alias: '  tiles ' })).alias, 'tiles')
    const { id } = await create({ alias: 'other' })
    const taken = { status: 409, type: '/problems/alias-in-use', pointers: ['/body/alias'] }
    t.match(await refusal(server.administer('POST', path, webhook)), taken)
    t.match(await refusal(server.administer('PATCH', `${path}/${id}`, { alias: ' tiles' })), taken)
    const chat = { ...webhook, service: 'slack' }
    t.match(await refusal(server.administer('POST', 'repos/weather/chats', chat)), taken)
    t.equal((await server.administer('POST', 'repos/types/chats', chat)).status, 201, 'another repository')
  })

  t.test(`of changes to the same version one is made (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { server, create } = await start(t, { db })
    const { id } = await create()
    const change = (alias: string) => server.administer('PATCH', `${path}/${id}`, { alias }, { 'if-match': '"1"' })
    const answers = await Promise.all(['one', 'two', 'three', 'four'].map(change))
    const statuses = answers.map(({ status }) => status)
    t.strictSame(
      statuses.sort((one, other) => one - other),
      [200, 412, 412, 412],
    )
  })
}

t.test('a URL that breaks a rule is told which one', async (t) => {
  const { server } = await start(t)
  const rules = {
    'http://example.org/': 'must start with https://',
    'https://me:secret@example.org/': 'must not hold a user name or a password',
    'https://10.1.2.3/': /private.*unless the setting notifications\.allowPrivateNetworks/,
    'https://[::1]/': /loopback.*unless the setting notifications\.allowPrivateNetworks/,
    'https://0x7f.1/': 'usual form',
    'example.org': 'must start with https://',
    'https://exa mple.org/': 'is not a URL',
    [`https://example.org/${'x'.repeat(2_048)}`]: '2048',
  }
  for (const [url, rule] of Object.entries(rules)) {
    const answer = await refusal(server.administer('POST', path, { ...webhook, url }))
    t.match(answer, { status: 400, type: '/problems/invalid-request', pointers: ['/body/url'], detail: rule }, url)
    t.notMatch(answer.detail, 'secret', url)
  }
})

t.test('a host that is not found is a warning, one that leads inside an error', async (t) => {
  const hosts: Record<string, string[]> = {
    'inside.test': ['203.0.114.1', '10.0.0.1'],
    'outside.test': ['203.0.114.1'],
  }
  const resolveHost = async (host: string) => hosts[host] ?? Promise.reject(new Error('not found'))
  const { server, create } = await start(t, { resolveHost })
  const { warnings } = await create({ url: 'https://nowhere.test/' })
  t.match(warnings, [{ code: 'host-not-found', detail: /nowhere\.test/ }])
  t.strictSame((await create({ url: 'https://outside.test/', alias: 'outside' })).warnings, [])
  const answer = await refusal(server.administer('POST', path, { ...webhook, url: 'https://inside.test/' }))
  t.match(answer, { status: 400, pointers: ['/body/url'], detail: 'notifications.allowPrivateNetworks' })
  t.notMatch(answer.detail, '10.0.0.1')
})

t.test('localhost is allowed where its address is, and else the refusal names the setting', async (t) => {
  const resolveHost = async () => ['127.0.0.1', '::1']
  const url = 'https://localhost/hook'
  const { create, server } = await start(t, { resolveHost })
  t.match(await create({ url }), { url, warnings: [] })
  const strict = await start(t, { resolveHost, notifications: { allowPrivateNetworks: ['10.0.0.0/8'] } })
  const refused = {
    status: 400,
    pointers: ['/body/url'],
    detail: /machine that Floe runs on.*notifications\.allowPriv/,
  }
  for (const address of [path, `${path}/test`]) {
    const body = address === path ? { ...webhook, url } : { url }
    t.match(await refusal(strict.server.administer('POST', address, body)), refused)
  }
  t.match(await refusal(server.administer('POST', path, { ...webhook, url: 'https://other.test/' })), {
    status: 400,
    detail: /loopback.*notifications\.allowPrivateNetworks/,
  })
})

t.test('a change touches the members that it names', async (t) => {
  const { create, change } = await start(t)
  const { signing_secret: _secret, updated_at: _then, ...created } = await create({ secret_token: 'open-sesame' })
  const { updated_at: _now, ...changed } = await change(created.id, { alias: 'maps' })
  t.strictSame(changed, { ...created, alias: 'maps' })
  t.match(await change(created.id, { enabled: false }), { enabled: false, disabled_reason: /administrator/ })
  t.match(await change(created.id, { enabled: true, resume: 'none' }), { enabled: true, disabled_reason: null })
})

t.test('another scheme, host, port or path takes the secret token away, unless it comes again', async (t) => {
  const { create, change } = await start(t)
  const { id } = await create({ secret_token: 'open-sesame' })
  t.match(await change(id, { url: 'https://127.0.0.1/hook?a=b' }), { has_secret_token: true, warnings: [] })
  const dropped = {
    has_secret_token: false,
    warnings: [{ code: 'secret-token-dropped', detail: /host, port or path/ }],
  }
  t.match(await change(id, { url: 'https://127.0.0.1/other' }), dropped)
  await change(id, { secret_token: 'open-sesame' })
  t.match(await change(id, { url: 'https://127.0.0.1:8443/other' }), dropped)
  const again = { url: 'https://127.0.0.2/', secret_token: 'open-sesame' }
  t.match(await change(id, again), { has_secret_token: true, warnings: [] })
  t.match(await change(id, { secret_token: null }), { has_secret_token: false, warnings: [] })
  t.match(await change(id, { url: 'https://127.0.0.1/' }), { has_secret_token: false, warnings: [] })
})

t.test('If-Match keeps a change from overwriting another', async (t) => {
  const { server, create } = await start(t)
  const { id } = await create()
  const address = `${path}/${id}`
  let changes = 0
  const patch = (tag: string) =>
    server.administer('PATCH', address, { alias: `change ${++changes}` }, { 'if-match': tag })
  const first = await patch('"1"')
  t.equal(first.status, 200)
  t.equal(first.headers.get('etag'), '"2"')
  for (const stale of ['"1"', 'W/"1"', '2', '"02"', '""', '"1", "3"', '"2" and more']) {
    t.match(await refusal(patch(stale)), { status: 412, type: '/problems/precondition-failed' }, stale)
  }
  t.equal((await patch('"1", "2"')).status, 200)
  t.equal((await patch('*')).status, 200)
  t.equal((await server.administer('DELETE', address, undefined, { 'if-match': '"1"' })).status, 412)
  t.equal((await server.administer('DELETE', address, undefined, { 'if-match': '"4"' })).status, 204)
})

t.test('a PATCH that changes nothing keeps the version, and the audit does not tell it', async (t) => {
  const { server, create } = await start(t)
  const { id } = await create()
  for (const same of [{}, { enabled: true }, { alias: webhook.alias, url: webhook.url, events: webhook.events }]) {
    const response = await server.administer('PATCH', `${path}/${id}`, same)
    t.match([response.status, response.headers.get('etag')], [200, '"1"'])
  }
  const { items } = await (await server.administer('GET', 'repos/weather/audit')).json()
  t.match(items, [{ action: 'webhook.create' }])
  t.equal(items.length, 1)
})

t.test('a repository has at most 50 receivers', async (t) => {
  const { server, create } = await start(t)
  for (let count = 0; count < 50; count++) await create({ alias: `hook ${count}` })
  const answer = await refusal(server.administer('POST', path, { ...webhook, alias: 'one more' }))
  t.match(answer, { status: 409, type: '/problems/too-many-receivers' })
})

t.test('a rotated secret is shown once', async (t) => {
  const { server, create } = await start(t)
  const created = await create()
  const response = await server.administer('POST', `${path}/${created.id}/rotate-secret`)
  t.equal(response.status, 200)
  t.equal(response.headers.get('etag'), '"2"')
  const rotated = RotatedWebhook.parse(await response.json())
  t.match(rotated.signing_secret, /^whsec_/)
  t.not(rotated.signing_secret, created.signing_secret)
})

t.test('a declared webhook can be enabled, disabled and rotated, no more', async (t) => {
  const declared = { org: 'acme', repo: 'weather', url: webhook.url, alias: 'declared' }
  const { server, change } = await start(t, { notifications: { webhooks: [declared] } })
  await server.notifier.start()
  const { items } = await (await server.administer('GET', path)).json()
  t.match(items, [{ alias: 'declared', declared: true }])
  const { id } = items[0]
  const refused = { status: 409, type: '/problems/declared-in-file' }
  t.match(await refusal(server.administer('PATCH', `${path}/${id}`, { alias: 'mine' })), refused)
  t.match(await refusal(server.administer('PATCH', `${path}/${id}`, { secret_token: null })), refused)
  t.match(await refusal(server.administer('DELETE', `${path}/${id}`)), refused)
  t.match(await change(id, { enabled: false }), { enabled: false })
  t.match(await change(id, { enabled: true }), { enabled: true })
  t.equal((await server.administer('POST', `${path}/${id}/rotate-secret`)).status, 200)
})

t.test('the signing secret of a declared webhook is changed in the file alone, and never shown', async (t) => {
  const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const declared = { org: 'acme', repo: 'weather', url: webhook.url, alias: 'declared', signingSecret }
  const { server } = await start(t, { notifications: { webhooks: [declared] } })
  await server.notifier.start()
  const text = await (await server.administer('GET', path)).text()
  t.notMatch(text, 'whsec')
  const { id } = JSON.parse(text).items[0]
  const answer = await refusal(server.administer('POST', `${path}/${id}/rotate-secret`))
  t.match(answer, { status: 409, type: '/problems/declared-in-file', detail: /signing secret/ })
  const [receiver] = await listReceivers(server.db, await repoIdOf(server.db))
  if (receiver === undefined) throw new Error('it was not declared')
  t.strictSame(openReceiver(receiver, server.secrets, new Date()).signingSecrets, [signingSecret])
})

t.test('ids of another repository, or of a chat, are unknown', async (t) => {
  const { server, create } = await start(t)
  const { id } = await create()
  const chat = { ...webhook, alias: 'team', service: 'slack' }
  const { id: chatId } = await (await server.administer('POST', 'repos/weather/chats', chat)).json()
  for (const address of [`repos/types/webhooks/${id}`, `repos/weather/chats/${id}`, `${path}/${chatId}`]) {
    const unknown = { status: 404, type: '/problems/receiver-not-found' }
    t.match(await refusal(server.administer('GET', address)), unknown, address)
    t.match(await refusal(server.administer('PATCH', address, { enabled: false })), unknown, address)
    t.match(await refusal(server.administer('DELETE', address)), unknown, address)
  }
  t.equal((await server.administer('GET', `${path}/${id}`)).status, 200)
})
