import { createAdminClient } from '@floe/client'
import { createApiKey, deleteExpired } from '@floe/storage/database'
import { t } from 'tap'
import { collectLog, startAdministration } from './start-administration.ts'

const secrets = /sesame|hush|whsec|floe_/

t.test('each change is in the audit and in the log, without secrets', async (t) => {
  const { lines, log } = collectLog()
  const server = await startAdministration(t, { log })
  const webhook = {
    kind: 'webhook' as const,
    url: 'https://127.0.0.1/?token=hush',
    alias: 'tiles',
    events: ['NewCommit'],
    secret_token: 'open-sesame',
  }
  const { id } = await (await server.administer('POST', 'repos/weather/receivers', webhook)).json()
  const address = `repos/weather/receivers/${id}`
  await server.administer('PATCH', address, { kind: 'webhook', alias: 'maps', secret_token: null })
  await server.administer('PATCH', address, { kind: 'webhook', alias: 'more' }, { 'if-match': '"1"' })
  await server.administer('POST', `${address}/rotate-secret`)
  await server.administer('DELETE', address)
  const chat = {
    kind: 'chat',
    url: 'https://127.0.0.1/hooks/hush',
    alias: 'team',
    events: ['NewCommit'],
    service: 'slack',
  }
  await server.administer('POST', 'repos/weather/receivers', chat)
  const made = await (
    await server.administer('POST', 'keys', { name: 'export', role: 'reader', repos: ['weather'] })
  ).json()
  for (let count = 0; count < 2; count++) await server.administer('DELETE', `keys/${made.id}`)

  const text = await (await server.administer('GET', 'audit')).text()
  t.notMatch(text, secrets)
  const { items, next } = JSON.parse(text)
  t.equal(next, null)
  const keyId = server.adminKey.split('_')[1]
  const common = { key_id: keyId, subject_id: id }
  const key = { name: 'export', role: 'reader', repos: ['weather'], expires_at: null }
  t.match(items, [
    { action: 'key.revoke', key_id: keyId, subject_id: made.id, before: key, after: null },
    { action: 'key.create', key_id: keyId, subject_id: made.id, before: null, after: key },
    { action: 'chat.create', before: null, after: { url: 'https://127.0.0.1/...', service: 'slack' } },
    { ...common, action: 'webhook.delete', before: { alias: 'maps' }, after: null },
    { ...common, action: 'webhook.rotate-secret', before: { signing_secrets: 1 }, after: { signing_secrets: 2 } },
    {
      ...common,
      action: 'webhook.update',
      before: { alias: 'tiles', has_secret_token: true },
      after: { alias: 'maps', has_secret_token: false },
    },
    { ...common, action: 'webhook.create', before: null, after: { alias: 'tiles', url: 'https://127.0.0.1/...' } },
  ])
  const logged = lines.map((line) => JSON.parse(line)).filter(({ audit }) => audit !== undefined)
  t.strictSame(
    logged.map(({ audit }) => audit.action).reverse(),
    items.map(({ action }: { action: string }) => action),
  )
  t.match(logged[0], { level: 'info', audit: { org: 'acme', keyId } })
  t.notMatch(lines.join(''), secrets)
})

t.test('a secret that took the place of another is told, though neither is', async (t) => {
  const server = await startAdministration(t)
  const add = async (kind: string, members: object) => {
    const body = { kind, alias: kind, events: ['NewCommit'], ...members }
    const { id } = await (await server.administer('POST', 'repos/weather/receivers', body)).json()
    return `repos/weather/receivers/${id}`
  }
  const webhook = await add('webhook', { url: 'https://127.0.0.1/?token=hush', secret_token: 'open-sesame' })
  await server.administer('PATCH', webhook, { kind: 'webhook', secret_token: 'hush-hush' })
  await server.administer('PATCH', webhook, {
    kind: 'webhook',
    url: 'https://127.0.0.1/?token=hush-hush',
    alias: 'maps',
  })
  await server.administer('PATCH', webhook, { kind: 'webhook', secret_token: null })
  const chat = await add('chat', { url: 'https://127.0.0.1/hooks/hush', service: 'slack' })
  await server.administer('PATCH', chat, { kind: 'chat', url: 'https://127.0.0.1/hooks/hush-hush' })

  const text = await (await server.administer('GET', 'repos/weather/audit')).text()
  t.notMatch(text, secrets)
  const items: { after: { replaced?: string[] } }[] = JSON.parse(text).items
  t.strictSame(
    items.map(({ after }) => after.replaced),
    [['url'], undefined, undefined, ['url'], ['secret_token'], undefined],
  )
})

// Proves: the audit names the API key that made a change, also after that was deleted
t.test('the audit names the key that made a change, also after that was deleted', async (t) => {
  const server = await startAdministration(t)
  const now = new Date()
  const makeClient = async (name: string | null) => {
    const apiKey = await createApiKey(server.db, { org: 'acme', name, role: 'admin', repos: null }, now)
    return { id: apiKey.slice(5, 21), floe: createAdminClient({ baseUrl: `${server.origin}/v1`, org: 'acme', apiKey }) }
  }
  const operations = await makeClient('operations')
  const nameless = await makeClient(null)
  const chat = {
    kind: 'chat' as const,
    url: 'https://127.0.0.1/hooks/hush',
    events: ['NewCommit' as const],
    service: 'slack' as const,
  }
  const { value: made } = await operations.floe.receivers.create({ repo: 'weather' }, { ...chat, alias: 'team' })
  await nameless.floe.receivers.delete({ repo: 'weather', id: made.id })
  await nameless.floe.keys.revoke({ id: operations.id })
  const later = new Date(now.getTime() + 60_000)
  const kept = { attemptsBefore: now, eventsBefore: now, auditBefore: now, sessionsBefore: now }
  await deleteExpired(server.db, { ...kept, keysBefore: later, limit: 9 })
  const left = await nameless.floe.keys.listPage()
  t.notOk(left.items.some(({ id }) => id === operations.id))

  const pickNames = ({ items }: Awaited<ReturnType<typeof nameless.floe.auditPage>>) =>
    items.map(({ action, key_id, key_name }) => [action, key_id, key_name])
  const expected = [
    ['chat.delete', nameless.id, null],
    ['chat.create', operations.id, 'operations'],
  ]
  t.strictSame(pickNames(await nameless.floe.repositories.auditPage({ repo: 'weather' })), expected)
  const revoked = ['key.revoke', nameless.id, null]
  t.strictSame(pickNames(await nameless.floe.auditPage()), [revoked, ...expected])
  t.match((await nameless.floe.auditPage({ limit: 1 })).items, [{ before: { name: 'operations' }, after: null }])
})

t.test('the audit of an organisation has its keys too, and names repositories', async (t) => {
  const server = await startAdministration(t)
  const makeClient = (apiKey: string) => createAdminClient({ baseUrl: `${server.origin}/v1`, org: 'acme', apiKey })
  const weatherAdmin = await createApiKey(server.db, { org: 'acme', role: 'admin', repos: ['weather'] }, new Date())
  const floe = makeClient(server.adminKey)
  const webhook = {
    kind: 'webhook' as const,
    url: 'https://127.0.0.1/?token=hush',
    alias: 'tiles',
    events: ['NewCommit' as const],
  }
  await floe.receivers.create({ repo: 'weather' }, webhook)
  await floe.receivers.create({ repo: 'satellite' }, webhook)
  const made = await floe.keys.create({ role: 'reader' })
  const limited = await makeClient(weatherAdmin).keys.create({ role: 'reader', repos: ['weather'] })
  await floe.keys.revoke({ id: made.id })

  const all = await floe.auditPage()
  const pickFacts = (page: typeof all) =>
    page.items.map(({ action, repo_name, subject_id }) => [
      action,
      repo_name,
      action.startsWith('key') ? subject_id : '',
    ])
  const expected = [
    ['key.revoke', null, made.id],
    ['key.create', null, limited.id],
    ['key.create', null, made.id],
    ['webhook.create', 'satellite', ''],
    ['webhook.create', 'weather', ''],
  ]
  t.strictSame(pickFacts(all), expected)
  t.equal(all.next, null)
  t.notMatch(JSON.stringify(all), secrets)
  const first = await floe.auditPage({ limit: 2 })
  const second = await floe.auditPage({ limit: 2, before: first.next ?? '' })
  const third = await floe.auditPage({ limit: 2, before: second.next ?? '' })
  t.strictSame([first, second, third].flatMap(pickFacts), expected)
  t.equal(third.next, null)

  t.strictSame(
    pickFacts(await makeClient(weatherAdmin).auditPage()),
    [['webhook.create', 'weather', '']],
    'what a key covers',
  )
  t.strictSame(pickFacts(await floe.repositories.auditPage({ repo: 'weather' })), [['webhook.create', 'weather', '']])
  t.strictSame((await floe.repositories.auditPage({ repo: 'types' })).items, [])
  await t.rejects(makeClient(server.apiKey).auditPage(), {
    name: 'ProblemResponseError',
    problem: { type: '/problems/forbidden' },
  })
  const wrong = await server.administer('GET', 'audit?before=x&limit=0')
  t.equal(wrong.status, 400)
  t.match(await wrong.json(), { detail: 'before: Invalid UUID; limit: must be a whole number from 1 to 200' })
})
