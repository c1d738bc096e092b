import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Problem } from '@floe/contract'
import { openDatabase } from '@floe/storage/database'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { reachableEngines } from '../storage/database/engines.ts'
import { startServer } from './start-server.ts'

const webhook = { url: 'https://example.org/hook', alias: 'tiles', events: ['NewCommit'] }

async function isUnavailable(t: Test, response: Response): Promise<void> {
  t.equal(response.status, 503)
  t.match(Problem.parse(await response.json()), { type: '/problems/unavailable', detail: /database/ })
}

t.test('while another process holds the lock of SQLite, changes are told to come later', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'floe.db')}`
  const db = await openDatabase(url)
  const other = await openDatabase(url)
  t.teardown(() => Promise.all([db.destroy(), other.destroy()]))
  const server = await startServer(t, { db })
  await server.administer('GET', 'repos')
  await sql`pragma busy_timeout = 0`.execute(db)
  await other.transaction().execute(async () => {
    await isUnavailable(t, await server.administer('POST', 'repos/weather/webhooks', webhook))
    t.equal((await server.administer('GET', 'repos/weather/webhooks')).status, 200)
  })
  t.equal((await server.administer('POST', 'repos/weather/webhooks', webhook)).status, 201)
})

const postgres = (await reachableEngines(t)).find(({ newUrl }) => newUrl !== undefined)

t.test('while PostgreSQL cannot be reached, callers are told to come later', { skip: !postgres }, async (t) => {
  const url = new URL((await postgres?.newUrl?.(t)) ?? '')
  const relay = await startRelay(t, Number(url.port))
  url.port = String(relay.port)
  const db = await openDatabase(url.href)
  t.teardown(() => db.destroy())
  const server = await startServer(t, { db })
  t.equal((await server.administer('POST', 'repos/weather/webhooks', webhook)).status, 201)
  relay.close()
  await isUnavailable(t, await server.administer('GET', 'repos/weather/webhooks'))
})

/** Stands between a client and a port of this machine. */
async function startRelay(t: Test, target: number) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to).on('error', () => undefined)
      from.on('close', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    if (server.listening) server.close()
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(close)
  // A TCP server that listens has such an address.
  return { port: (server.address() as AddressInfo).port, close }
}
