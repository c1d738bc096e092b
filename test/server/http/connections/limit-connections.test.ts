import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { t, type Test } from 'tap'
import { limitReading } from '../../../../server/http/connections/limit-connections.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { startServer } from '../../start-server.ts'

const open = (t: Test, origin: string): Socket => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  return socket
}

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nhost: floe.test\r\n\r\n`

/** Opens a connection that asks for 11 MB, more than the buffers of the system take, and reads nothing. */
async function openStalled(t: Test, origin: string): Promise<void> {
  const socket = open(t, origin).pause()
  await once(socket, 'connect')
  socket.write(ask('/assets/redoc/redoc.standalone.js').repeat(5))
}

/** Resolves when a connection is closed, also after an error. */
const closed = (socket: Socket) =>
  socket.closed ? Promise.resolve() : new Promise<void>((resolve) => socket.once('close', () => resolve()))

/** Whether a connection gets an answer; otherwise it is closed. */
function isServed(socket: Socket): Promise<boolean> {
  socket.write(ask('/healthz'))
  const answered = new Promise<boolean>((resolve) => socket.once('data', () => resolve(true)))
  return Promise.race([answered, closed(socket).then(() => false)])
}

t.test('callers who stop reading are dropped, and others are served meanwhile', async (t) => {
  const server = await startServer(t, { stalledCallerMs: 300 })
  const drops: Promise<void>[] = []
  server.http.on('connection', (socket) => drops.push(closed(socket)))
  // More of them from one address would be refused before they could stall.
  await Promise.all(Array.from({ length: 20 }, () => openStalled(t, server.origin)))
  t.ok(await isServed(open(t, server.origin)))
  t.equal(drops.length, 21)
  await Promise.all(drops.slice(0, 20))
  t.ok(await isServed(open(t, server.origin)))
})

t.test('connections with a thousand requests each are closed, and others are served meanwhile', async (t) => {
  const server = await startServer(t)
  const flood = ask('/v1/services/open/acme/_meta/datasets/weather/main/forecast/info').repeat(1_000)
  const sockets = Array.from({ length: 50 }, () => open(t, server.origin))
  for (const socket of sockets) socket.write(flood)
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${server.origin}/healthz`)))
  t.ok(answers.every(({ status }) => status === 200))
  for (const socket of sockets) socket.resume()
  await Promise.all(sockets.map(closed))
})

t.test('a caller who is refused and neither reads nor leaves does not hold a connection', async (t) => {
  const server = await startServer(t, { stalledCallerMs: 3_600_000 })
  const accepted = new Promise<Socket>((resolve) => server.http.once('connection', resolve))
  open(t, server.origin).pause().write('what is this?\r\n\r\n')
  await closed(await accepted)
})

t.test('a caller whose answer takes long is not dropped', async (t) => {
  const timing = new ManualTiming()
  const response = Object.assign(new EventEmitter(), { destroy: () => response.emit('close') })
  // Of a response, only its events and its end are used.
  limitReading(response as unknown as ServerResponse, timing.after)
  const timeOut = (writableLength: number) => {
    let isDropped = false
    // Node.js closes the connection itself when nobody listens.
    t.ok(response.emit('timeout', { writableLength, destroy: () => (isDropped = true) }))
    return isDropped
  }
  t.equal(timeOut(0), false, 'the answer is being made')
  t.equal(timeOut(1), true, 'the answer is not read')
  const finished = once(response, 'close')
  await timing.pass(300_000, 100_000)
  t.ok(await finished, 'an answer takes five minutes at most')
})

t.test('one address has a limited number of connections, and may open others when it has closed some', async (t) => {
  const server = await startServer(t, { connectionLimits: { connections: 10, connectionsPerAddress: 2 } })
  const [first, second, third] = [open(t, server.origin), open(t, server.origin), open(t, server.origin)]
  t.strictSame(await Promise.all([first, second].map(isServed)), [true, true])
  t.equal(await isServed(third), false)
  first.end()
  await closed(first)
  t.equal(await isServed(open(t, server.origin)), true)
})

t.test('a trusted proxy has only the limit of all connections', async (t) => {
  const connectionLimits = { connections: 3, connectionsPerAddress: 1 }
  const server = await startServer(t, { connectionLimits, trustProxy: ['127.0.0.0/8'] })
  const served = [open(t, server.origin), open(t, server.origin), open(t, server.origin)]
  t.strictSame(await Promise.all(served.map(isServed)), [true, true, true])
  t.equal(await isServed(open(t, server.origin)), false)
})
