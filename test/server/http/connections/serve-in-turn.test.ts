import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { t, type Test } from 'tap'
import { serveInTurn } from '../../../../server/http/connections/serve-in-turn.ts'

const clock = { ms: 0 }
const turnParts = {
  elapsed: () => clock.ms,
  refuse: (_: IncomingMessage, response: ServerResponse) => void response.writeHead(503).end(),
  isUrgent: ({ url }: IncomingMessage) => url === '/healthz',
}

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nhost: floe.test\r\n\r\n`

type Begun = { readonly path: string | undefined; readonly response: ServerResponse }

/** A server whose answers are given by the test, and a connection to it. */
async function open(t: Test) {
  const begun: Begun[] = []
  const server = createServer((request: IncomingMessage, response) => {
    begun.push({ path: request.url, response })
    server.emit('begun')
  })
  serveInTurn(server, turnParts)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  const socket = connect(address.port, '127.0.0.1').setEncoding('latin1')
  socket.on('error', () => {})
  t.teardown(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  let received = ''
  socket.on('data', (text: string) => (received += text))
  return { begun, server, socket, listBodies: () => received.match(/(?<=\r\n\r\n)\/\d+/g) }
}

t.test('requests that are sent without waiting are worked on one after the other', async (t) => {
  const { begun, server, socket, listBodies } = await open(t)
  const paths = Array.from({ length: 17 }, (_, index) => `/${index}`)
  socket.write(paths.map(ask).join(''))
  for (const [index, path] of paths.entries()) {
    if (begun.length <= index) await once(server, 'begun')
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    t.equal(begun.length, index + 1)
    t.equal(begun[index]?.path, path)
    begun[index]?.response.end(path)
  }
  while (listBodies()?.length !== paths.length) await once(socket, 'data')
  t.strictSame(listBodies(), paths)
  socket.write(ask('/17'))
  await once(server, 'begun')
  t.equal(begun[17]?.path, '/17', 'the connection goes on')
})

t.test('a connection with too many waiting requests is closed, and they are not worked on', async (t) => {
  const { begun, socket } = await open(t)
  socket.write(ask('/').repeat(18))
  await new Promise((resolve) => socket.once('close', resolve))
  t.equal(begun.length, 1)
})

t.test('requests that wait on a connection that is closed are not worked on', async (t) => {
  const { begun, server, socket } = await open(t)
  socket.write(ask('/').repeat(10))
  await once(server, 'begun')
  const closed = once(begun[0]?.response ?? server, 'close')
  socket.destroy()
  await closed
  t.equal(begun.length, 1)
})

t.test('of many requests that arrive at once, 32 are begun in each turn of the event loop', async (t) => {
  const begun: IncomingMessage[] = []
  const server = createServer((request) => begun.push(request))
  serveInTurn(server, turnParts)
  const requests = Array.from({ length: 100 }, () => new IncomingMessage(new Socket()))
  for (const request of requests) server.emit('request', request, new ServerResponse(request))
  requests[99]?.socket.destroy()
  for (const count of [32, 64, 96, 99, 99]) {
    t.strictSame(begun, requests.slice(0, count), `${count} are begun, in order`)
    await nextTurn()
  }
})

/** Lets requests arrive, and returns what happens to them, in order. */
function openTurns() {
  const clock = { ms: 0 }
  const events: string[] = []
  const server = createServer((request) => void events.push(`begun ${request.url}`))
  const refuse = (request: IncomingMessage) => void events.push(`refused ${request.url}`)
  serveInTurn(server, { ...turnParts, elapsed: () => clock.ms, refuse })
  const arrive = (url: string) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { url })
    server.emit('request', request, new ServerResponse(request))
  }
  return { clock, events, arrive }
}

t.test('a turn in which 2 ms have passed begins no more requests, and each begins one', async (t) => {
  const { clock, events, arrive } = openTurns()
  arrive('/0')
  clock.ms = 3
  for (const url of ['/1', '/2']) arrive(url)
  t.strictSame(events, ['begun /0'])
  await nextTurn()
  t.strictSame(events, ['begun /0', 'begun /1', 'begun /2'])
})

t.test(
  'a request that has waited three seconds is refused, those behind it are begun, and health checks do not wait',
  async (t) => {
    const { clock, events, arrive } = openTurns()
    for (let n = 0; n < 33; n++) arrive(`/${n}`)
    arrive('/healthz')
    t.strictSame(events.slice(-2), ['begun /31', 'begun /healthz'])
    clock.ms = 2_000
    arrive('/late')
    clock.ms = 3_001
    await nextTurn()
    t.strictSame(events.slice(33), ['refused /32', 'begun /late'])
  },
)
