// A service on a database that its first version made.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { identifyApiKey } from '@floe/storage/database'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { t } from 'tap'
import { loadConfig } from '../../../server/main/configuration/load-config.ts'
import { runServer } from '../../../server/main/run-server.ts'
import { chooseColumnTypes } from '../../../storage/database/engine.ts'
import { createMigrations } from '../../../storage/database/migrations/index.ts'
import { openSqlite } from '../../../storage/database/sqlite/open-sqlite.ts'
import { receive } from '../administration/start-administration.ts'
import { basic, fixtures } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'
import { writeConfig } from './commands/floe-process.ts'

const key = `floe_0123456789abcdef_${'k'.repeat(43)}`
const revokedKey = `floe_fedcba9876543210_${'k'.repeat(43)}`

/** Makes a database of the first version, with a repository, a valid key and a revoked one. */
async function makeFirst(file: string): Promise<void> {
  const db = new Kysely<unknown>({ dialect: openSqlite(file, 5_000).ordinary })
  const provider = { getMigrations: async () => createMigrations(chooseColumnTypes(db)) }
  await new Migrator({ db, provider }).migrateTo('0001-repositories-and-api-keys')
  const then = '2026-01-02T03:04:05.000Z'
  await sql`
    insert into repositories (id, org, name, created_at) values ('11111111-2222-4333-8444-555555555555', 'acme', 'weather', ${then})
  `.execute(db)
  for (const [text, revokedAt] of [
    [key, null],
    [revokedKey, then],
  ] as const) {
    const identity = identifyApiKey(text)
    if (identity === undefined) throw new Error('that is no key')
    await sql`
      insert into api_keys (id, org, role, repos, secret_hash, created_at, revoked_at)
        values (${identity.id}, 'acme', 'admin', null, ${identity.sha256}, ${then}, ${revokedAt})
    `.execute(db)
  }
  await db.destroy()
}

t.test('a database of the first version is brought up to date and used', async (t) => {
  const receiver = await receive(t, { status: 204 })
  const directory = t.testdir({ repositories: {} })
  await cp(join(fixtures, 'weather'), join(directory, 'repositories/weather'), { recursive: true })
  await makeFirst(join(directory, 'floe.db'))
  const file = await writeConfig(directory, { deployments: [{ name: 'tiles', org: 'acme' }] })
  const config = await loadConfig(file, {}, {})
  const stop = new AbortController()
  const listening = Promise.withResolvers<string>()
  const running = runServer(config, { stop: stop.signal, out: (text) => listening.resolve(text) })
  t.teardown(async () => {
    stop.abort()
    await running
  })
  const origin = (await Promise.race([listening.promise, running.then(() => '')])).replace('listening on ', '').trim()
  const call = (
    path: string,
    { method = 'GET', body, as = key }: { method?: string; body?: unknown; as?: string } = {},
  ) =>
    fetch(`${origin}/v1/${path}`, {
      method,
      headers: { authorization: basic('acme', as), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const discovery = 'services/tiles/acme/_meta/discovery'
  t.strictSame(await (await call(discovery)).json(), ['weather'], 'the key of the first version is valid')
  t.equal((await call(discovery, { as: revokedKey })).status, 401, 'one that was revoked stays so')
  const webhook = { url: receiver.origin, alias: 'hook', events: ['NewCommit'] }
  t.equal((await call('orgs/acme/repos/weather/webhooks', { method: 'POST', body: webhook })).status, 201)
  await cp(join(fixtures, 'satellite'), join(directory, 'repositories/weather'), { recursive: true })
  const refreshed = await call('orgs/acme/repos/weather/refresh', { method: 'POST' })
  // Otherwise nothing would be received.
  if (!t.equal(refreshed.status, 200)) return
  await waitUntil(() => receiver.requests.length > 0)
  const details = { repo_name: 'weather', repo_id: '11111111-2222-4333-8444-555555555555' }
  t.match(JSON.parse(receiver.requests[0]?.body ?? ''), { details })
})
