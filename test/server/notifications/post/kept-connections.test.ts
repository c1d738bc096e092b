// What a connection to a receiver outlives while one request follows another.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { t, type Test } from 'tap'
import { openTestPoster, readIdentity, startReceiver, testDirectly, writePost } from '../start-receiver.ts'

/** A poster whose stopwatch the test sets, and the requests that it makes every half minute. */
function openSteady(t: Test, port: number, options: Parameters<typeof openTestPoster>[1] = {}) {
  let elapsedMs = 0
  const poster = openTestPoster(t, { ...options, timing: { ...options.timing, elapsed: () => elapsedMs } })
  return {
    /** Posts every half minute up to this one. Returns why the first request failed that did, and when it was made. */
    postUntil: async (minutes: number) => {
      for (; elapsedMs < minutes * 60_000; elapsedMs += 30_000) {
        try {
          await poster.post(writePost(`https://receiver.test:${port}/`))
        } catch (error) {
          return { minutes: elapsedMs / 60_000, message: String(error) }
        }
        // undici frees a connection after it has told of the end of the answer.
        await setImmediate()
      }
      return undefined
    },
  }
}

/** Starts a receiver that counts the connections over which requests come. */
async function startCounting(t: Test, host = '127.0.0.1', atPort = 0) {
  const connections = new Set<unknown>()
  const port = await startReceiver(
    t,
    ({ socket }, response) => {
      connections.add(socket)
      response.end()
    },
    'receiver',
    host,
    atPort,
  )
  return { port, connections }
}

for (const stepMs of [0, -3_600_000, 3_600_000]) {
  const clock = stepMs === 0 ? 'is right' : `is set ${stepMs < 0 ? 'back' : 'forward'} by an hour`
  t.test(`a connection that is always in use is replaced after five minutes when the clock ${clock}`, async (t) => {
    const { port, connections } = await startCounting(t)
    const { postUntil } = openSteady(t, port)
    await postUntil(1)
    const { now } = Date
    t.intercept(Date, 'now', { value: () => now() + stepMs })
    await postUntil(5.5)
    t.equal(connections.size, 1)
    await postUntil(6)
    t.equal(connections.size, 2)
    await postUntil(17)
    t.equal(connections.size, 4, 'no request is lost with a connection')
  })
}

testDirectly(t, 'requests go to another address at most five minutes after its name leads there', async (t) => {
  const { port, connections } = await startCounting(t)
  const addresses = ['127.0.0.1']
  const { postUntil } = openSteady(t, port, { resolveHost: async () => addresses })
  await postUntil(1)
  addresses[0] = '127.0.0.2'
  const moved = await startCounting(t, '127.0.0.2', port)
  t.equal(await postUntil(7), undefined)
  t.equal(connections.size, 1)
  t.equal(moved.connections.size, 1)
})

testDirectly(t, 'nothing is sent five minutes after a name leads into a private network', async (t) => {
  const { port, connections } = await startCounting(t)
  const addresses = ['127.0.0.1']
  const { postUntil } = openSteady(t, port, { resolveHost: async () => addresses })
  await postUntil(1)
  addresses[0] = '10.0.0.1'
  t.match(await postUntil(7), { minutes: 5.5, message: /refused: its host leads to an address that is private/ })
  t.equal(connections.size, 1)
})

for (const { keys, minutes } of [
  { keys: 'new', minutes: 5.5 },
  // The session is resumed for an hour after the check of the certificate.
  { keys: 'old', minutes: 60.5 },
]) {
  t.test(`a receiver that gets another certificate, and has ${keys} keys for sessions, is refused`, async (t) => {
    const identity = { ...readIdentity('receiver'), ticketKeys: randomBytes(48) }
    const server = createServer(identity, (_request, response) => response.end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => server.close())
    t.teardown(() => server.closeAllConnections())
    // A server that listens on TCP has an address and a port.
    const { postUntil } = openSteady(t, (server.address() as AddressInfo).port)
    await postUntil(1)
    server.setSecureContext(readIdentity('other'))
    if (keys === 'new') server.setTicketKeys(randomBytes(48))
    t.match(await postUntil(120), { minutes, message: /the certificate of receiver\.test is for other names/ })
  })
}
