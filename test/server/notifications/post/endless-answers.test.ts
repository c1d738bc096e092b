import type { TLSSocket } from 'node:tls'
import { t } from 'tap'
import { openTestPoster, startTlsReceiver } from '../start-receiver.ts'
import { hostileAnswers } from './hostile-receivers.ts'

/** What becomes of an exchange with each hostile receiver: a status, or a message. */
const outcomes: { readonly [name: string]: number | string } = {
  'interim answers without end': '127.0.0.1 sent more than 10 interim answers (1xx)',
  'long interim answers without end': '127.0.0.1 sent more than 10 interim answers (1xx)',
  'headers without end': 'the headers of the answer of 127.0.0.1 are longer than 16 KiB',
  'a header of single bytes': '127.0.0.1 sent too much before it had answered',
  'chunks of a byte with long extensions': 200,
  'a body of single bytes': 200,
  'a body without end': 200,
  'trailers without end': '127.0.0.1 broke off in the middle of its answer',
}

const post = (t: Parameters<typeof openTestPoster>[0], port: number) =>
  openTestPoster(t).post({ url: new URL(`https://127.0.0.1:${port}/`), headers: {}, body: '{}' })

t.strictSame(Object.keys(hostileAnswers), Object.keys(outcomes))

for (const [name, answer] of Object.entries(hostileAnswers)) {
  t.test(`a receiver that sends ${name} is cut off`, async (t) => {
    const { promise: closed, resolve } = Promise.withResolvers<unknown>()
    const port = await startTlsReceiver(t, (socket) => {
      socket.once('close', resolve)
      socket.once('data', () => answer(socket))
    })
    const outcome = outcomes[name]
    if (typeof outcome === 'number') t.equal((await post(t, port)).status, outcome)
    else await t.rejects(post(t, port), { name: 'PostError', message: outcome })
    await closed
  })
}

t.test('a receiver that asks for one handshake after another is cut off', async (t) => {
  const renegotiate = (socket: TLSSocket) => {
    if (!socket.destroyed) socket.renegotiate({}, () => setImmediate(renegotiate, socket))
  }
  const port = await startTlsReceiver(t, (socket) => socket.once('data', () => renegotiate(socket)), 'TLSv1.2')
  await t.rejects(post(t, port), { name: 'PostError', message: /^127\.0\.0\.1 broke the encryption off/ })
})

t.test('ten interim answers are taken', async (t) => {
  const port = await startTlsReceiver(t, (socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n'.repeat(10))
      socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  t.equal((await post(t, port)).status, 204)
})
