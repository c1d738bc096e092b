// What must not give a token, or must end it. Whoever attacks knows all that passes a browser.
import { createHash, randomBytes } from 'node:crypto'
import { applyDeclaredApiKeys, createApiKey, revokeApiKey } from '@floe/storage/database'
import { t } from 'tap'
import { registerClient } from '../../../server/authorization/clients.ts'
import { openLog } from '../../../server/observation/open-log.ts'
import { reachableEngines } from '../../storage/records/database/engines.ts'
import { systemTiming, type Timing } from '../../../server/timing.ts'
import { follow, moveHeads } from '../metadata/events/follow.ts'
import { startServer } from '../start-server.ts'
import { challenge, redirect, startExchange, verifier } from './start-exchange.ts'

const invalidGrant = { status: 400, answer: { error: 'invalid_grant' } }

for (const engine of await reachableEngines(t)) {
  const start: typeof startExchange = async (t, options) =>
    startExchange(t, { ...options, db: (await engine.fresh(t)).db })

  t.test(`what does not come with a code ends it (${engine.name})`, async (t) => {
    const server = await start(t)
    const client = await server.newClient()
    const wrong: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      'another verifier': { code_verifier: `${verifier.slice(0, -1)}!` },
      'the challenge as verifier': { code_verifier: challenge },
      'another client': { client_id: await server.newClient() },
      'another redirect address': { redirect_uri: `${redirect}/` },
      'another port': { redirect_uri: redirect.replace(':1/', ':2/') },
    }
    for (const [name, others] of Object.entries(wrong)) {
      const code = await server.getCode(client, server.apiKey)
      t.match(await server.useCode(client, code, others), invalidGrant, name)
      t.match(await server.useCode(client, code), invalidGrant, `${name}: the code has ended`)
    }
    const code = await server.getCode(client, server.apiKey)
    for (const name of ['code_verifier', 'redirect_uri', 'client_id']) {
      const { answer } = await server.useCode(client, code, { [name]: '' })
      t.match(answer, { error: 'invalid_request' }, `without ${name}`)
    }
    const unknown = await server.useCode(client, code, { client_id: client.slice(0, -9) })
    t.match(unknown.answer, { error: 'invalid_client' })
    const elsewhere = await server.useCode(client, code, { resource: 'https://example.org/v1' })
    t.match(elsewhere.answer, { error: 'invalid_target' })
    t.match(await server.useCode(client, code, { grant_type: 'password' }), {
      answer: { error: 'unsupported_grant_type' },
    })
    t.match(await server.useCode(client, code), { status: 200 }, 'nothing of that has used it')
  })

  t.test(`a code or a refresh token that is used twice ends all that came from it (${engine.name})`, async (t) => {
    const server = await start(t)
    const client = await server.newClient()
    const getTokens = async () => {
      const code = await server.getCode(client, server.apiKey)
      return { code, tokens: (await server.useCode(client, code)).answer }
    }
    const first = await getTokens()
    t.equal(first.tokens.expires_in, 3_600)
    t.equal(await server.call(first.tokens.access_token), 200)
    t.match(await server.useCode(client, first.code), invalidGrant)
    t.match(await server.refresh(client, first.tokens.refresh_token), invalidGrant)

    const second = await getTokens()
    const renewed = await server.refresh(client, second.tokens.refresh_token)
    t.equal(await server.call(renewed.answer.access_token), 200)
    t.equal(await server.call(second.tokens.access_token), 401, 'one access token at a time')
    t.match(await server.refresh(client, second.tokens.refresh_token), invalidGrant)
    t.match(await server.refresh(client, renewed.answer.refresh_token), invalidGrant, 'the newest one too')

    const { tokens } = await getTokens()
    t.match(await server.refresh(await server.newClient(), tokens.refresh_token), invalidGrant, 'another client')
    t.match(await server.refresh(client, tokens.refresh_token), invalidGrant)

    const raced = (await getTokens()).tokens.refresh_token
    const race = await Promise.all([server.refresh(client, raced), server.refresh(client, raced)])
    t.strictSame(new Set(race.map(({ status }) => status)), new Set([200, 400]), 'at the same time')
    const won = race.find(({ status }) => status === 200)?.answer.refresh_token ?? ''
    t.match(await server.refresh(client, won), invalidGrant)

    t.equal((await server.db.selectFrom('authorizations').selectAll().execute()).length, 0, 'nothing is left')
  })

  t.test(`tokens end in time, and with their key (${engine.name})`, async (t) => {
    const clock = { ms: Date.now() }
    const server = await start(t, { now: () => clock.ms })
    const client = await server.newClient()
    const getTokens = async (key: string) => (await server.useCode(client, await server.getCode(client, key))).answer

    const late = await server.getCode(client, server.apiKey)
    clock.ms += 60_001
    t.match(await server.useCode(client, late), invalidGrant, 'a code of a minute ago')

    const { access_token: access, refresh_token: refresh } = await getTokens(server.apiKey)
    clock.ms += 3_600_001
    t.equal(await server.call(access), 401, 'an hour')
    clock.ms += 30 * 86_400_000
    t.match(await server.refresh(client, refresh), invalidGrant, '30 days')

    const ofRevoked = await getTokens(server.apiKey)
    const left = await server.getCode(client, server.apiKey)
    t.equal(await server.call(ofRevoked.access_token), 200)
    await revokeApiKey(server.db, server.apiKey.slice(5, 21), { now: new Date(clock.ms), keepsDescendants: false })
    clock.ms += 1_001
    t.equal(await server.call(ofRevoked.access_token), 401, 'revoked')
    t.match(await server.refresh(client, ofRevoked.refresh_token), invalidGrant)
    t.match(await server.useCode(client, left), invalidGrant)

    const expiresAt = new Date(clock.ms + 10_000)
    const brief = await createApiKey(server.db, { org: 'acme', role: 'reader', repos: null, expiresAt }, new Date())
    const ofBrief = await getTokens(brief)
    clock.ms += 10_001
    t.equal(await server.call(ofBrief.access_token), 401, 'expired')
    t.match(await server.refresh(client, ofBrief.refresh_token), invalidGrant)

    const id = '0123456789abcdef'
    const declare = async (): Promise<string> => {
      const text = `floe_${id}_${randomBytes(32).toString('base64url')}`
      const sha256 = createHash('sha256').update(text).digest()
      const key = {
        id,
        org: 'acme',
        name: null,
        role: 'reader',
        repos: null,
        expiresAt: null,
        isBootstrap: false,
      } as const
      await applyDeclaredApiKeys(server.db, [{ ...key, sha256 }], new Date(clock.ms))
      return text
    }
    const ofDeclared = await getTokens(await declare())
    t.equal(await server.call(ofDeclared.access_token), 200)
    await declare()
    clock.ms += 1_001
    t.equal(await server.call(ofDeclared.access_token), 401, 'the declared key with this id has another secret')
    t.match(await server.refresh(client, ofDeclared.refresh_token), invalidGrant)
  })
}

t.test('a token has the rights of its key, and the audit names both', async (t) => {
  const server = await startExchange(t)
  const metadata = { redirect_uris: [redirect], client_name: 'Assist\u202eant' }
  const registered = (await (await server.register(metadata)).json()) as { client_id: string }
  const { client_id: client } = registered
  t.match(registered, { redirect_uris: [redirect], token_endpoint_auth_method: 'none' })
  const code = await server.getCode(client, server.adminKey)
  const { access_token: token } = (await server.useCode(client, code)).answer
  const headers = { authorization: `Bearer ${token}` }
  const created = await server.administer('POST', 'keys', { role: 'reader' }, headers)
  t.equal(created.status, 403, 'a key would outlive the token')
  const expires_at = new Date(Date.now() + 60_000).toISOString()
  t.equal((await server.administer('POST', 'keys', { role: 'reader', expires_at }, headers)).status, 201)
  const { items } = (await (await server.administer('GET', 'audit')).json()) as { items: unknown }
  const by = { key_id: server.adminKey.slice(5, 21), client: 'Assistant', person: null }
  t.match(items, [
    { action: 'key.create', ...by },
    { action: 'key.exchange', ...by, after: { host: '127.0.0.1:1' } },
  ])
  const reader = (await server.useCode(client, await server.getCode(client, server.apiKey))).answer.access_token
  const refused = await server.administer('GET', 'keys', undefined, { authorization: `Bearer ${reader}` })
  t.equal(refused.status, 403)
})

t.test('a client gives its tokens back, and learns nothing of others', async (t) => {
  const server = await startExchange(t)
  const client = await server.newClient()
  const getTokens = async () => (await server.useCode(client, await server.getCode(client, server.apiKey))).answer
  const revoke = async (form: Readonly<Record<string, string>>) => {
    const init = { method: 'POST', body: new URLSearchParams(form), signal: AbortSignal.timeout(120_000) }
    const response = await fetch(`${server.baseUrl}/oauth/revoke`, init)
    return { status: response.status, text: await response.text() }
  }
  const kept = await getTokens()
  for (const name of ['access_token', 'refresh_token'] as const) {
    const tokens = await getTokens()
    const form = { client_id: client, token: tokens[name] }
    t.match(await revoke({ ...form, client_id: `${client}x` }), { status: 400, text: /invalid_client/ })
    t.equal(await server.call(tokens.access_token), 200)
    t.strictSame(await revoke(form), { status: 200, text: '' }, name)
    t.match(await server.refresh(client, tokens.refresh_token), invalidGrant, name)
    t.strictSame(await revoke(form), { status: 200, text: '' }, 'once more')
  }
  t.strictSame(await revoke({ client_id: client, token: 'unknown' }), { status: 200, text: '' })
  t.match(await revoke({ client_id: client }), { status: 400, text: /invalid_request/ })
  t.equal(await server.call(kept.access_token), 200, 'other tokens of the key and the client stay')
  const described = (await (await fetch(`${server.origin}/.well-known/oauth-authorization-server/v1`)).json()) as object
  t.match(described, { revocation_endpoint: `${server.baseUrl}/oauth/revoke`, response_modes_supported: ['query'] })
})

t.test('a stream ends with the token that has opened it', async (t) => {
  const clock = { ms: Date.now() }
  const server = await startExchange(t, { now: () => clock.ms })
  const client = await server.newClient()
  const { access_token: token } = (await server.useCode(client, await server.getCode(client, server.apiKey))).answer
  const stream = await follow(t, `${server.meta}/events`, null, { authorization: `Bearer ${token}` })
  await moveHeads(server.db, 'satellite', ['a'])
  clock.ms += 2_000
  await stream.until(({ heads }) => heads.includes('a'))
  clock.ms += 3_600_001
  await stream.untilClosed()
})

t.test('people are sent only to registered addresses, and only with a key', async (t) => {
  const server = await startExchange(t)
  const registered = 'https://assistant.example.org/callback?of=floe'
  const metadata = { redirect_uris: [registered, 'http://localhost:8000/back'], client_name: '<b>Assistant</b>' }
  const { client_id: client } = (await (await server.register(metadata)).json()) as { client_id: string }
  const isTaken = async (others: Readonly<Record<string, string>>) => {
    const request = server.makeRequest(client, { redirect_uri: registered, ...others })
    const [asked, given] = await Promise.all([server.ask(request), server.giveKey(request, server.apiKey)])
    t.equal(asked.headers.get('location'), null)
    const isGood = asked.status === 200
    t.strictSame([asked.status, given.status], isGood ? [200, 303] : [400, 400], JSON.stringify(others))
    if (isGood) t.ok(given.headers.get('location')?.startsWith(others['redirect_uri'] ?? registered))
    return isGood
  }
  t.ok(await isTaken({}))
  t.ok(await isTaken({ redirect_uri: 'http://localhost:9999/back' }), 'any port of this machine')
  for (const redirect_uri of [
    'https://assistant.example.org/callback',
    `${registered}&`,
    `${registered}#`,
    registered.toUpperCase(),
    registered.replace('.org/', '.org:8443/'),
    registered.replace('https:', 'http:'),
    registered.replace('https://', 'https://assistant@'),
    registered.replace('.org/', '.org%2F'),
    registered.replace('.org/', '.org@example.org/'),
    registered.replace('/callback', '/%63allback'),
    registered.replace('/callback', '/x%2F..%2Fcallback'),
    registered.replace('/callback', '/x/../callback'),
    registered.replace('/callback', '//callback'),
    `${registered}%23`,
    `${registered}\u200b`,
    'http://localhost:9999/back/',
    'http://localhost:9999/%62ack',
    'http://localhost:9999/back#',
    'http://a@localhost:9999/back',
    'http://localhost:99999/back',
    'http://localhost.:9999/back',
    'http://2130706433:9999/back',
    'http://127.0.0.1:8000/back',
    'http://localhost:1@example.org/back',
    'http://localhost:/back',
    'http://localhost:8000/back\\',
    'javascript:alert(1)',
    '',
  ]) {
    t.notOk(await isTaken({ redirect_uri }), redirect_uri)
  }
  // Some bits of the last character mean nothing.
  const changed = client.slice(0, -2) + (client.at(-2) === 'A' ? 'B' : 'A') + client.slice(-1)
  t.notOk(await isTaken({ client_id: changed }), 'a changed id')
  t.notOk(await isTaken({ client_id: server.secrets.seal('{}', 'receiver/1/url') }), 'another sealed text')
  t.notOk(await isTaken({ code_challenge_method: 'plain' }))
  t.notOk(await isTaken({ code_challenge: '' }))
  t.notOk(await isTaken({ response_type: 'token' }))
  t.ok(await isTaken({ response_mode: 'query' }))
  for (const response_mode of ['fragment', 'form_post', 'web_message', 'query.jwt'])
    t.notOk(await isTaken({ response_mode }), response_mode)
  t.notOk(await isTaken({ resource: 'https://example.org/v1' }))
  t.notOk(await isTaken({ resource: `${server.baseUrl}0` }))

  const faulty = ['http://example.org/', 'app://callback', 'https://a@example.org/', 'https://example.org/#a', 'x y']
  for (const address of faulty) {
    const response = await server.register({ redirect_uris: [address] })
    t.match(await response.json(), { error: 'invalid_redirect_uri' }, address)
  }
  const long = await server.register({
    redirect_uris: Array.from({ length: 3 }, () => `https://a.org/${'a'.repeat(900)}`),
  })
  t.match(await long.json(), { error: 'invalid_client_metadata' })
  t.match(await (await server.register({})).json(), { error: 'invalid_client_metadata' })
})

t.test('the page cannot be framed or cached, runs nothing, and takes keys from itself only', async (t) => {
  const server = await startExchange(t)
  const { client_id: client } = (await (
    await server.register({ redirect_uris: [redirect], client_name: '<b>Assistant</b>' })
  ).json()) as { client_id: string }
  const request = server.makeRequest(client)
  const page = await server.ask(request)
  const text = await page.text()
  t.match(text, /&lt;b&gt;Assistant&lt;\/b&gt;/)
  t.notMatch(text, /<script|<style|style=/)
  t.match(Object.fromEntries(page.headers), {
    'content-security-policy': /^default-src 'none'; script-src 'self'; .*; frame-ancestors 'none'$/,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'unsafe-none',
    'access-control-allow-origin': undefined,
  })
  const foreign = await server.giveKey(request, server.apiKey, { 'sec-fetch-site': 'cross-site' })
  t.equal(foreign.status, 403)
  const wrong = await server.giveKey(request, `${server.apiKey.slice(0, -1)}!`)
  t.equal(wrong.status, 200)
  t.match(await wrong.text(), /The key is wrong, revoked or expired/)
  const { access_token: token } = (await server.useCode(client, await server.getCode(client, server.apiKey))).answer
  t.equal((await server.giveKey(request, token)).status, 200, 'a token is no key')
  const repeated = await fetch(`${server.baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams('grant_type=refresh_token&grant_type=refresh_token'),
  })
  t.match(await repeated.json(), { error: 'invalid_request', error_description: /must not repeat a parameter/ })
  t.match(Object.fromEntries(repeated.headers), { 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
})

t.test('wrong keys and wrong codes are answered the later the more there are', async (t) => {
  const waits: number[] = []
  const after: Timing['after'] = (ms, run) => {
    waits.push(ms)
    return systemTiming.after(ms, run)
  }
  const server = await startExchange(t, { after })
  const client = await server.newClient()
  for (let count = 0; count < 20; count++) await server.giveKey(server.makeRequest(client), 'wrong')
  t.notOk(waits.includes(50))
  await server.giveKey(server.makeRequest(client), 'wrong')
  await server.useCode(client, 'wrong')
  t.ok(waits.includes(50) && waits.includes(100))
})

t.test('no secret is logged', async (t) => {
  const lines: string[] = []
  const log = openLog('trace', { destination: { write: (line) => void lines.push(line) } })
  const server = await startExchange(t, { log })
  const client = await server.newClient()
  const code = await server.getCode(client, server.apiKey)
  const first = (await server.useCode(client, code)).answer
  const second = (await server.refresh(client, first.refresh_token)).answer
  const secrets = [code, ...[first, second].flatMap((one) => [one.access_token, one.refresh_token])]
  for (const secret of secrets) {
    await server.useCode(client, secret)
    await server.call(secret)
    const misplaced = await (await fetch(`${server.origin}/${secret}?code=${secret}`)).text()
    t.notMatch(misplaced, secret.slice(-43))
  }
  const { items } = (await (await server.administer('GET', 'audit')).json()) as { items: unknown }
  const metrics = await (await server.administer('GET', '../../../metrics')).text()
  const told = [...lines, JSON.stringify(items), metrics].join('\n')
  t.match(told, /key\.exchange/)
  t.match(told, /v1\/oauth\/token/)
  for (const secret of [...secrets, server.apiKey]) t.notOk(told.includes(secret.slice(-43)), secret.slice(0, 12))
})

t.test('10,000 registrations leave nothing behind', async (t) => {
  const server = await startExchange(t)
  const countRows = async () => {
    const tables = ['authorizations', 'api_keys', 'audit'] as const
    return Promise.all(tables.map(async (name) => (await server.db.selectFrom(name).selectAll().execute()).length))
  }
  const before = await countRows()
  const sent = await Promise.all(Array.from({ length: 100 }, () => server.newClient()))
  t.strictSame(await countRows(), before)
  // The others without HTTP, which would take most of the time.
  const made = Array.from({ length: 9_900 }, () => registerClient({ redirect_uris: [redirect] }, server.secrets))
  const ids = new Set([...sent, ...made])
  t.equal(ids.size, 10_000)
  t.ok([...ids].every((id) => id.length < 200))
  t.equal((await server.ask(server.makeRequest(sent[0] ?? ''))).status, 200, 'the first one can still be used')
})

t.test('a key fills neither the audit nor the database', async (t) => {
  const clock = { ms: Date.now() }
  const server = await startExchange(t, { now: () => clock.ms })
  const client = await server.newClient()
  const { refresh_token: refresh } = (await server.useCode(client, await server.getCode(client, server.apiKey))).answer
  for (let count = 1; count < 20; count++) await server.getCode(client, server.apiKey)
  const request = server.makeRequest(client)
  t.equal((await server.giveKey(request, server.apiKey)).status, 429, 'more than 20 in a minute')
  t.equal((await server.giveKey(request, server.adminKey)).status, 303, 'another key')
  for (let minute = 0; minute < 5; minute++) {
    clock.ms += 60_001
    for (let count = 0; count < 20; count++) await server.getCode(client, server.apiKey)
  }
  const rows = server.db.selectFrom('authorizations').select('id').where('key_id', '=', server.apiKey.slice(5, 21))
  t.equal((await rows.execute()).length, 100)
  t.equal((await server.refresh(client, refresh)).status, 200, 'codes that nobody has used go first')
})

t.test('an address is refused above its limit', async (t) => {
  const server = await startExchange(t, { administrationPerMinute: 1 })
  await server.newClient()
  t.equal((await server.register({ redirect_uris: [redirect] })).status, 429)
})

t.test('without the setting, there is nothing, and tokens of earlier are refused', async (t) => {
  const server = await startExchange(t)
  const client = await server.newClient()
  const { access_token: token } = (await server.useCode(client, await server.getCode(client, server.apiKey))).answer
  const without = await startServer(t, { db: server.db })
  t.equal((await fetch(`${without.origin}/v1/oauth/register`, { method: 'POST' })).status, 404)
  t.equal((await fetch(`${without.origin}/.well-known/oauth-authorization-server/v1`)).status, 404)
  t.equal((await without.get('discovery', { authorization: `Bearer ${token}` })).status, 401)
})
