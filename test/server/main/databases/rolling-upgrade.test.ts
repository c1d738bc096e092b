// Two processes whose versions are one migration apart share a database.
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from 'tap'
import { openUnmigrated } from '@floe/storage/database'
import { listBreaking, migrations } from '../../../../storage/records/database/migrations/index.ts'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { startReceiver } from '../../notifications/start-receiver.ts'
import { readHistory } from '../../notifications/fixture-histories.ts'
import { basic } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'
import { askService } from '../ask-service.ts'
import { runFloe, serveConfig, writeConfig } from '../commands/floe-process.ts'

const newer = `--import=${new URL('next-version.ts', import.meta.url).href}`
const breaking = `${newer}?breaking`

t.test('each migration that needs a stop is named in the documents', async (t) => {
  const page = await readFile(new URL('../../../../docs/operating/upgrade.md', import.meta.url), 'utf8')
  const listed = listBreaking(Object.keys(migrations))
  t.equal(page.includes('| 0.1.0 | none |'), listed.length === 0)
  for (const name of listed) t.match(page, `\`${name}\``)
})

const postgres = (await reachableEngines(t)).find(({ newUrl }) => newUrl !== undefined)

for (const name of ['SQLite', 'PostgreSQL']) {
  const skip = name === 'PostgreSQL' && postgres === undefined && 'no PostgreSQL'
  t.test(`processes of two neighbouring versions run side by side (${name})`, { skip }, async (t) => {
    const cwd = t.testdir()
    await mkdir(join(cwd, 'repositories'))
    const states = await Promise.all(['expired', 'reset'].map(readHistory))
    await cp(states[0]?.directory ?? '', join(cwd, 'repositories/ocean'), { recursive: true })
    const received = new Set<string>()
    const port = await startReceiver(t, (request, response) => {
      received.add(String(request.headers['webhook-sequence']))
      response.writeHead(204).end()
    })
    const database = name === 'SQLite' ? `sqlite:${join(cwd, 'floe.db')}` : ((await postgres?.newUrl?.(t)) ?? '')
    await writeConfig(cwd, { database, encryptionKey: 'a'.repeat(64) })
    const key = (await runFloe(t, cwd, 'keys', 'create', '--org', 'acme', '--role', 'admin', '--config', 'floe.yaml'))
      .out
    const headers = { authorization: basic('acme', key.trim()), 'content-type': 'application/json' }

    const older = await serveConfig(t, cwd)
    const ask = async (origin: string, method: string, path: string, body?: object) => {
      const response = await askService(`${origin}/v1/orgs/acme/${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      t.ok(response.ok, `${method} ${path}: ${response.status}`)
      return response.json()
    }
    await ask(older.origin, 'POST', 'repos/ocean/refresh')
    const hook = { kind: 'webhook', url: `https://127.0.0.1:${port}/`, events: ['NewCommit'] }
    await ask(older.origin, 'POST', 'repos/ocean/receivers', { ...hook, alias: 'pipeline' })
    const next = await serveConfig(t, cwd, [newer])
    const db = await openUnmigrated(database)
    t.teardown(() => db?.destroy())
    const countReplicas = async () => (await db?.selectFrom('replicas').select('id').execute())?.length
    await waitUntil(async () => (await countReplicas()) === 2)

    // Each records a head move and adds a receiver, and one of them delivers what the other has recorded.
    for (const [index, { origin }] of [older, next].entries()) {
      const state = states[(index + 1) % states.length]
      await cp(join(state?.directory ?? '', 'repo'), join(cwd, 'repositories/ocean/repo'))
      await ask(origin, 'POST', 'repos/ocean/refresh')
      await waitUntil(() => received.size === index + 1)
      await ask(origin, 'POST', 'repos/ocean/receivers', { ...hook, alias: `added ${index}`, enabled: false })
    }
    for (const { origin } of [older, next]) {
      t.equal((await ask(origin, 'GET', 'repos/ocean/receivers')).items.length, 3)
      const { items } = await ask(origin, 'GET', 'deliveries?state=delivered')
      t.equal(items.length, 2)
    }

    // A process of the older version can also start beside the newer one.
    older.child.kill('SIGTERM')
    t.match(await older.ended, { code: 0 })
    const again = await serveConfig(t, cwd)
    await waitUntil(async () => (await countReplicas()) === 2)
    t.match(await runFloe(t, cwd, 'check', '--config', 'floe.yaml'), {
      code: 0,
      out: /is newer than this program: .* 9998-next; this version can run beside it/,
    })

    const refused = /is used by processes of an older version of Floe, which cannot run with 9999-breaking\. Stop all/
    await t.rejects(serveConfig(t, cwd, [newer, breaking]), { message: refused })
    for (const { child } of [next, again]) child.kill('SIGTERM')
    for (const { ended } of [next, again]) t.match(await ended, { code: 0 })
    const last = await serveConfig(t, cwd, [newer, breaking])
    await t.rejects(serveConfig(t, cwd), { message: /is newer than this program: .* 9999-breaking/ })
    last.child.kill('SIGTERM')
    t.match(await last.ended, { code: 0 })
  })
}
