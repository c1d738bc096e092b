// The port for operators' tools, while callers take all that the service has for them.
import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { Problem } from '@floe/contract'
import { t } from 'tap'
import { overload, startMonitored } from './start-monitored.ts'
import { waitUntil } from '../../wait-until.ts'
import { startLoopback } from '../../../storage/repositories/objects/loopback-server.ts'

t.test('metrics and health are at the port for anyone, and nothing else is', async (t) => {
  const { server, port } = await startMonitored(t)
  const metrics = await fetch(`${port}/metrics`)
  t.match(metrics.headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
  t.match(await metrics.text(), /^floe_streams_open 0$/m)
  t.strictSame(await (await fetch(`${port}/healthz`)).json(), { status: 'ok' })
  const starting = await fetch(`${port}/readyz`)
  t.equal(starting.status, 503)
  t.match(Problem.parse(await starting.json()), { detail: 'Notifications have not started yet' })
  await server.notifier.start()
  t.strictSame(await (await fetch(`${port}/readyz?verbose`)).json(), { status: 'ok' })
  t.equal((await fetch(`${port}/v1/`)).status, 404)
  t.equal((await fetch(`${port}/healthz`, { method: 'POST' })).status, 404)
  t.equal((await fetch(`${server.origin}/metrics`)).status, 404, 'the metrics are only there')
  t.equal((await fetch(`${server.origin}/healthz`)).status, 200, 'health checks are also at the usual port')
})

t.test('callers who use up all connections of the service do not block the port', async (t) => {
  const { server, port } = await startMonitored(t, {
    connectionLimits: { connections: 5, connectionsPerAddress: 5 },
    streamLimits: { streams: 5, streamsPerCaller: 5 },
  })
  await server.notifier.start()
  for (let count = 0; count < 5; count++) {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1').on('error', () => {})
    t.teardown(() => socket.destroy())
    // Headers that never end.
    socket.write('GET /healthz HTTP/1.1\r\nhost: floe.test\r\n')
    await once(server.http, 'connection')
  }
  await t.rejects(fetch(`${server.origin}/healthz`), 'the service takes no more callers')
  for (const path of ['/healthz', '/readyz', '/metrics']) t.equal((await fetch(`${port}${path}`)).status, 200, path)
})

t.test('an address that sends slow requests leaves room for probes of others, and is cut off', async (t) => {
  const { port } = await startMonitored(t)
  /** Resolves when the server ends the connection. */
  const hold = (origin: string) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => {})
    t.teardown(() => socket.destroy())
    // Headers that never end.
    socket.write('GET /healthz HTTP/1.1\r\nhost: floe.test\r\n')
    return new Promise((resolve) => socket.resume().once('close', resolve))
  }
  const { origin } = await startLoopback(t, () => {})
  let isHeld = true
  void hold(origin).then(() => (isHeld = false))
  const closings = Array.from({ length: 120 }, () => hold(port))
  // As many connections as the port has, and more.
  await Promise.race(closings)
  const status = await new Promise((resolve, reject) => {
    const probe = get(`${port}/healthz`, { localAddress: '127.0.0.2', agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    probe.on('error', reject)
  })
  t.equal(status, 200)
  await Promise.all(closings)
  t.ok(isHeld, 'long before other servers cut it off, which Node.js does after a minute')
})

t.test('while requests are refused, health checks and metrics are answered', async (t) => {
  const { server, port } = await startMonitored(t, overload)
  await server.notifier.start()
  await waitUntil(async () => (await fetch(`${port}/readyz`)).status === 503)
  t.equal((await server.get('discovery')).status, 503)
  t.match(await (await fetch(`${port}/readyz`)).json(), { detail: /Memory or processor time is short/ })
  t.equal((await fetch(`${port}/healthz`)).status, 200)
  t.match(await (await fetch(`${port}/metrics`)).text(), /^floe_overloaded 1$/m)
})
