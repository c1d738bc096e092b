import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { toExpressHandler, toFastifyPlugin, toNodeListener } from '@floe/client/receiver'
import Fastify from 'fastify'
import { t, type Test } from 'tap'
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

/** What parsers of bodies leave in a request. */
type Parsed = { body?: unknown; rawBody?: unknown }

/** Answers with a handler after a parser has read the body. */
function serveParsed(t: Test, handle: ReturnType<typeof toExpressHandler>, parsed: Parsed) {
  return startPlainServer(t, (incoming: IncomingMessage, outgoing: ServerResponse) => {
    incoming.on('end', () => handle(Object.assign(incoming, parsed), outgoing)).resume()
  })
}

t.test('a body that was read before is taken from `rawBody` or `body` if it is bytes', async (t) => {
  const rawBody = Buffer.from('raw')
  for (const parsed of [{ body: { a: 1 }, rawBody }, { rawBody }, { body: rawBody }, { body: rawBody, rawBody: '' }]) {
    const origin = await serveParsed(t, toNodeListener(echo), parsed)
    t.equal(await (await fetch(origin, sent)).text(), 'POST yes raw')
  }
})

t.test('a body that was read before and is not given as bytes is an error that says so', async (t) => {
  const logged = t.capture(console, 'error')
  for (const parsed of [{}, { body: { a: 1 } }, { body: { a: 1 }, rawBody: '{"a": 1}' }]) {
    const origin = await serveParsed(t, toNodeListener(echo), parsed)
    t.equal((await fetch(origin, sent)).status, 500)
    t.match(logged()[0]?.args, [{ name: 'TypeError', message: /already read by a parser.*pass its raw bytes/ }])
  }
})

t.test('in Express, an unread body is read, also beside an empty `body`, and errors go to `next`', async (t) => {
  const errors: unknown[] = []
  const serve = (receive: typeof echo) =>
    startPlainServer(t, (incoming: IncomingMessage, outgoing: ServerResponse) => {
      toExpressHandler(receive)(Object.assign(incoming, { body: {} }), outgoing, (error) => {
        errors.push(error)
        outgoing.writeHead(503).end()
      })
    })
  t.equal(await (await fetch(await serve(echo), sent)).text(), received)
  t.strictSame(errors, [])
  t.equal((await fetch(await serve(() => Promise.reject(new Error('failed'))), sent)).status, 503)
  t.match(errors, [{ message: 'failed' }])
})

t.test('in Fastify, the body is what the hooks of the application pass on', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(new PassThrough()))
  app.register(toFastifyPlugin(echo), { prefix: '/floe' })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  t.equal(await (await fetch(`${origin}/floe`, sent)).text(), received)
  t.equal(await (await fetch(`${origin}/floe`, { ...sent, body: '' })).text(), 'POST yes ')
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
