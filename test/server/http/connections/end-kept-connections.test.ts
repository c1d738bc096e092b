import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { t } from 'tap'
import { endKeptConnections } from '../../../../server/http/connections/end-kept-connections.ts'

t.test('a stop ends a connection whose request is answered, though its caller keeps it', async (t) => {
  const app = Fastify({ keepAliveTimeout: 3_600_000 })
  endKeptConnections(app)
  const asked = Promise.withResolvers<void>()
  const answering = Promise.withResolvers<string>()
  app.get('/', () => {
    asked.resolve()
    return answering.promise
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const request = get(origin, { agent })
  const response = once(request, 'response')
  await asked.promise
  const closed = app.close()
  answering.resolve('late')
  const [answer] = await response
  t.equal(await text(answer), 'late')
  await closed
})

t.test('a stop ends a connection that has had no request', async (t) => {
  const app = Fastify()
  endKeptConnections(app)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const accepted = once(app.server, 'connection')
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').resume()
  const ended = once(socket, 'close')
  await accepted
  await app.close()
  await ended
  t.equal(socket.readableEnded, true)
})
