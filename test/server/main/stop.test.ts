// How long a stop takes when requests, receivers or the database hang.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDatabase } from '@floe/storage/database'
import Fastify from 'fastify'
import { t, type Test } from 'tap'
import { stopServer, type StoppedParts } from '../../../server/main/run-server.ts'
import { beginRequest } from '../begin-request.ts'
import { serveConfig, writeConfig } from './commands/floe-process.ts'
import { ManualTiming } from '../notifications/manual-timing.ts'
import { waitUntil } from '../wait-until.ts'

const never = new Promise<void>(() => {})

/** A service that stops while it has a request, which is never answered. */
async function prepare(t: Test, stopNotifier: () => Promise<void>, closeReaders = () => {}) {
  const app = Fastify()
  const asked = Promise.withResolvers<void>()
  app.get('/', () => {
    asked.resolve()
    return never
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const answer = fetch(origin).then(
    () => 'answered',
    () => 'cut off',
  )
  await asked.promise
  const timing = new ManualTiming()
  const logged: string[] = []
  const parts: StoppedParts = {
    timing,
    db: await openDatabase('sqlite::memory:'),
    catalogs: { close: () => undefined },
    notifier: { stop: stopNotifier },
    reading: { readers: { close: async () => closeReaders() } },
    log: { error: (message: string) => void logged.push(message) },
  }
  let isStopped = false
  const stopped = stopServer(app, parts).then(() => (isStopped = true))
  return { origin, answer, timing, logged, stopped, isStopped: () => isStopped }
}

// Proves: requests under way have 10 s to finish during a stop
t.test('requests under way get ten seconds, and new ones are refused', async (t) => {
  const { origin, answer, timing, logged, stopped, isStopped } = await prepare(t, async () => undefined)
  await timing.pass(9_900)
  t.equal(isStopped(), false)
  await t.rejects(fetch(origin), { cause: { code: 'ECONNREFUSED' } })
  await timing.pass(100)
  t.equal(await answer, 'cut off')
  await stopped
  t.strictSame(logged, [])
})

// Proves: a stop takes at most 16 s: 15 s for the service, and 1 s for parts of its process that hang
t.test('a part that hangs delays the stop by at most fifteen seconds', async (t) => {
  const { answer, timing, logged, stopped, isStopped } = await prepare(t, () => never)
  await timing.pass(10_000)
  t.equal(await answer, 'cut off')
  await timing.pass(4_900)
  t.equal(isStopped(), false)
  await timing.pass(100)
  t.equal(isStopped(), true)
  // A longer limit would be over too.
  await timing.pass(60_000)
  await stopped
  t.match(logged, [/not everything has ended 15 s after the signal to stop/])
})

t.test('reader threads answer the checks of heads until these have stopped', async (t) => {
  const ends: string[] = []
  const { promise: notifierStops, resolve: stopNotifier } = Promise.withResolvers<void>()
  const { timing, stopped } = await prepare(
    t,
    () => notifierStops.then(() => void ends.push('notifier')),
    () => void ends.push('readers'),
  )
  await timing.pass(10_000)
  t.strictSame(ends, [])
  stopNotifier()
  await stopped
  t.strictSame(ends, ['notifier', 'readers'])
})

/** A store that never answers. */
async function startSilentStore(t: Test): Promise<string> {
  const server: Server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/repository` // it listens on a port
}

for (const [first, second] of [
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
] as const) {
  // Proves: a second signal ends the process at once
  t.test(`${second} after ${first} ends a process at once that waits for a request`, async (t) => {
    const location = await startSilentStore(t)
    const cwd = t.testdir()
    const orgs = { acme: { repositories: [{ name: 'silent', location }] } }
    await writeConfig(cwd, { orgs, notifications: { pollInterval: '1h' } })
    const { child, ended, origin } = await serveConfig(t, cwd)
    const address = `${origin}/v1/services/tiles/acme/_meta/discovery/silent`
    // A request to the store would not show it, because the service reads the head of `main` by itself.
    let { status } = await beginRequest(address)
    // On a busy machine, a service that has just started may refuse requests at once.
    while ((await Promise.race([status, fetch(`${origin}/healthz`)])) === 503)
      ({ status } = await beginRequest(address))
    child.kill(first)
    // The port is closed at once.
    await waitUntil(() =>
      fetch(`${origin}/healthz`).then(
        () => false,
        () => true,
      ),
    )
    child.kill(second)
    t.match(await ended, { code: null, signal: second })
    t.equal(await status, undefined, 'the request is cut off')
  })
}
