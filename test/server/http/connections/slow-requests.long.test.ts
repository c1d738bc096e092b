// Callers at many addresses who send requests slowly, or in many pieces.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as rest } from 'node:timers/promises'
import { t, type Test } from 'tap'
import { measureMemory } from '../../measure-memory.ts'
import { type RunningServer, startServer } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'

/** Opens a connection from one of ten addresses. Returns it, and what it has received. */
async function open(t: Test, { origin }: RunningServer, index: number) {
  const { hostname: host, port } = new URL(origin)
  const socket = connect({ host, port: Number(port), localAddress: `127.0.0.${10 + (index % 10)}` })
  t.teardown(() => socket.destroy())
  const caller = { socket, received: '', isOpen: true }
  socket.setEncoding('latin1').on('data', (text: string) => (caller.received += text))
  socket.on('error', () => {}).once('close', () => (caller.isOpen = false))
  await once(socket, 'connect')
  return caller
}

const countConnections = ({ http }: RunningServer) =>
  new Promise<number>((resolve) => http.getConnections((_error, count) => resolve(count)))

const postContract = ({ publicMeta }: RunningServer) =>
  `POST ${new URL(publicMeta).pathname}/compatibility/weather/main HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`

const describeDataset = 'datasets/weather/main/forecast/info'

t.test('slow requests keep nobody waiting, take little memory, and end with the time for a request', async (t) => {
  const count = 1_200
  // One more is that of all others.
  const connectionLimits = { connections: count + 1, connectionsPerAddress: count / 10 }
  // However long a busy machine takes to open all connections.
  const server = await startServer(t, { connectionLimits, stalledCallerMs: 600_000 })
  const { http, publicMeta } = server
  t.match(http, { headersTimeout: 20_000, requestTimeout: 60_000 }, 'as the documents say')
  http.headersTimeout = 0
  http.requestTimeout = 0
  const beginnings = {
    nothing: '',
    headers: 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ',
    body: `${postContract(server)}content-length: 60000\r\n\r\n{"version":`,
    'a second request': 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\nGET /healthz HTTP/1.1\r\nx-slow: ',
  }
  const before = measureMemory()
  const callers: Awaited<ReturnType<typeof open>>[] = []
  for (let index = 0; index < count; index++) {
    const caller = await open(t, server, index)
    // Those who send nothing stay silent. The others send one byte after the other.
    const beginning = Object.values(beginnings)[index % 4] ?? ''
    if (beginning !== '') caller.socket.write(beginning)
    callers.push(caller)
  }
  const drip = () => {
    for (const [index, { socket }] of callers.entries()) if (index % 4 > 0 && socket.writable) socket.write('1')
  }
  for (let round = 0; round < 20; round++) {
    drip()
    const answer = await fetch(`${publicMeta}/${describeDataset}`)
    t.equal(answer.status, 200)
    await answer.arrayBuffer()
  }
  t.equal(await countConnections(server), count + 1, 'all of them are connected')
  const late = await open(t, server, 0)
  await waitUntil(() => !late.isOpen)
  t.ok(callers.every(({ isOpen }) => isOpen))
  const added = (measureMemory() - before) / count
  t.ok(added < 30_000, `${added} bytes for each connection, with the caller's side`)
  http.headersTimeout = 2_000
  http.requestTimeout = 2_000
  // No more bytes: one that came after the end of a connection would discard the answer that is not read yet.
  await waitUntil(() => callers.every(({ isOpen }) => !isOpen))
  const answers = Map.groupBy(callers, ({ received }) => received.match(/HTTP\/1\.1 \d+/g)?.join())
  t.strictSame(
    new Map([...answers].map(([lines, { length }]) => [lines, length])),
    new Map([
      [undefined, count / 4],
      ['HTTP/1.1 408', count / 2],
      ['HTTP/1.1 200,HTTP/1.1 408', count / 4],
    ]),
  )
  t.equal((await fetch(`${publicMeta}/${describeDataset}`)).status, 200)
})

const byte = '1\r\n1\r\n'

t.test('a body in pieces of one byte is not read to its end', async (t) => {
  const server = await startServer(t)
  const { socket } = await open(t, server, 0)
  const asked = once(server.http, 'request')
  socket.write(`${postContract(server)}transfer-encoding: chunked\r\n\r\n`)
  const [request] = (await asked) as [IncomingMessage] // as Node.js documents this event
  let pieces = 0
  request.on('data', () => (pieces += 1))
  for (let time = 0; time < 100 && !socket.closed; time++) {
    socket.write(byte.repeat(500))
    await rest(1)
  }
  await waitUntil(() => socket.closed)
  t.ok(pieces > 4_096 && pieces < 10_000, `${pieces} pieces, of which Node.js keeps each in about 170 bytes`)
})

t.test('a body that nobody reads is not kept while the answer goes on', async (t) => {
  const server = await startServer(t)
  const { socket } = await open(t, server, 0)
  const asked = once(server.http, 'request')
  socket.write(
    `GET ${new URL(server.publicMeta).pathname}/events HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  const [request] = (await asked) as [IncomingMessage] // as Node.js documents this event
  await once(socket, 'data')
  for (let time = 0; time < 100; time++) socket.write(byte.repeat(1_000))
  // The last byte arrives only if all others were read.
  socket.write('0\r\n\r\n')
  await waitUntil(() => request.complete)
  t.equal(request.readableLength, 0)
})

t.test('large bodies that do not end give way to others after two seconds', async (t) => {
  const timing = { ms: 0 }
  const [unsentBytes, unsentBytesPerAddress] = [16 * 1024 ** 2, 4 * 1024 ** 2]
  const server = await startServer(t, {
    now: () => timing.ms,
    connectionLimits: { unsentBytes, unsentBytesPerAddress },
  })
  const begin = async (index: number) => {
    const caller = await open(t, server, index)
    const asked = once(server.http, 'request')
    caller.socket.write(`${postContract(server)}content-length: 1000000\r\n\r\n{"version":1,"datasets":{`)
    await asked
    caller.socket.write(' '.repeat(100_000))
    return caller
  }
  const [first, second, third] = [await begin(0), await begin(0), await begin(0)]
  await waitUntil(() => !third.isOpen)
  const attackers = [first, second]
  for (let index = 1; index < 10; index++) attackers.push(await begin(index))
  const countOpen = () => attackers.filter(({ isOpen }) => isOpen).length
  await waitUntil(() => countOpen() === 8)
  const contract = JSON.stringify({ version: 1, datasets: {}, title: ' '.repeat(100_000) })
  const post = () =>
    fetch(`${server.publicMeta}/compatibility/weather/main`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: contract,
    })
  await t.rejects(post(), 'there is no room')
  t.equal((await fetch(`${server.publicMeta}/${describeDataset}`)).status, 200)
  timing.ms += 2_000
  t.not((await post()).status, 503)
  await waitUntil(() => countOpen() === 7)
})
