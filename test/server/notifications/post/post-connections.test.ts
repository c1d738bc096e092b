import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { t } from 'tap'
import { makeAddressRules } from '@floe/storage/addresses'
import { ManualTiming } from '../manual-timing.ts'
import {
  openTestPoster,
  postTo,
  startHttp2Receiver,
  startReceiver,
  startTcpReceiver,
  testDirectly,
  writePost,
} from '../start-receiver.ts'
import { postApart } from './post-apart.ts'

t.test('no connection is made to a refused address', async (t) => {
  const port = await startTcpReceiver(t, () => t.fail('connected'))
  const refuse = (addresses: readonly string[], allowed: readonly string[] = []) =>
    openTestPoster(t, { rules: makeAddressRules(allowed), resolveHost: async () => addresses })
  const cases = {
    'a literal': [`https://127.0.0.1:${port}/`, refuse([])],
    'an IPv6 literal': [`https://[::1]:${port}/`, refuse([])],
    'a mapped literal': [`https://[::ffff:127.0.0.1]:${port}/`, refuse([], ['127.0.0.0/8'])],
    'a name': [`https://receiver.test:${port}/`, refuse(['127.0.0.1'])],
    'a name with a mapped address': [`https://receiver.test:${port}/`, refuse(['::ffff:127.0.0.1'])],
    'a good address before a bad one': [`https://receiver.test:${port}/`, refuse(['8.8.8.8', '127.0.0.1'])],
    'a bad address before a good one': [`https://receiver.test:${port}/`, refuse(['127.0.0.1', '8.8.8.8'])],
    'a bad address of the other family': [`https://receiver.test:${port}/`, refuse(['8.8.8.8', '::1'])],
    'an allowed address beside a bad one': [
      `https://receiver.test:${port}/`,
      refuse(['127.0.0.1', '10.0.0.1'], ['127.0.0.0/8']),
    ],
    'something that is no address': [`https://receiver.test:${port}/`, refuse(['localhost'])],
  } as const
  for (const [name, [url, poster]] of Object.entries(cases)) {
    await t.rejects(poster.post(writePost(url)), { name: 'PostError', message: /^refused: its host leads to/ }, name)
  }
})

t.test('a name of this machine is connected to at the addresses that are allowed', async (t) => {
  const port = await startReceiver(t, (_request, response) => response.end())
  const resolveBoth = async () => ['::1', '127.0.0.1', '10.0.0.1']
  const allowing = openTestPoster(t, { rules: makeAddressRules(['127.0.0.0/8']), resolveHost: resolveBoth })
  t.equal((await allowing.post(writePost(`https://localhost:${port}/`))).status, 200)
  const message = /^refused: its host leads to .* loopback .*, unless the setting notifications\.allowPrivateNetworks/
  await t.rejects(allowing.post(writePost(`https://receiver.test:${port}/`)), { message }, 'only such a name')
  const refusing = openTestPoster(t, { rules: makeAddressRules([]), resolveHost: resolveBoth })
  await t.rejects(refusing.post(writePost(`https://localhost:${port}/`)), { message })
})

t.test('plain http goes only to this machine, and only where it is allowed', async (t) => {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.headers.host}`)
    response.end('thanks')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  // A server that listens on TCP has an address and a port.
  const { port } = server.address() as AddressInfo
  // A look-up would find another address.
  const options = { rules: makeAddressRules([]), resolveHost: async () => ['127.0.0.2'] }
  const allowing = openTestPoster(t, { ...options, allowHttpLoopback: true })
  for (const host of ['127.0.0.1', 'localhost']) {
    t.match(await allowing.post(writePost(`http://${host}:${port}/`)), { status: 200, start: Buffer.from('thanks') })
    t.equal(received.pop(), `POST ${host}:${port}`)
  }
  const message = /^refused: its URL does not start with https:.*notifications\.allowHttpLoopback/
  const refusing = openTestPoster(t, { ...options, rules: makeAddressRules(['127.0.0.0/8']) })
  await t.rejects(refusing.post(writePost(`http://127.0.0.1:${port}/`)), { message })
  const toAll = openTestPoster(t, { rules: makeAddressRules(['127.0.0.0/8']), allowHttpLoopback: true })
  for (const host of ['receiver.test', 'app.localhost', '10.0.0.1'])
    await t.rejects(toAll.post(writePost(`http://${host}:${port}/`)), { message }, host)
  await t.rejects(allowing.post(writePost(`https://127.0.0.1:${port}/`)), { message: /allowPrivateNetworks/ })
  await t.rejects(allowing.post(writePost('http://localhost:1/')), { message: /localhost.*1/ })
  t.strictSame(received, [])
})

testDirectly(t, 'a name that changes its address after the check does not change the connection', async (t) => {
  const wrong = await startTcpReceiver(t, () => t.fail('connected to the second address'))
  const port = await startReceiver(t, (_request, response) => response.end())
  t.not(wrong, port)
  let asked = 0
  const poster = openTestPoster(t, {
    rules: makeAddressRules(['127.0.0.1/32']),
    resolveHost: async () => [asked++ === 0 ? '127.0.0.1' : '127.0.0.2'],
  })
  t.equal((await poster.post(writePost(`https://receiver.test:${port}/`))).status, 200)
  t.equal(asked, 1)
  await t.rejects(poster.post(writePost(`https://receiver.test:${wrong}/`)), { message: /refused/ })
  t.equal(asked, 2)
})

testDirectly(t, 'the next of several checked addresses is tried when one cannot be connected to', async (t) => {
  const port = await startReceiver(t, (_request, response) => response.end())
  const poster = openTestPoster(t, { resolveHost: async () => ['127.0.0.9', '127.0.0.1'] })
  t.equal((await poster.post(writePost(`https://receiver.test:${port}/`))).status, 200)
  const nowhere = openTestPoster(t, { resolveHost: async () => ['127.0.0.9', '127.0.0.8'] })
  await t.rejects(nowhere.post(writePost(`https://receiver.test:${port}/`)), {
    message: `receiver.test refused the connection on port ${port}; is the receiver running? (ECONNREFUSED)`,
  })
})

testDirectly(t, 'a host is reached whatever Node.js is set to prefer, IPv4 or IPv6', async (t) => {
  const port = await startReceiver(t, (_request, response) => response.end())
  const variables = { NODE_OPTIONS: '--no-network-family-autoselection' }
  t.equal(await postApart(t, `https://receiver.test:${port}/`, variables), '200')
})

testDirectly(t, 'a receiver with an IPv6 address is reached when its network is allowed', async (t) => {
  const port = await startReceiver(t, (_request, response) => response.end(), 'receiver', '::1')
  const resolveHost = async () => ['::1']
  const allowing = openTestPoster(t, { rules: makeAddressRules(['::1/128']), resolveHost })
  const refusing = openTestPoster(t, { rules: makeAddressRules(['127.0.0.0/8', '::2/128']), resolveHost })
  for (const url of [`https://[::1]:${port}/`, `https://receiver.test:${port}/`]) {
    t.equal((await allowing.post(writePost(url))).status, 200)
    await t.rejects(refusing.post(writePost(url)), { message: /^refused: its host leads to .* loopback/ })
  }
})

testDirectly(t, 'a failure says that a name leads nowhere', async (t) => {
  const codes = {
    ENOTFOUND: 'receiver.test could not be found; check how it is spelt (ENOTFOUND)',
    ENODATA: 'receiver.test has no IP address (ENODATA)',
    ESERVFAIL: 'the name receiver.test could not be looked up; the name server failed (ESERVFAIL)',
    ECONNREFUSED: 'the name receiver.test could not be looked up; the name server failed (ECONNREFUSED)',
  }
  for (const [code, message] of Object.entries(codes)) {
    const error = Object.assign(new Error(`queryA ${code} receiver.test`), { code })
    const poster = openTestPoster(t, { resolveHost: () => Promise.reject(error) })
    await t.rejects(poster.post(writePost('https://receiver.test/')), { name: 'PostError', message })
  }
})

t.test('HTTP/1.1 is used even if a receiver prefers HTTP/2', async (t) => {
  const port = await startHttp2Receiver(t, (request, response) => response.end(request.httpVersion))
  const { start } = await postTo(t, port)
  t.equal(start.toString(), '1.1')
})

t.test('an origin has 256 connections, and a request whose time ends before it gets one is never sent', async (t) => {
  const paths: unknown[] = []
  const sockets = new Set<unknown>()
  const answers: (() => void)[] = []
  const { promise: isFull, resolve: noteFull } = Promise.withResolvers<void>()
  const port = await startReceiver(t, (request, response) => {
    paths.push(request.url)
    sockets.add(request.socket)
    if (answers.push(() => response.end()) === 256) noteFull()
    if (request.url === '/last') response.end()
  })
  const limits: (() => void)[] = []
  const after = (ms: number, callback: () => void) => {
    // Connections have a limit of 5 s to open.
    if (ms > 5_000) limits.push(callback)
    return () => {}
  }
  const poster = openTestPoster(t, { timing: { after } })
  const post = (path: string) => poster.post(writePost(`https://127.0.0.1:${port}${path}`))
  const first = Array.from({ length: 256 }, () => post('/first'))
  await isFull
  const late = t.rejects(post('/late'), { message: /within 30 seconds/ })
  const last = post('/last')
  limits[256]?.()
  await late
  for (const answer of answers) answer()
  t.strictSame(new Set((await Promise.all(first)).map(({ status }) => status)), new Set([200]))
  t.equal((await last).status, 200)
  t.equal(sockets.size, 256)
  t.strictSame(paths, [...Array.from({ length: 256 }, () => '/first'), '/last'])
})

// Proves: a process that was paused while it connected does not send what another one may send
t.test('a request whose time is over by the stopwatch is not written, before any timer fires', async (t) => {
  const paths: unknown[] = []
  const port = await startReceiver(t, (request, response) => {
    paths.push(request.url)
    response.end()
  })
  let elapsed = 0
  const resolveHost = async () => {
    elapsed = 5_000
    return ['127.0.0.1']
  }
  const timing = { elapsed: () => elapsed, after: () => () => {} }
  const poster = openTestPoster(t, { timing, resolveHost, limitMs: 5_000 })
  await t.rejects(poster.post(writePost(`https://localhost:${port}/late`)), { message: /within 5 seconds/ })
  t.equal((await poster.post(writePost(`https://localhost:${port}/next`))).status, 200)
  t.strictSame(paths, ['/next'])
})

// Proves: a process that was paused after it claimed a delivery does not send what another one may send
t.test('a request of a sender whose life has ended is not written, before any timer fires', async (t) => {
  const paths: unknown[] = []
  const port = await startReceiver(t, (request, response) => {
    paths.push(request.url)
    response.end()
  })
  const life = { aliveUntil: 1_000 }
  let elapsed = 0
  const resolveHost = async () => {
    elapsed = 1_000
    return ['127.0.0.1']
  }
  const timing = { elapsed: () => elapsed, after: () => () => {} }
  const poster = openTestPoster(t, { timing, resolveHost })
  const post = (path: string) => poster.post(writePost(`https://localhost:${port}${path}`), life)
  await t.rejects(post('/late'), { name: 'LifeEndedError' })
  life.aliveUntil = 2_000
  t.equal((await post('/next')).status, 200)
  t.strictSame(paths, ['/next'])
})

t.test('a request under way ends with the life of its sender, which may get longer meanwhile', async (t) => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const port = await startReceiver(t, (_request, response) => {
    response.on('close', close)
    arrive()
  })
  const timing = new ManualTiming()
  const life = { aliveUntil: timing.elapsed() + 1_000 }
  let end: unknown
  const posted = openTestPoster(t, { timing }).post(writePost(`https://localhost:${port}/`), life)
  const ended = posted.catch((error: unknown) => (end = error))
  await arrived
  life.aliveUntil += 2_000
  await timing.pass(2_900)
  t.equal(end, undefined)
  await timing.pass(100)
  await ended
  t.match(end, { name: 'LifeEndedError' })
  await closed
})
