import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { t } from 'tap'
import { explainCause } from '../../../client/requests/explain-cause.ts'
import { createTestClient } from '../create-test-client.ts'
import { startPlainServer } from '../start-plain-server.ts'

const ask = (origin: string) => createTestClient({ origin }, { retries: 0 }).repositories()

t.test('a network error names a refused connection, and one that breaks off', async (t) => {
  const closed = await startPlainServer(t, (_request, response) => void response.socket?.destroy())
  await t.rejects(ask(closed), { name: 'NetworkError', message: /: the connection broke off \(/ })
  await t.rejects(ask('http://127.0.0.1:1'), {
    name: 'NetworkError',
    message: /: .*(refused \(ECONNREFUSED\)|bad port)$/,
  })
})

t.test('a network error names a certificate that is not trusted', async (t) => {
  const read = (name: string) => readFile(new URL(`../../server/notifications/certificates/${name}`, import.meta.url))
  const server = createServer({ cert: await read('receiver.pem'), key: await read('receiver.key.pem') })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  // A server that listens on TCP has an address and a port.
  const { port } = server.address() as AddressInfo
  await t.rejects(ask(`https://127.0.0.1:${port}`), { message: /: the certificate is not trusted \([A-Z_]+\)$/ })
})

t.test('the reason can lie deep, and a circle of causes ends', (t) => {
  const unknownHost = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
  const deep = new TypeError('fetch failed', { cause: new Error('request', { cause: unknownHost }) })
  t.equal(explainCause(deep, 'https://floe.example.org/'), 'the host name is unknown (ENOTFOUND)')
  const circle = new Error('again')
  circle.cause = circle
  t.equal(explainCause(circle, 'https://floe.example.org/'), 'again')
  t.equal(explainCause('a text', 'https://floe.example.org/'), 'unknown reason')
  t.end()
})

t.test('in a page of another origin, the reason may be CORS', (t) => {
  Object.defineProperty(globalThis, 'location', { value: { origin: 'https://app.example.org' }, configurable: true })
  t.teardown(() => Reflect.deleteProperty(globalThis, 'location'))
  const failure = new TypeError('Failed to fetch')
  t.match(explainCause(failure, 'https://floe.example.org/v1/'), /^Failed to fetch; .*CORS/)
  t.equal(explainCause(failure, 'https://app.example.org/v1/'), 'Failed to fetch')
  t.end()
})
