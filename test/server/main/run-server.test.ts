import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { applyDeclaredApiKeys, openDatabase, readApiKey } from '@floe/storage/database'
import Fastify from 'fastify'
import { t, type Test } from 'tap'
import { startServer } from '../../../server/main/run-server.ts'
import { systemTiming } from '../../../server/timing.ts'
import { DatabaseClock } from '../../../server/notifications/database-clock.ts'

const id = '0123456789abcdef'

/** The parts of a service whose file no longer declares a key, and what happened in which order. */
async function prepareStart(t: Test) {
  const db = await openDatabase('sqlite::memory:')
  const key = { id, org: 'acme', name: null, role: 'admin', repos: null, expiresAt: null } as const
  await applyDeclaredApiKeys(db, [{ ...key, sha256: new Uint8Array(32), isBootstrap: false }], new Date())
  const isRevoked = async () => (await readApiKey(db, id))?.revokedAt !== null
  const events: string[] = []
  const app = Fastify()
  // Fastify calls this before it listens.
  app.addHook(
    'onReady',
    async () => void events.push(`before listening, the key is ${(await isRevoked()) ? '' : 'not '}revoked`),
  )
  app.addHook('onListen', async () => void events.push('listening'))
  // The start needs no more of a notifier than these.
  const notifier = { start: async () => void events.push('notifying') } as unknown as Parameters<
    typeof startServer
  >[2]['notifier']
  const { timing } = new DatabaseClock(db, systemTiming)
  t.teardown(async () => {
    await app.close()
    await db.destroy()
  })
  return { app, isRevoked, events, parts: { db, timing, declaredKeys: [], notifier } }
}

const listenAt = (port: number) => ({
  listen: { host: '127.0.0.1', port, trustProxy: [] },
  metrics: { listen: { host: '127.0.0.1', port: null } },
})

t.test('declared keys that are gone are revoked before the port listens, and nothing is sent before', async (t) => {
  const { app, events, parts } = await prepareStart(t)
  await startServer(app, listenAt(0), parts)
  t.strictSame(events, ['before listening, the key is revoked', 'listening', 'notifying'])
})

t.test('a port in use stops the start before anything is revoked or sent', async (t) => {
  const { app, events, isRevoked, parts } = await prepareStart(t)
  const other = createServer().listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo // it listens on a port
  await t.rejects(startServer(app, listenAt(port), parts), { name: 'ConfigError', cause: { code: 'EADDRINUSE' } })
  t.strictSame(events, [])
  t.equal(await isRevoked(), false)
})
