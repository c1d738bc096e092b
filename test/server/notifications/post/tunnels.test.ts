// Requests to receivers through a proxy. `proxied-posts.test.ts` runs the tests of direct requests through one too.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeAddressRules } from '@floe/storage/addresses'
import { t, type Test } from 'tap'
import { parseProxy } from '../../../../server/notifications/receivers/receiver-proxy.ts'
import { waitUntil } from '../../wait-until.ts'
import { startProxy } from '../start-proxy.ts'
import { makeTimeLimit, openTestPoster, startReceiver, startTcpReceiver, writePost } from '../start-receiver.ts'

/** A receiver that answers 200, and what it was asked. */
async function receive(t: Test) {
  const hosts: unknown[] = []
  const port = await startReceiver(t, ({ headers, socket }, response) => {
    // A TLS socket of a server.
    const { servername } = socket as unknown as { servername: string }
    hosts.push({ host: headers.host, servername, authorization: headers['proxy-authorization'] })
    response.end()
  })
  return { port, hosts }
}

t.test('a request goes through the proxy, which sees the name alone, and the connection is kept', async (t) => {
  const { port, hosts } = await receive(t)
  const { url, asked } = await startProxy(t, { credentials: 'floe:p@ss word' })
  const proxy = parseProxy(url.replace('//', '//floe:p%40ss%20word@'))
  const poster = openTestPoster(t, { proxy })
  for (let n = 0; n < 3; n++) {
    t.equal((await poster.post(writePost(`https://receiver.test:${port}/`))).status, 200)
    await nextTurn()
  }
  t.strictSame(asked, [`receiver.test:${port}`])
  const same = { host: `receiver.test:${port}`, servername: 'receiver.test', authorization: undefined }
  t.strictSame(hosts, [same, same, same], 'the receiver does not see the credentials of the proxy')
  t.equal((await poster.post(writePost(`https://127.0.0.1:${port}/`))).status, 200)
  t.strictSame(asked, [`receiver.test:${port}`, `127.0.0.1:${port}`])
})

t.test('a closed connection to a receiver leaves none to the proxy', async (t) => {
  const { port } = await receive(t)
  const proxy = await startProxy(t)
  const poster = openTestPoster(t, { proxy: parseProxy(proxy.url) })
  await Promise.all(Array.from({ length: 5 }, () => poster.post(writePost(`https://receiver.test:${port}/`))))
  t.ok(proxy.countOpen() > 0)
  await poster.close()
  await waitUntil(async () => proxy.countOpen() === 0)
  const { timing, endTime } = makeTimeLimit()
  const hanging = await startTcpReceiver(t, (socket) => socket.once('data', endTime))
  const impatient = openTestPoster(t, { proxy: parseProxy(proxy.url), timing })
  await t.rejects(impatient.post(writePost(`https://receiver.test:${hanging}/`)), {
    message: /^receiver\.test did not agree on encryption within 30 seconds/,
  })
  await impatient.close()
  // The time in which the connection may open.
  endTime()
  await waitUntil(async () => proxy.countOpen() === 0)
})

t.test('a proxy that speaks TLS must have a certificate that is trusted', async (t) => {
  const { port } = await receive(t)
  const { url, asked } = await startProxy(t, { isEncrypted: true })
  const proxy = parseProxy(url)
  t.equal((await openTestPoster(t, { proxy }).post(writePost(`https://receiver.test:${port}/`))).status, 200)
  t.strictSame(asked, [`receiver.test:${port}`])
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  t.teardown(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
  const untrusting = openTestPoster(t, { proxy, extraCa: undefined })
  await t.rejects(untrusting.post(writePost(`https://receiver.test:${port}/`)), {
    name: 'PostError',
    message: /^the proxy of Floe cannot be used; check the setting notifications\.proxy \(UNABLE_TO_VERIFY/,
  })
})

// Proves: a host that has a refused address here is refused with a proxy too
t.test('what resolves here is judged here, and the proxy is not asked about it', async (t) => {
  const { url, asked } = await startProxy(t)
  const refuse = (addresses: readonly string[], allowed: readonly string[] = []) =>
    openTestPoster(t, { proxy: parseProxy(url), rules: makeAddressRules(allowed), resolveHost: async () => addresses })
  const cases = {
    'a literal': ['https://127.0.0.1/', refuse([])],
    'an IPv6 literal': ['https://[::1]/', refuse([])],
    'an address of metadata': ['https://169.254.169.254/latest/', refuse([])],
    'a mapped literal': ['https://[::ffff:127.0.0.1]/', refuse([], ['127.0.0.0/8'])],
    'a name': ['https://receiver.test/', refuse(['10.0.0.1'])],
    'a good address before a bad one': ['https://receiver.test/', refuse(['8.8.8.8', '10.0.0.1'])],
    'this machine': ['https://localhost/', refuse(['127.0.0.1', '::1'])],
  } as const
  for (const [name, [address, poster]] of Object.entries(cases)) {
    const refused = { name: 'PostError', message: /^refused: its host leads to an address that is / }
    await t.rejects(poster.post(writePost(address)), refused, name)
  }
  t.strictSame(asked, [])
})

t.test(
  'the proxy answers for names that have no address here, and for those that nobody looks up in time',
  async (t) => {
    const { port } = await receive(t)
    const { url, asked } = await startProxy(t)
    const proxy = parseProxy(url)
    const notFound = async () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
    const never = (_host: string, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    for (const resolveHost of [notFound, never]) {
      const poster = openTestPoster(t, { proxy, resolveHost, rules: makeAddressRules([]) })
      t.equal((await poster.post(writePost(`https://receiver.test:${port}/`))).status, 200)
    }
    t.strictSame(asked, [`receiver.test:${port}`, `receiver.test:${port}`])
  },
)

t.test('a failure of the proxy is one of the attempt, and says what the proxy has answered', async (t) => {
  const answers = {
    403: /^the proxy of Floe answered 403: it allows no connection to receiver\.test on port 443$/,
    407: /^the proxy of Floe answered 407: .* other credentials .* notifications\.proxy$/,
    502: /^the proxy of Floe answered 502 when it was asked for a connection to receiver\.test on port 443$/,
    302: /^the proxy of Floe answered 302 when/,
  }
  const fail = async (proxyUrl: string, message: RegExp, limitMs = 30_000) => {
    const poster = openTestPoster(t, { proxy: parseProxy(proxyUrl), limitMs })
    const error = await poster.post(writePost('https://receiver.test/')).catch((thrown: unknown) => thrown)
    t.match(error, { name: 'PostError', message, status: undefined })
    t.notMatch(String(error), /127\.0\.0\.1|hush/, 'neither the address of the proxy nor its password is told')
  }
  for (const [status, message] of Object.entries(answers)) {
    const { url } = await startProxy(t, { answer: (socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`) })
    await fail(url.replace('//', '//floe:hush@'), message)
  }
  const unusable = /^the proxy of Floe cannot be used; check the setting notifications\.proxy/
  const closing = await startProxy(t, { answer: (socket) => socket.destroy() })
  await fail(closing.url, unusable)
  const early = await startProxy(t, { answer: (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nSSH-2.0-x\r\n') })
  await fail(early.url, /^receiver\.test does not speak https on port 443$/)
  const garbage = await startTcpReceiver(t, (socket) => socket.end('nonsense\r\n\r\n'))
  await fail(`http://127.0.0.1:${garbage}`, unusable)
  const flood = await startTcpReceiver(t, (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(9_000)}`))
  await fail(`http://127.0.0.1:${flood}`, unusable)
  await fail(`http://127.0.0.1:1`, /^the proxy of Floe cannot be used; .* \(ECONNREFUSED\)$/)
  await fail('http://nowhere.invalid:3128', /^the proxy of Floe cannot be used/)
  const silent = await startTcpReceiver(t, () => {})
  const late = /^the proxy of Floe did not open a connection to receiver\.test on port 443 within 1 second$/
  await fail(`http://127.0.0.1:${silent}`, late, 1_000)
})

t.test('a proxy that dies fails what is under way, and what comes next', async (t) => {
  const begun = Promise.withResolvers<void>()
  const port = await startReceiver(t, () => begun.resolve())
  const proxy = await startProxy(t)
  const poster = openTestPoster(t, { proxy: parseProxy(proxy.url) })
  const underWay = poster.post(writePost(`https://receiver.test:${port}/`))
  await begun.promise
  proxy.die()
  await t.rejects(underWay, { name: 'PostError', message: /^receiver\.test closed the connection without an answer/ })
  await t.rejects(poster.post(writePost(`https://receiver.test:${port}/`)), {
    name: 'PostError',
    message: /^the proxy of Floe cannot be used/,
  })
})

t.test('receivers that bypass the proxy, and plain http to this machine, are reached directly', async (t) => {
  const { port } = await receive(t)
  const { url, asked } = await startProxy(t)
  const plain = createServer((_request, response) => response.end())
  await once(plain.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => plain.close())
  const poster = openTestPoster(t, { proxy: parseProxy(url, '.test'), allowHttpLoopback: true })
  t.equal((await poster.post(writePost(`https://receiver.test:${port}/`))).status, 200)
  // A server that listens on TCP has an address and a port.
  const { port: plainPort } = plain.address() as AddressInfo
  t.equal((await poster.post(writePost(`http://localhost:${plainPort}/`))).status, 200)
  t.strictSame(asked, [])
})
