import type { IncomingMessage, ServerResponse } from 'node:http'
import { toExpressHandler, toFastifyPlugin, toNodeListener } from '@floe/client/receiver'
import Fastify from 'fastify'
import { t } from 'tap'
import { startPlainServer } from '../start-plain-server.ts'

/** A receiver that answers with what it gets. */
const echo = async (request: Request) =>
  new Response(`${request.method} ${request.headers.get('x-test')} ${await request.text()}`, { status: 202 })

const sent = { method: 'POST', headers: { 'x-test': 'yes', 'content-type': 'application/json' }, body: '{"a": 1}' }
const received = 'POST yes {"a": 1}'

t.test('in Node, an error of the receiver is answered with 500', async (t) => {
  const logged = t.capture(console, 'error')
  const failing = toNodeListener(() => Promise.reject(new Error('failed')))
  const origin = await startPlainServer(t, failing)
  t.equal((await fetch(origin, sent)).status, 500)
  t.match(logged()[0]?.args, [{ message: 'failed' }])
})

t.test('in Express, the body may be raw or unread, but not parsed', async (t) => {
  const handle = toExpressHandler(echo)
  const outcomes: unknown[] = []
  const serve = (body: unknown) =>
    startPlainServer(t, (incoming: IncomingMessage & { body?: unknown }, outgoing: ServerResponse) => {
      incoming.body = body
      handle(incoming, outgoing, (error) => {
        outcomes.push(error)
        outgoing.writeHead(500).end()
      })
    })
  t.equal(await (await fetch(await serve(undefined), sent)).text(), received)
  t.equal(await (await fetch(await serve(Buffer.from('raw')), sent)).text(), 'POST yes raw')
  t.strictSame(outcomes, [])
  t.equal((await fetch(await serve({ a: 1 }), sent)).status, 500)
  t.match(outcomes, [{ name: 'TypeError', message: /a parser of Express has read the body/ }])
})

t.test('in Fastify, only the route of the receiver takes bodies unparsed', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async () => 'parsed')
  app.register(toFastifyPlugin(echo), { prefix: '/floe' })
  app.post('/other', async ({ body }) => body)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await fetch(`${origin}/floe`, sent)
  t.equal(answer.status, 202)
  t.equal(await answer.text(), received)
  t.equal(await (await fetch(`${origin}/other`, sent)).text(), 'parsed')
})
