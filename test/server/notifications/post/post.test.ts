import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { t } from 'tap'
import {
  makeTimeLimit,
  openTestPoster,
  postTo,
  startReceiver,
  startTcpReceiver,
  testDirectly,
  writePost,
} from '../start-receiver.ts'
import { postApart } from './post-apart.ts'

// Proves: a notification is sent by `POST`
t.test('the body and the headers arrive, and the answer comes back', async (t) => {
  const received: unknown[] = []
  const port = await startReceiver(t, (request, response) => {
    const { method, url, headers } = request
    request.setEncoding('utf8').on('data', (body) => received.push({ method, url, headers, body }))
    request.on('end', () => response.writeHead(202, { 'retry-after': '7' }).end('thanks'))
  })
  const answer = await openTestPoster(t).post(
    writePost(`https://127.0.0.1:${port}/hook?a=b`, { 'x-secret-token': 's' }),
  )
  t.strictSame(answer, { status: 202, retryAfter: '7', start: Buffer.from('thanks') })
  t.match(received, [
    {
      method: 'POST',
      url: '/hook?a=b',
      headers: {
        host: `127.0.0.1:${port}`,
        'content-type': 'application/json',
        'content-length': '21',
        'x-secret-token': 's',
      },
      body: '{"event":"NewCommit"}',
    },
  ])
})

t.test('a name is resolved once, is sent to its receiver, and the connection is kept for the next one', async (t) => {
  const hosts: unknown[] = []
  const ports = new Set<unknown>()
  const port = await startReceiver(t, (request, response) => {
    // A TLS socket of a server.
    const { servername } = request.socket as unknown as { servername: string }
    hosts.push({ host: request.headers.host, servername })
    ports.add(request.socket.remotePort)
    response.end()
  })
  const asked: string[] = []
  const poster = openTestPoster(t, {
    resolveHost: async (host) => {
      asked.push(host)
      return ['127.0.0.1']
    },
  })
  for (let n = 0; n < 3; n++) {
    t.equal((await poster.post(writePost(`https://receiver.test:${port}/`))).status, 200)
    await nextTurn()
  }
  const same = { host: `receiver.test:${port}`, servername: 'receiver.test' }
  t.strictSame(hosts, [same, same, same])
  t.strictSame(asked, ['receiver.test'])
  t.equal(ports.size, 1)
})

t.test('a kept connection that the receiver has closed is replaced within the attempt', async (t) => {
  const used = new WeakSet()
  let answered = 0
  const port = await startReceiver(t, ({ socket }, response) => {
    if (used.has(socket)) socket.destroy()
    else response.end(String(++answered))
    used.add(socket)
  })
  const poster = openTestPoster(t)
  for (const expected of ['1', '2', '3']) {
    t.equal((await poster.post(writePost(`https://127.0.0.1:${port}/`))).start.toString(), expected)
    await nextTurn()
  }
})

testDirectly(t, 'proxies of the environment are not used', async (t) => {
  const port = await startReceiver(t, (_request, response) => response.end())
  const proxy = await startTcpReceiver(t, (socket) => {
    t.fail('connected to the proxy')
    socket.destroy()
  })
  const url = `http://127.0.0.1:${proxy}`
  const names = ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
  const variables = { ...Object.fromEntries(names.map((name) => [name, url])), NODE_USE_ENV_PROXY: '1' }
  t.equal(await postApart(t, `https://receiver.test:${port}/`, variables), '200')
})

// Proves: redirects are not followed
t.test('a redirect is an answer, and is not followed', async (t) => {
  const paths: unknown[] = []
  const port = await startReceiver(t, (request, response) => {
    paths.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  t.equal((await openTestPoster(t).post(writePost(`https://127.0.0.1:${port}/hook`))).status, 307)
  t.strictSame(paths, ['/hook'])
})

testDirectly(t, 'an exchange that hangs is ended, and the message says where', async (t) => {
  // The time of an exchange is over when it hangs, and not before, however busy the machine is.
  let limit = makeTimeLimit()
  const endTime = () => limit.endTime()
  const resolveHost = () => {
    endTime()
    return new Promise<never>(() => {})
  }
  const silent = await startTcpReceiver(t, (socket) => socket.once('data', endTime))
  const headers = await startReceiver(t, endTime)
  const body = await startReceiver(t, (_request, response) => response.writeHead(200).write('begun', endTime))
  const slow = await startReceiver(t, (_request, response) => {
    let sent = 0
    const timer = setInterval(() => response.write('.', () => ++sent === 10 && endTime()), 20)
    response.on('close', () => clearInterval(timer))
  })
  const interim = await startReceiver(t, (_request, response) => {
    // More than ten would end the exchange.
    for (let left = 10; left > 0; left--) response.writeProcessing()
    endTime()
  })
  const stages = [
    ['https://receiver.test/', undefined, 'the name receiver.test could not be looked up within 1 second'],
    [`https://127.0.0.1:${silent}/`, undefined, '127.0.0.1 did not agree on encryption within 1 second'],
    [`https://127.0.0.1:${headers}/`, undefined, '127.0.0.1 did not answer within 1 second'],
    [`https://127.0.0.1:${interim}/`, undefined, '127.0.0.1 did not answer within 1 second'],
    [`https://127.0.0.1:${body}/`, 200, '127.0.0.1 did not finish its answer within 1 second'],
    [`https://127.0.0.1:${slow}/`, 200, '127.0.0.1 did not finish its answer within 1 second'],
  ] as const
  for (const [url, status, start] of stages) {
    limit = makeTimeLimit()
    const poster = openTestPoster(t, { resolveHost, timing: limit.timing, limitMs: 1_000 })
    const message = new RegExp(`^${start.replaceAll('.', '\\.')}; `)
    await t.rejects(poster.post(writePost(url)), { name: 'PostError', message, status }, start)
  }
})

testDirectly(t, 'an answer that has arrived when the time is over counts', async (t) => {
  const { timing, endTime } = makeTimeLimit()
  const port = await startReceiver(t, (_request, response) => {
    response.end('in time')
    // The time is over before our side reads the answer.
    endTime()
  })
  const { start } = await postTo(t, port, { timing })
  t.equal(start.toString(), 'in time')
})

// Proves: at most 250 KB (256,000 bytes) of an answer are read
t.test('only 256,000 bytes of a body are read, and the status decides', async (t) => {
  const announced = 1_000_000
  const port = await startReceiver(t, (_request, response) => {
    response.writeHead(200, { 'content-length': announced }).write(Buffer.alloc(256_000, 'x'))
  })
  const { status, start } = await postTo(t, port)
  t.equal(status, 200)
  t.strictSame(start, Buffer.alloc(16_384, 'x'))
})

// Proves: an answer of up to 250 KB is read completely
t.test('after 255,999 bytes of a body, the rest is awaited', async (t) => {
  const { timing, endTime } = makeTimeLimit()
  const port = await startReceiver(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 256_000 })
    // What was written is read meanwhile.
    response.write(Buffer.alloc(255_999), () => setTimeout(endTime, 1_000))
  })
  await t.rejects(postTo(t, port, { timing }), { message: /did not finish its answer within 30 seconds/ })
})

t.test('a body just below the limit is read to its end, and the connection kept', async (t) => {
  const ports: unknown[] = []
  const port = await startReceiver(t, (request, response) => {
    ports.push(request.socket.remotePort)
    response.end(Buffer.alloc(255_999))
  })
  const poster = openTestPoster(t)
  for (let n = 0; n < 2; n++) {
    await poster.post(writePost(`https://127.0.0.1:${port}/`))
    await nextTurn()
  }
  t.equal(new Set(ports).size, 1)
})

t.test('a compressed body is not inflated', async (t) => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const port = await startReceiver(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })
  const { start } = await postTo(t, port)
  t.strictSame(start, bomb.subarray(0, 16_384))
})

t.test('what breaks off or is no HTTP is a failure', async (t) => {
  const reset = await startTcpReceiver(t, (socket) => socket.resetAndDestroy())
  const plain = await startTcpReceiver(t, (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'))
  const cut = await startReceiver(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('begun', () => response.socket?.destroy())
  })
  const garbage = await startReceiver(t, (request) => void request.socket.end('nonsense\r\n\r\n'))
  const flood = await startReceiver(t, (request) => {
    request.socket.write(`HTTP/1.1 200 OK\r\n${'name: value\r\n'.repeat(5_000)}`)
  })
  const hangUp = await startReceiver(t, (request) => void request.socket.destroy())
  const upgrade = await startReceiver(t, (request) => {
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
  })
  const interim = await startReceiver(t, (_request, response) => {
    response.writeContinue()
    response.end()
  })
  const poster = openTestPoster(t)
  const post = (port: number) => poster.post(writePost(`https://127.0.0.1:${port}/`))
  const expectFailure = (port: number, message: string | RegExp, status?: number) =>
    t.rejects(post(port), { name: 'PostError', message, status })
  // A proxy can notice it before it has answered.
  const early =
    /^127\.0\.0\.1 closed the connection before encryption was agreed on; .*\(ECONNRESET\)$|^the proxy .* 502 /
  await expectFailure(reset, early)
  await expectFailure(plain, /^127\.0\.0\.1 does not speak https on port \d+(?: \((?:EPROTO|ERR_SSL_\w+)\))?$/)
  await expectFailure(cut, '127.0.0.1 broke off in the middle of its answer', 200)
  await expectFailure(garbage, '127.0.0.1 answered with something that is not HTTP (Expected HTTP/, RTSP/ or ICE/)')
  await expectFailure(flood, 'the headers of the answer of 127.0.0.1 are longer than 16 KiB')
  const writeUnexpected = (status: string) =>
    `127.0.0.1 sent the status ${status}, which a request of Floe does not ask for`
  await expectFailure(upgrade, writeUnexpected('101 Switching Protocols'))
  await expectFailure(interim, writeUnexpected('100 Continue'))
  await expectFailure(hangUp, '127.0.0.1 closed the connection without an answer')
})

t.test('a header that cannot be sent is an error of the request', async (t) => {
  await t.rejects(openTestPoster(t).post(writePost('https://127.0.0.1/', { 'x-secret-token': 'a\r\nb: c' })), {
    message: 'invalid x-secret-token header',
  })
})
