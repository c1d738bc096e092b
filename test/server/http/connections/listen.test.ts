import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { platform } from 'node:os'
import Fastify, { type FastifyInstance } from 'fastify'
import { t, type Test } from 'tap'
import { listen } from '../../../../server/http/connections/listen.ts'
import { limitConnections } from '../../../../server/http/connections/limit-connections.ts'
import { systemTiming } from '../../../../server/timing.ts'

const host = '127.0.0.1'
const sockets = 8
// Other systems have one socket, which the tests of the whole service use there.
const skip = platform() === 'linux' ? false : 'only Linux spreads connections over several sockets'

const prepare = (t: Test): FastifyInstance => {
  const app = Fastify()
  app.get('/', async () => 'answered')
  t.teardown(() => app.close())
  return app
}

const readPort = (app: FastifyInstance) => (app.server.address() as AddressInfo).port // it listens on a port

/** Opens so many connections; resolves when the system has made them. */
function openMany(t: Test, app: FastifyInstance, count: number): Promise<Socket[]> {
  const opened = Array.from({ length: count }, async () => {
    const socket = connect(readPort(app), host).on('error', () => {})
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  })
  return Promise.all(opened)
}

/** Most connections that are accepted in one turn of the event loop, of 200 that come at once. */
async function countMostInOneTurn(t: Test, sockets: number): Promise<number> {
  const app = prepare(t)
  await listen(app, { host, port: 0 }, sockets)
  const { promise: all, resolve } = Promise.withResolvers<void>()
  let [total, inTurn, most] = [0, 0, 0]
  app.server.on('connection', () => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0))
    inTurn += 1
    most = Math.max(most, inTurn)
    total += 1
    if (total === 200) resolve()
  })
  await Promise.all([openMany(t, app, 200), all])
  return most
}

t.test('with several sockets, several connections are accepted in one turn of the event loop', { skip }, async (t) => {
  t.equal(await countMostInOneTurn(t, 1), 1, 'if Node.js accepts more by now, one socket is enough')
  t.ok((await countMostInOneTurn(t, sockets)) > 1)
})

t.test('a port that somebody listens on is refused, also when both would share it', { skip }, async (t) => {
  const app = prepare(t)
  await listen(app, { host, port: 0 }, sockets)
  await t.rejects(listen(prepare(t), { host, port: readPort(app) }, sockets), { code: 'EADDRINUSE', syscall: 'listen' })
})

t.test('the limit of connections is one for all sockets', { skip }, async (t) => {
  const app = prepare(t)
  const limits = { connections: 5, connectionsPerAddress: 100 }
  limitConnections(app.server, { limits, trustProxy: [], after: systemTiming.after })
  await listen(app, { host, port: 0 }, sockets)
  const opened = await openMany(t, app, 40)
  const ends = opened.map(async (socket) => {
    socket.write('GET / HTTP/1.1\r\nhost: floe.test\r\n\r\n')
    const { promise, resolve } = Promise.withResolvers<string>()
    socket.once('data', () => resolve('answered')).once('close', () => resolve('closed'))
    return promise
  })
  t.equal((await Promise.all(ends)).filter((end) => end === 'answered').length, 5)
})

t.test('a stop waits for the requests of all sockets, and takes no new ones', { skip }, async (t) => {
  const app = prepare(t)
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  let count = 0
  app.get('/slow', () => {
    count += 1
    if (count === 20) asked.resolve()
    return answer.promise
  })
  await listen(app, { host, port: 0 }, sockets)
  const { listeningOrigin } = app
  const ask = async (path: string) =>
    (await fetch(`${listeningOrigin}${path}`, { headers: { connection: 'close' } })).text()
  const answers = Array.from({ length: 20 }, () => ask('/slow'))
  await asked.promise
  let isClosed = false
  const closed = app.close().then(() => (isClosed = true))
  while (await ask('/').catch(() => undefined));
  t.equal(isClosed, false)
  answer.resolve('answered late')
  t.strictSame(await Promise.all(answers), Array(20).fill('answered late'))
  await closed
})
