// What the log of a service says while its database is away.
import { cp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { t, type Test } from 'tap'
import { reachableEngines } from '../../../storage/records/database/engines.ts'
import { startRelay } from '../../../storage/records/database/relay.ts'
import { fixtures } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'
import { serveConfig, writeConfig } from '../commands/floe-process.ts'
import { findFreePort } from '../../../../scripts/free-port.ts'

/** A database that a test takes away from a service, and gives back. */
type Losable = {
  readonly url: string
  readonly lose: () => Promise<unknown>
  readonly giveBack: () => Promise<unknown>
}

const postgres = (await reachableEngines(t)).find(({ newUrl }) => newUrl !== undefined)

const databases: Readonly<Record<string, (t: Test, folder: string) => Promise<Losable>>> = {
  SQLite: async (_t, folder) => {
    const file = join(folder, 'floe.db')
    const move = (from: string, to: string) => () => rename(from, to)
    return { url: `sqlite:${file}`, lose: move(file, `${file}.moved`), giveBack: move(`${file}.moved`, file) }
  },
  PostgreSQL: async (t) => {
    const url = new URL((await postgres?.newUrl?.(t)) ?? '')
    const { port, stop, start } = await startRelay(t, Number(url.port))
    url.port = String(port)
    return { url: url.href, lose: stop, giveBack: start }
  },
}

for (const [name, open] of Object.entries(databases)) {
  const skip = name === 'PostgreSQL' && postgres === undefined && 'no PostgreSQL'
  t.test(`the log says once that ${name} is away and why, and once that it is back`, { skip }, async (t) => {
    const folder = t.testdir({ repositories: {} })
    await cp(join(fixtures, 'weather'), join(folder, 'repositories/weather'), { recursive: true })
    const { url, lose, giveBack } = await open(t, folder)
    const port = await findFreePort()
    await writeConfig(folder, {
      database: url,
      notifications: { pollInterval: '1s' },
      metrics: { listen: { port } },
      // Without it, a service with PostgreSQL does not start.
      encryptionKey: 'a'.repeat(64),
    })
    const { child, ended, origin } = await serveConfig(t, folder)
    let text = ''
    child.stderr?.on('data', (more) => (text += more))
    const readLines = () => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    const listMessages = (level: string) => readLines().flatMap((line) => (line.level === level ? [line.msg] : []))
    const isReady = async () => (await fetch(`${origin}/readyz`)).status === 200
    await waitUntil(isReady)
    await lose()
    await waitUntil(() => listMessages('error').length > 0)
    // Heartbeats, polls, probes and scrapes fail.
    for (let n = 0; n < 20; n++) {
      await fetch(`http://127.0.0.1:${port}/metrics`)
      await fetch(`${origin}/v1/orgs/acme/keys`, {
        headers: { authorization: `Bearer floe_${'a'.repeat(16)}_${'b'.repeat(43)}` },
      })
      if (name === 'PostgreSQL') t.equal(await isReady(), false)
    }
    await giveBack()
    await waitUntil(() => listMessages('warn').includes('the database can be used again'))
    t.strictSame(listMessages('error'), ['the database cannot be used'])
    t.strictSame(listMessages('warn'), ['the database can be used again'])
    const away = readLines().find(({ level }) => level === 'error')
    t.match(away, { err: { message: String }, reason: /database/ })
    child.kill('SIGTERM')
    t.match(await ended, { code: 0 })
  })
}
