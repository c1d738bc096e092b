import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify, { type FastifyReply } from 'fastify'
import { t, type Test } from 'tap'
import { limitPipelining } from '../../../../server/http/connections/limit-pipelining.ts'

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nhost: floe.test\r\n\r\n`

type Begun = { readonly path: string; readonly reply: FastifyReply }

/** A server whose answers are given by the test, and a connection to it. */
async function open(t: Test) {
  const app = Fastify()
  limitPipelining(app)
  const begun: Begun[] = []
  app.get('*', (request, reply) => {
    begun.push({ path: request.url, reply })
    app.server.emit('begun')
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1')
  socket.on('error', () => {})
  t.teardown(async () => {
    socket.destroy()
    app.server.closeAllConnections()
    await app.close()
  })
  let received = ''
  socket.on('data', (text: string) => (received += text))
  return { begun, server: app.server, socket, listBodies: () => received.match(/(?<=\r\n\r\n)\/\d+/g) }
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
    void begun[index]?.reply.send(path)
  }
  while (listBodies()?.length !== paths.length) await once(socket, 'data')
  t.strictSame(listBodies(), paths)
  socket.write(ask('/17'))
  await once(server, 'begun')
  t.equal(begun[17]?.path, '/17', 'the connection goes on')
})

t.test('a connection with too many waiting requests is closed, and they are not worked on', async (t) => {
  const { begun, socket } = await open(t)
  socket.write(ask('/').repeat(1_000))
  await new Promise((resolve) => socket.once('close', resolve))
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  t.equal(begun.length, 1)
})

t.test('requests that wait on a connection that is closed are not worked on', async (t) => {
  const { begun, server, socket } = await open(t)
  socket.write(ask('/').repeat(10))
  await once(server, 'begun')
  const closed = once(begun[0]?.reply.raw ?? server, 'close')
  socket.destroy()
  await closed
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  t.equal(begun.length, 1)
})

t.test('a request that is answered without a handler lets the next one begin', async (t) => {
  const { begun, server, socket } = await open(t)
  socket.write(`POST / HTTP/1.1\r\nhost: floe.test\r\ncontent-length: 0\r\n\r\n${ask('/1')}`)
  await once(server, 'begun')
  t.equal(begun[0]?.path, '/1')
})
