import { CreatedReceiver, RotatedWebhook } from '@floe/contract'
import { type Database, listReceivers, openReceiver } from '@floe/storage/database'
import { sql } from 'kysely'
import { t } from 'tap'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { path, readRefusal, startWithWebhooks, webhook } from './start-with-webhooks.ts'
import { collectLog } from '../start-administration.ts'
import { rememberRepository } from '../../../storage/records/database/remember-repository.ts'

function readRepoId(db: Database): Promise<string> {
  return rememberRepository(db, 'acme', 'weather', new Date())
}

const engines = await reachableEngines(t)

for (const engine of engines) {
  // Proves: a webhook has Webhook URL, Alias, Secret Token and Events
  t.test(`a webhook is made, read, listed and deleted (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { server } = await startWithWebhooks(t, { db })
    const response = await server.administer('POST', path, { ...webhook, secret_token: 'open-sesame' })
    t.equal(response.status, 201)
    const created = CreatedReceiver.parse(await response.json())
    if (created.kind !== 'webhook') throw new Error('another kind was made')
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
    const gone = await readRefusal(server.administer('GET', `${path}/${created.id}`))
    t.match(gone, { status: 404, type: '/problems/receiver-not-found' })
  })

  // Proves: an alias is unique in its repository
  t.test(`an alias is used once in a repository, over webhooks and chats (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { server, create } = await startWithWebhooks(t, { db })
    t.equal((await create({ alias: '  tiles ' })).alias, 'tiles')
    const { id } = await create({ alias: 'other' })
    const taken = { status: 409, type: '/problems/alias-in-use', pointers: ['/body/alias'] }
    t.match(await readRefusal(server.administer('POST', path, webhook)), taken)
    t.match(await readRefusal(server.administer('PATCH', `${path}/${id}`, { kind: 'webhook', alias: ' tiles' })), taken)
    const chat = { ...webhook, kind: 'chat', service: 'slack' }
    t.match(await readRefusal(server.administer('POST', 'repos/weather/receivers', chat)), taken)
    t.equal((await server.administer('POST', 'repos/types/receivers', chat)).status, 201, 'another repository')
  })

  t.test(`of changes to the same version one is made (${engine.name})`, async (t) => {
    const { db } = await engine.fresh(t)
    const { server, create } = await startWithWebhooks(t, { db })
    const { id } = await create()
    const change = (alias: string) =>
      server.administer('PATCH', `${path}/${id}`, { kind: 'webhook', alias }, { 'if-match': '"1"' })
    const answers = await Promise.all(['one', 'two', 'three', 'four'].map(change))
    const statuses = answers.map(({ status }) => status)
    t.strictSame(
      statuses.sort((one, other) => one - other),
      [200, 412, 412, 412],
    )
  })
}

t.test('a change touches the members that it names', async (t) => {
  const { create, change } = await startWithWebhooks(t)
  const { signing_secret: _secret, updated_at: _then, ...created } = await create({ secret_token: 'open-sesame' })
  const { updated_at: _now, ...changed } = await change(created.id, { alias: 'maps' })
  t.strictSame(changed, { ...created, alias: 'maps' })
  t.match(await change(created.id, { enabled: false }), { enabled: false, disabled_reason: /administrator/ })
  t.match(await change(created.id, { enabled: true, resume: 'none' }), { enabled: true, disabled_reason: null })
})

t.test('If-Match keeps a change from overwriting another', async (t) => {
  const { server, create } = await startWithWebhooks(t)
  const { id } = await create()
  const address = `${path}/${id}`
  let changes = 0
  const patch = (tag: string) =>
    server.administer('PATCH', address, { kind: 'webhook', alias: `change ${++changes}` }, { 'if-match': tag })
  const first = await patch('"1"')
  t.equal(first.status, 200)
  t.equal(first.headers.get('etag'), '"2"')
  for (const stale of ['"1"', 'W/"1"', '2', '"02"', '""', '"1", "3"', '"2" and more']) {
    t.match(await readRefusal(patch(stale)), { status: 412, type: '/problems/precondition-failed' }, stale)
  }
  t.equal((await patch('"1", "2"')).status, 200)
  t.equal((await patch('*')).status, 200)
  t.equal((await server.administer('DELETE', address, undefined, { 'if-match': '"1"' })).status, 412)
  t.equal((await server.administer('DELETE', address, undefined, { 'if-match': '"4"' })).status, 204)
})

t.test('a PATCH that changes nothing keeps the version, and the audit does not tell it', async (t) => {
  const { server, create } = await startWithWebhooks(t)
  const { id } = await create()
  for (const same of [{}, { enabled: true }, { alias: webhook.alias, url: webhook.url, events: webhook.events }]) {
    const response = await server.administer('PATCH', `${path}/${id}`, { kind: 'webhook', ...same })
    t.match([response.status, response.headers.get('etag')], [200, '"1"'])
  }
  const { items } = await (await server.administer('GET', 'repos/weather/audit')).json()
  t.match(items, [{ action: 'webhook.create' }])
  t.equal(items.length, 1)
})

// Proves: a repository can have several webhooks and chats
t.test('a repository has at most 50 receivers', async (t) => {
  const { server, create } = await startWithWebhooks(t)
  for (let count = 0; count < 50; count++) await create({ alias: `hook ${count}` })
  const answer = await readRefusal(server.administer('POST', path, { ...webhook, alias: 'one more' }))
  t.match(answer, { status: 409, type: '/problems/too-many-receivers' })
})

t.test('a rotated secret is shown once', async (t) => {
  const { server, create } = await startWithWebhooks(t)
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
  const { server, change } = await startWithWebhooks(t, { notifications: { webhooks: [declared] } })
  await server.notifier.start()
  const { items } = await (await server.administer('GET', path)).json()
  t.match(items, [{ alias: 'declared', declared: true }])
  const { id } = items[0]
  const refused = { status: 409, type: '/problems/declared-in-file' }
  t.match(await readRefusal(server.administer('PATCH', `${path}/${id}`, { kind: 'webhook', alias: 'mine' })), refused)
  t.match(
    await readRefusal(server.administer('PATCH', `${path}/${id}`, { kind: 'webhook', secret_token: null })),
    refused,
  )
  t.match(await readRefusal(server.administer('DELETE', `${path}/${id}`)), refused)
  t.match(await change(id, { enabled: false }), { enabled: false })
  t.match(await change(id, { enabled: true }), { enabled: true })
  t.equal((await server.administer('POST', `${path}/${id}/rotate-secret`)).status, 200)
})

t.test('the signing secret of a declared webhook is changed in the file alone, and never shown', async (t) => {
  const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const declared = { org: 'acme', repo: 'weather', url: webhook.url, alias: 'declared', signingSecret }
  const { server } = await startWithWebhooks(t, { notifications: { webhooks: [declared] } })
  await server.notifier.start()
  const text = await (await server.administer('GET', path)).text()
  t.notMatch(text, 'whsec')
  const { id } = JSON.parse(text).items[0]
  const answer = await readRefusal(server.administer('POST', `${path}/${id}/rotate-secret`))
  t.match(answer, { status: 409, type: '/problems/declared-in-file', detail: /signing secret/ })
  const [receiver] = await listReceivers(server.db, { org: 'acme', repoId: await readRepoId(server.db) })
  if (receiver === undefined) throw new Error('it was not declared')
  t.strictSame(openReceiver(receiver, server.secrets, new Date()).signingSecrets, [signingSecret])
})

t.test('ids of another repository are unknown', async (t) => {
  const { server, create } = await startWithWebhooks(t)
  const { id } = await create()
  const address = `repos/types/receivers/${id}`
  const unknown = {
    status: 404,
    type: '/problems/receiver-not-found',
    detail: /^The repository has no webhook or chat/,
  }
  t.match(await readRefusal(server.administer('GET', address)), unknown)
  t.match(await readRefusal(server.administer('PATCH', address, { kind: 'webhook', enabled: false })), unknown)
  t.match(await readRefusal(server.administer('DELETE', address)), unknown)
  t.equal((await server.administer('GET', `${path}/${id}`)).status, 200)
})

t.test('a webhook does not become a chat, and a chat has no signing secret and no replays', async (t) => {
  const { server, create } = await startWithWebhooks(t)
  const { id } = await create()
  const other = {
    status: 400,
    pointers: ['/body/kind'],
    detail: 'kind: must stay webhook; add another webhook or chat',
  }
  t.match(await readRefusal(server.administer('PATCH', `${path}/${id}`, { kind: 'chat', enabled: false })), other)
  t.match(await readRefusal(server.administer('POST', `${path}/test`, { kind: 'chat', id })), other)
  const chat = await (
    await server.administer('POST', path, { ...webhook, kind: 'chat', alias: 'team', service: 'slack' })
  ).json()
  const unknown = { status: 404, type: '/problems/receiver-not-found', detail: /^Only webhooks have / }
  const since = '2026-01-01T00:00:00Z'
  for (const answer of [
    server.administer('POST', `${path}/${chat.id}/rotate-secret`),
    server.administer('POST', `${path}/${chat.id}/replay`, { since }),
    server.administer('GET', `${path}/${chat.id}/replay`),
    server.administer('DELETE', `${path}/${chat.id}/replay`),
  ])
    t.match(await readRefusal(answer), unknown)
})

t.test('webhooks and chats are listed together, in the order in which they were added', async (t) => {
  let now = Date.parse('2026-11-20T00:00:00Z')
  const { server, create } = await startWithWebhooks(t, { now: () => (now += 1_000) })
  await create({ alias: 'z' })
  await server.administer('POST', path, { ...webhook, kind: 'chat', alias: 'y', service: 'slack' })
  await create({ alias: 'x' })
  const { items } = await (await server.administer('GET', path)).json()
  t.match(items, [
    { kind: 'webhook', alias: 'z' },
    { kind: 'chat', alias: 'y' },
    { kind: 'webhook', alias: 'x' },
  ])
})

t.test('a receiver of a repository has no repositories and no search', async (t) => {
  const { server, create } = await startWithWebhooks(t)
  const { id, ...created } = await create()
  t.match(created, { repos: null, search: null })
  for (const [name, value] of Object.entries({ repos: ['**'], search: { q: 'sea' } })) {
    const refused = {
      status: 400,
      pointers: [`/body/${name}`],
      detail: /is only for webhooks and chats of an organisation/,
    }
    const members = { [name]: value }
    const add = { ...webhook, alias: 'other', ...members }
    t.match(await readRefusal(server.administer('POST', path, add)), refused)
    t.match(await readRefusal(server.administer('POST', `${path}/test`, add)), refused)
    t.match(await readRefusal(server.administer('PATCH', `${path}/${id}`, { kind: 'webhook', ...members })), refused)
  }
})

t.test('an answer that the contract does not know stays inside, and the log says why', async (t) => {
  const { lines, log } = collectLog()
  const { server, create } = await startWithWebhooks(t, { log })
  await create({ alias: 'hush' })
  await server.db
    .updateTable('receivers')
    .set({ filter: sql`replace(filter, 'NewCommit', 'NewTag')` })
    .execute()
  const response = await server.administer('GET', path)
  t.equal(response.status, 500)
  const text = await response.text()
  const problem = JSON.parse(text)
  t.match(problem, { type: '/problems/internal' })
  t.notMatch(text, /hush|NewTag|events/)
  const told = lines.find((line) => line.includes(problem.instance.slice('urn:uuid:'.length))) ?? ''
  t.match(told, 'events')
  t.ok(told.length < 5_000, `${told.length} characters`)
})
