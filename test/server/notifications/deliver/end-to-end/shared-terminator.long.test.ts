// Receivers of several organisations behind one address and port, where one program ends TLS for all of their names.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createSecureContext, type SecureVersion, type TLSSocket } from 'node:tls'
import { t, type Test } from 'tap'
import { waitUntil } from '../../../wait-until.ts'
import { openTestPoster, readIdentity, writePost } from '../../start-receiver.ts'
import { addDeliveries, openDeliveries } from './open-deliveries.ts'
import { openSender } from './open-sender.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Ends TLS for `receiver.test` with its certificate, and for all other names with that of `other.test`. The keys of
 * sessions are the same for all names. Returns the port.
 */
async function startTerminator(t: Test, listener: Listener, maxVersion: SecureVersion = 'TLSv1.3'): Promise<number> {
  const shared = { ticketKeys: randomBytes(48), maxVersion }
  const receiver = createSecureContext({ ...readIdentity('receiver'), ...shared })
  const other = createSecureContext({ ...readIdentity('other'), ...shared })
  const server = createServer(
    {
      ...readIdentity('other'),
      ...shared,
      SNICallback: (name, callback) => callback(null, name === 'receiver.test' ? receiver : other),
    },
    listener,
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  t.teardown(() => server.closeAllConnections())
  // A server that listens on TCP has an address and a port.
  return (server.address() as AddressInfo).port
}

const nameOf = ({ headers: { host } }: IncomingMessage) => host?.split(':')[0]

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  t.test(`${version}: a session of one name is not resumed for another, whose certificate is checked`, async (t) => {
    const requests: string[] = []
    const listener: Listener = (request, response) => {
      // The server speaks TLS.
      const session = (request.socket as TLSSocket).isSessionReused() ? 'resumed' : 'new'
      requests.push(`${nameOf(request)}: ${session}`)
      response.setHeader('connection', 'close').end()
    }
    const port = await startTerminator(t, listener, version)
    const poster = openTestPoster(t)
    const post = (name: string) => poster.post(writePost(`https://${name}:${port}/`))
    for (const name of ['receiver.test', 'receiver.test', 'other.test', 'other.test', 'receiver.test']) {
      t.equal((await post(name)).status, 200)
      const message = /^the certificate of elsewhere\.test is for other names: other\.test /
      await t.rejects(post('elsewhere.test'), { name: 'PostError', message })
    }
    t.strictSame(requests, [
      'receiver.test: new',
      'receiver.test: resumed',
      'other.test: new',
      'other.test: resumed',
      'receiver.test: resumed',
    ])
  })
}

/** What endpoints of `receiver.test` do to each request. */
const attacks: Readonly<Record<string, Listener>> = {
  'says nothing': () => {},
  'fails at once': (_request, response) => response.writeHead(503).end(),
  'asks for fewer requests': (_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end(),
  'closes connections': ({ socket }) => socket.destroy(),
  'answers without end': (_request, response) => {
    response.writeHead(200)
    const write = () => response.write('x'.repeat(65_536))
    response.on('drain', write)
    write()
  },
  'sends another answer after its own': ({ socket }, response) => {
    response.end('well', () => socket.write('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n'))
  },
  'redirects to another tenant': (_request, response) =>
    response.writeHead(307, { location: 'https://other.test/stolen' }).end(),
}

/** Number of attempts that an unknown host gets at the same time. */
const atOnce = 16

for (const [attack, listener] of Object.entries(attacks)) {
  t.test(`a tenant that ${attack} changes neither deliveries nor limits of another one`, async (t) => {
    let attacked = 0
    const held: ServerResponse[] = []
    const paths: string[] = []
    const outcomes: string[] = []
    const receive: Listener = (request, response) => {
      if (nameOf(request) === 'receiver.test') {
        attacked += 1
        return listener(request, response)
      }
      paths.push(request.url ?? '')
      held.push(response)
    }
    const port = await startTerminator(t, (request, response) =>
      request.resume().on('end', () => receive(request, response)),
    )
    const acme = await openDeliveries(t)
    const { db } = acme
    const globex = await addDeliveries(db, 'globex')
    const declare = ({ declare }: typeof acme, name: string, count: number) =>
      declare(Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`, `https://${name}:${port}/${n}`])))
    await declare(acme, 'receiver.test', 10 * atOnce)
    await declare(globex, 'other.test', atOnce)
    const { deliverer, stop } = openSender(t, db, {
      onRecorded: ({ claim, outcome, next }) => {
        const text = `attempt ${claim.attempt}: ${outcome.status}, ${next.kind}`
        if (claim.receiver.org === 'globex') outcomes.push(text)
      },
    })
    t.teardown(stop)
    await acme.moveHead()
    deliverer.start()
    await waitUntil(() => attacked >= atOnce)
    const all = Array.from({ length: atOnce }, (_, n) => `/${n}`).sort()
    for (const round of [1, 2, 3]) {
      await globex.moveHead()
      deliverer.wake()
      // All of them wait for their answers at the same time, whatever the other tenant holds.
      await waitUntil(() => held.length === atOnce)
      for (const response of held.splice(0)) response.writeHead(204).end()
      t.strictSame(paths.splice(0).sort(), all, `round ${round}`)
    }
    await waitUntil(() => outcomes.length === 3 * atOnce)
    t.strictSame(new Set(outcomes), new Set(['attempt 1: 204, delivered']))
  })
}
