// How connections to receivers are encrypted: certificates, sessions, and why encryption fails.
import { once } from 'node:events'
import type { TlsOptions, TLSSocket } from 'node:tls'
import { t } from 'tap'
import { openTestPoster, postTo, readIdentity, startReceiver, startTlsReceiver, writePost } from '../start-receiver.ts'

t.test('the session of a connection that was closed because it was idle is resumed', async (t) => {
  const closed: Promise<unknown>[] = []
  const areReused: boolean[] = []
  const port = await startReceiver(t, ({ socket }, response) => {
    closed.push(once(socket, 'close'))
    areReused.push((socket as TLSSocket).isSessionReused()) // the receiver speaks https
    response.end()
  })
  const poster = openTestPoster(t)
  const url = `https://receiver.test:${port}/`
  await poster.post(writePost(url))
  await Promise.all(closed)
  await poster.post(writePost(url))
  t.strictSame(areReused, [false, true])
})

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  t.test(`${version}: no session is resumed an hour after the certificate was checked, or after its end`, async (t) => {
    const areReused: boolean[] = []
    const port = await startTlsReceiver(
      t,
      (socket) =>
        socket.once('data', () => {
          areReused.push(socket.isSessionReused())
          socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
        }),
      { maxVersion: version },
    )
    let [elapsedMs, passedMs] = [0, 0]
    const timing = { now: () => Date.now() + passedMs, elapsed: () => elapsedMs }
    const poster = openTestPoster(t, { timing })
    const postAt = async (minutes: number) => {
      elapsedMs = minutes * 60_000
      await poster.post(writePost(`https://receiver.test:${port}/`))
    }
    for (const minutes of [0, 30, 59, 61, 62]) await postAt(minutes)
    t.strictSame(areReused.splice(0), [false, true, true, false, true])
    passedMs = 1_000 * 365 * 86_400_000
    await postAt(63)
    t.strictSame(areReused, [false])
  })
}

t.test('certificates are verified', async (t) => {
  const good = await startReceiver(t, (_request, response) => response.end())
  const other = await startReceiver(t, (_request, response) => response.end(), 'other')
  const trusting = openTestPoster(t)
  const usual = openTestPoster(t, { extraCa: undefined })
  const writeNamesError = (host: string, names: string) => ({
    message: `the certificate of ${host} is for other names: ${names} (ERR_TLS_CERT_ALTNAME_INVALID)`,
  })
  const names = 'receiver.test, localhost, 127.0.0.1, 0:0:0:0:0:0:0:1'
  await t.rejects(
    trusting.post(writePost(`https://receiver.test:${other}/`)),
    writeNamesError('receiver.test', 'other.test'),
  )
  await t.rejects(trusting.post(writePost(`https://127.0.0.1:${other}/`)), writeNamesError('127.0.0.1', 'other.test'))
  await t.rejects(trusting.post(writePost(`https://elsewhere.test:${good}/`)), writeNamesError('elsewhere.test', names))
  await t.rejects(usual.post(writePost(`https://receiver.test:${good}/`)), {
    message: new RegExp(
      String.raw`^the certificate of receiver\.test is signed by an authority that Floe does not know; ` +
        String.raw`the setting notifications\.extraCaFile can name it, .*\(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$`,
    ),
  })
})

t.test('a failure tells why a receiver refuses encryption', async (t) => {
  const expectFailure = async (options: TlsOptions, message: RegExp) => {
    const port = await startTlsReceiver(t, (socket) => socket.resume(), options)
    await t.rejects(postTo(t, port), { name: 'PostError', message })
  }
  const asking = { requestCert: true, rejectUnauthorized: true }
  await expectFailure({ ALPNProtocols: ['h2'] }, /^127\.0\.0\.1 speaks HTTP\/2 alone, .* on port \d+ \(ERR_SSL_\w+\)$/)
  await expectFailure(
    { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' },
    /^127\.0\.0\.1 does not speak TLS 1\.2 or later on port \d+ /,
  )
  await expectFailure({ ...asking, minVersion: 'TLSv1.3' }, /^127\.0\.0\.1 asks for a client certificate \(/)
  await expectFailure(
    { ...asking, maxVersion: 'TLSv1.2' },
    /^127\.0\.0\.1 asks for a client certificate, or knows none/,
  )
  await expectFailure({ maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' }, /, or knows none of the ciphers of Floe/)
})

t.test('a client certificate is shown to the hosts that it is for, and to no other', async (t) => {
  const shown: string[] = []
  const port = await startTlsReceiver(
    t,
    (socket) =>
      socket.once('data', () => {
        shown.push(String(socket.getPeerCertificate().subject?.CN))
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      }),
    { requestCert: true, rejectUnauthorized: false },
  )
  const clientCertificates = [{ hosts: ['receiver.*'], ...readIdentity('other') }]
  const poster = openTestPoster(t, { clientCertificates })
  for (const host of ['receiver.test', '127.0.0.1']) await poster.post(writePost(`https://${host}:${port}/`))
  t.strictSame(shown, ['other', 'undefined'])
})

t.test('an expired certificate is refused', async (t) => {
  const port = await startReceiver(t, (_request, response) => response.end(), 'expired')
  await t.rejects(openTestPoster(t).post(writePost(`https://receiver.test:${port}/`)), {
    message: /^the certificate of receiver\.test expired on 20\d\d-\d\d-\d\d; renew it \(CERT_HAS_EXPIRED\)$/,
  })
})

t.test('the environment cannot switch verification off', async (t) => {
  const port = await startReceiver(t, (_request, response) => response.end())
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  t.teardown(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
  const untrusting = openTestPoster(t, { extraCa: undefined })
  await t.rejects(untrusting.post(writePost(`https://receiver.test:${port}/`)), { message: /certificate/ })
})
