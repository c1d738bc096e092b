import { ApiKey, ApiKeyPage, CreatedApiKey } from '@floe/contract'
import { applyDeclaredApiKeys, createApiKey, maxApiKeys } from '@floe/storage/database'
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

t.test('a key has a name for people, if it was given one', async (t) => {
  const server = await startServer(t)
  const create = (name?: unknown) => server.administer('POST', 'keys', { name, role: 'reader' })
  const given = ['nightly export', ' nightly export ', 'x'.repeat(64), undefined, null]
  const names: unknown[] = []
  for (const name of given) names.push((await (await create(name)).json()).name)
  t.strictSame(names, ['nightly export', 'nightly export', 'x'.repeat(64), null, null])
  const { items } = List.parse(await (await server.administer('GET', 'keys?limit=5')).json())
  t.strictSame(new Set(items.map(({ name }) => name)), new Set(names))
  for (const name of ['', ' ', 'x'.repeat(65), 'a\u0000b', 'a\nb', 5]) {
    const response = await create(name)
    t.equal(response.status, 400, JSON.stringify(name))
    t.match(await response.json(), { errors: [{ pointer: '/body/name' }] })
  }
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
    [limited, server.weatherKey].map((key) => key.slice(5, 21)),
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

t.test('keys are listed in pages, each with the keys that the caller covers', async (t) => {
  const server = await startServer(t)
  const grants = Array.from({ length: 700 }, (_, index) => ({ org: 'acme', repos: [index % 5 ? 'other' : 'weather'] }))
  for (const [index, grant] of grants.entries()) {
    await createApiKey(server.db, { ...grant, role: 'reader' }, new Date(Date.UTC(2026, 10, 1, 0, 0, index >> 1)))
  }
  const limited = await createApiKey(server.db, { org: 'acme', role: 'admin', repos: ['weather'] }, new Date())
  for (const [key, count] of [
    [server.adminKey, 704],
    [limited, 142],
  ] as const) {
    const ids = new Set<string>()
    const times: string[] = []
    for (let query = '?limit=60', pages = 1; query !== ''; pages++) {
      const page = ApiKeyPage.parse(await (await actAs(server, key)('GET', `keys${query}`)).json())
      for (const { id, created_at } of page.items) {
        ids.add(id)
        times.push(created_at)
      }
      t.ok(page.items.length === 60 || page.next === null)
      t.ok(pages < 20)
      query = page.next === null ? '' : `?limit=60&before=${page.next}`
    }
    t.equal(ids.size, count)
    t.strictSame(times, times.toSorted().toReversed(), 'newest first')
  }
  const refused = await server.administer('GET', 'keys?limit=1000')
  t.equal(refused.status, 400)
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

t.test('an organisation that is no longer served answers like a wrong key', async (t) => {
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

t.test('a declared key is revoked where it is declared', async (t) => {
  const server = await startServer(t)
  const declared = {
    id: 'd'.repeat(16),
    org: 'acme',
    name: null,
    role: 'reader',
    repos: null,
    expiresAt: null,
  } as const
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

t.test('a revoked key takes the keys that were made with it, unless they are to be kept', async (t) => {
  const server = await startServer(t)
  const make = async (key: string) => {
    const response = await actAs(server, key)('POST', 'keys', { role: 'admin' })
    return CreatedApiKey.parse(await response.json()).key
  }
  const first = await make(server.adminKey)
  const kept = await make(first)
  const last = await make(kept)
  const listRevoked = async () => {
    const { items } = List.parse(await (await server.administer('GET', 'keys')).json())
    return new Set(items.filter((key) => key.revoked_at !== null).map(({ id }) => id))
  }
  const idsOf = (...keys: string[]) => new Set(keys.map((key) => key.slice(5, 21)))
  const revoke = (key: string, query = '') => server.administer('DELETE', `keys/${key.slice(5, 21)}${query}`)

  t.equal((await revoke(first, '?keep_descendants=true')).status, 204)
  t.equal((await revoke(last, '?keep_descendants=perhaps')).status, 400)
  t.same(await listRevoked(), idsOf(first))
  t.equal((await revoke(kept)).status, 204)
  t.same(await listRevoked(), idsOf(first, kept, last))
  const { items } = await (await server.administer('GET', 'audit')).json()
  const revoked = items.filter((entry: { action: string }) => entry.action === 'key.revoke')
  t.same(new Set(revoked.map((entry: { subject_id: string }) => entry.subject_id)), idsOf(first, kept, last))
})
