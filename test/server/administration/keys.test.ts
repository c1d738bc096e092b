import { ApiKey, CreatedApiKey } from '@floe/contract'
import { applyDeclaredApiKeys, createApiKey, maxApiKeys } from '@floe/storage/database'
import { pino } from 'pino'
import { t } from 'tap'
import { z } from 'zod'
import { basic, type RunningServer, startServer } from '../start-server.ts'

const List = z.object({ items: z.array(ApiKey) })

const computeExpiry = () => new Date(Date.now() + 3_600_000)

/** Calls with another key than the administrator's of the whole organisation. */
function actAs(server: RunningServer, key: string): RunningServer['administer'] {
  return (method, path, body) => server.administer(method, path, body, { authorization: basic('acme', key) })
}

t.test('a key that was made works, and is shown once', async (t) => {
  const server = await startServer(t)
  const expires_at = computeExpiry().toISOString()
  const response = await server.administer('POST', 'keys', { role: 'reader', repos: ['weather'], expires_at })
  t.equal(response.status, 201)
  const { key, ...record } = CreatedApiKey.parse(await response.json())
  t.match(record, {
    id: key.slice(5, 21),
    role: 'reader',
    repos: ['weather'],
    declared: false,
    created_by: server.adminKey.slice(5, 21),
    expires_at,
    last_used_at: null,
    revoked_at: null,
  })
  const answer = await server.get('discovery', { authorization: basic('acme', key) })
  t.strictSame(await answer.json(), ['weather'])
  const text = await (await server.administer('GET', 'keys')).text()
  const listed = List.parse(JSON.parse(text)).items.find(({ id }) => id === record.id)
  t.match(listed, { ...record, last_used_at: String })
  t.notMatch(text, key.slice(22))
})

t.test('a revoked key stays in the list; to revoke it again changes nothing', async (t) => {
  const server = await startServer(t)
  const id = server.weatherKey.slice(5, 21)
  t.equal((await server.administer('DELETE', `keys/${id}`)).status, 204)
  const readRevokedAt = async () => {
    const { items } = List.parse(await (await server.administer('GET', 'keys')).json())
    return items.find((key) => key.id === id)?.revoked_at
  }
  const first = await readRevokedAt()
  t.ok(first)
  t.equal((await server.administer('DELETE', `keys/${id}`)).status, 204)
  t.equal(await readRevokedAt(), first)
  t.equal((await server.get('discovery', { authorization: basic('acme', server.weatherKey) })).status, 401)
})

t.test('a key of some repositories sees, makes and revokes keys of no others', async (t) => {
  const server = await startServer(t)
  const { db } = server
  const limited = await createApiKey(db, { org: 'acme', role: 'admin', repos: ['weather', 'satellite'] }, new Date())
  const wider = await createApiKey(db, { org: 'acme', role: 'reader', repos: ['weather', 'empty'] }, new Date())
  const administer = actAs(server, limited)

  const { items } = List.parse(await (await administer('GET', 'keys')).json())
  t.strictSame(
    items.map(({ id }) => id),
    [server.weatherKey, limited].map((key) => key.slice(5, 21)),
  )

  for (const repos of [['weather'], ['satellite', 'weather']]) {
    t.equal((await administer('POST', 'keys', { role: 'admin', repos })).status, 201, repos.join())
  }
  for (const repos of [undefined, null, ['empty'], ['weather', 'empty']]) {
    const response = await administer('POST', 'keys', { role: 'reader', repos })
    t.equal(response.status, 403, JSON.stringify(repos))
    t.match(await response.json(), {
      type: '/problems/forbidden',
      detail: /can only cover what yours covers: weather, satellite/,
    })
  }

  for (const key of [wider, server.adminKey]) {
    const response = await administer('DELETE', `keys/${key.slice(5, 21)}`)
    t.equal(response.status, 404)
    t.match(await response.json(), { type: '/problems/key-not-found' })
  }
  t.equal((await administer('DELETE', `keys/${server.weatherKey.slice(5, 21)}`)).status, 204)
  t.equal((await administer('DELETE', `keys/${limited.slice(5, 21)}`)).status, 204, 'itself too')
})

t.test('an organisation that has as many keys as it can have gets no further one', async (t) => {
  const server = await startServer(t)
  const row = await server.db.selectFrom('api_keys').selectAll().where('org', '=', 'acme').executeTakeFirstOrThrow()
  for (let first = 0; first < maxApiKeys; first += 1_000) {
    const copies = Array.from({ length: 1_000 }, (_, index) => ({ ...row, id: `copy ${first + index}` }))
    await server.db.insertInto('api_keys').values(copies).execute()
  }
  const response = await server.administer('POST', 'keys', { role: 'reader' })
  t.equal(response.status, 409)
  t.match(await response.json(), { type: '/problems/too-many-keys', detail: /has 5000 API keys/ })
})

t.test("another organisation's keys are neither seen nor revoked", async (t) => {
  const server = await startServer(t)
  const other = await createApiKey(server.db, { org: 'other', role: 'reader', repos: null }, new Date())
  const id = other.slice(5, 21)
  t.notMatch(await (await server.administer('GET', 'keys')).text(), id)
  t.equal((await server.administer('DELETE', `keys/${id}`)).status, 404)
})

t.test('an organisation that is not served any more cannot be told from a wrong key', async (t) => {
  const server = await startServer(t)
  const key = await createApiKey(server.db, { org: 'former', role: 'admin', repos: null }, new Date())
  const headers = { authorization: basic('former', key) }
  t.equal((await fetch(`${server.origin}/v1/orgs/former/keys`, { headers })).status, 401)
})

t.test('a key that expires makes none that lasts longer', async (t) => {
  const server = await startServer(t)
  const expiresAt = computeExpiry()
  const grant = { org: 'acme', role: 'admin', repos: null, expiresAt } as const
  const administer = actAs(server, await createApiKey(server.db, grant, new Date()))
  const readStatus = async (expires_at: Date | null) =>
    (await administer('POST', 'keys', { role: 'reader', expires_at: expires_at?.toISOString() ?? null })).status
  t.equal(await readStatus(expiresAt), 201)
  t.equal(await readStatus(new Date(expiresAt.getTime() + 1)), 403)
  t.equal(await readStatus(null), 403)
})

t.test('an expiry that is over is refused where it stands', async (t) => {
  const server = await startServer(t)
  const response = await server.administer('POST', 'keys', { role: 'reader', expires_at: '2020-01-01T00:00:00Z' })
  t.equal(response.status, 400)
  t.match(await response.json(), {
    type: '/problems/invalid-request',
    errors: [{ pointer: '/body/expires_at', message: 'must be in the future' }],
  })
})

t.test('a declared key is revoked where it is declared', async (t) => {
  const server = await startServer(t)
  const declared = { id: 'd'.repeat(16), org: 'acme', role: 'reader', repos: null, expiresAt: null } as const
  await applyDeclaredApiKeys(server.db, [{ ...declared, sha256: new Uint8Array(32), isBootstrap: false }], new Date())
  const { items } = List.parse(await (await server.administer('GET', 'keys')).json())
  t.match(
    items.filter((key) => key.declared),
    [{ id: declared.id }],
  )
  const response = await server.administer('DELETE', `keys/${declared.id}`)
  t.equal(response.status, 409)
  t.match(await response.json(), { type: '/problems/declared-in-file' })
})

t.test('each change is told to the audit and to the log, without secrets', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const server = await startServer(t, { log })
  const response = await server.administer('POST', 'keys', { role: 'reader', repos: ['weather'] })
  const { id, key } = CreatedApiKey.parse(await response.json())
  await server.administer('DELETE', `keys/${id}`)
  await server.administer('DELETE', `keys/${id}`)
  const rows = await server.db.selectFrom('audit').selectAll().orderBy('at').execute()
  const told = { org: 'acme', repo_id: null, key_id: server.adminKey.slice(5, 21), subject_id: id }
  const description = JSON.stringify({ role: 'reader', repos: ['weather'], expires_at: null })
  const created = rows.filter(({ action }) => action === 'key.create')
  const revoked = rows.filter(({ action }) => action === 'key.revoke')
  t.match(
    [created, revoked],
    [[{ ...told, before: null, after: description }], [{ ...told, before: description, after: null }]],
  )
  t.equal(rows.length, 2)
  const audited = lines.filter((line) => line.includes('key.'))
  t.equal(audited.length, 2)
  t.ok(audited.every((line) => line.includes(id) && line.includes(told.key_id)))
  for (const text of [JSON.stringify(rows), lines.join('')]) {
    t.notOk(text.includes(key.slice(22)))
    t.notOk(text.includes(server.adminKey.slice(22)))
  }
})

t.test('a revoked key takes the keys that were made with it, unless they are to be kept', async (t) => {
  const server = await startServer(t)
  const make = async (key: string) => {
    const response = await actAs(server, key)('POST', 'keys', { role: 'admin' })
    return CreatedApiKey.parse(await response.json()).key
  }
  const first = await make(server.adminKey)
  const kept = await make(first)
  const last = await make(kept)
  // A server keeps valid keys for a second; a new one on the same database knows none.
  const readStatuses = async () => {
    const { org } = await startServer(t, { db: server.db })
    const read = (key: string) => fetch(`${org}/keys`, { headers: { authorization: basic('acme', key) } })
    return Promise.all([first, kept, last].map(async (key) => (await read(key)).status))
  }
  const revoke = (key: string, query = '') => server.administer('DELETE', `keys/${key.slice(5, 21)}${query}`)

  t.equal((await revoke(first, '?keep_descendants=true')).status, 204)
  t.equal((await revoke(last, '?keep_descendants=perhaps')).status, 400)
  t.strictSame(await readStatuses(), [401, 200, 200])

  t.equal((await revoke(kept)).status, 204)
  t.strictSame(await readStatuses(), [401, 401, 401])
  const audit = z.object({ items: z.array(z.object({ action: z.string(), subject_id: z.string().nullable() })) })
  const { items } = audit.parse(await (await server.administer('GET', 'audit')).json())
  const revoked = items.filter(({ action }) => action === 'key.revoke').map(({ subject_id }) => subject_id)
  t.same(new Set(revoked), new Set([first, kept, last].map((key) => key.slice(5, 21))))
})
