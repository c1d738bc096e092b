// Receivers that never stop, each over TLS and for as long as anybody reads.
import type { TLSSocket } from 'node:tls'
import { t } from 'tap'
import { postTo, startTlsReceiver } from '../start-receiver.ts'

/** Writes `piece` again and again, as fast as it is read. */
function repeat(socket: TLSSocket, piece: string): void {
  const fill = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', fill)
  fill()
}

/** Writes a byte again and again, each time as a TLS record of its own. */
function trickle(socket: TLSSocket): void {
  if (!socket.destroyed) socket.write('x', () => setImmediate(trickle, socket))
}

const head = 'HTTP/1.1 200 OK\r\n'
const chunked = `${head}transfer-encoding: chunked\r\n\r\n`
const hints = 'HTTP/1.1 103 Early Hints\r\n'
const interim = '127.0.0.1 sent more than 10 interim answers (1xx)'
const headers = 'name: value\r\n'.repeat(1_000)

/**
 * The outcome of the exchange (a status or a message), how the answer begins, and the piece that repeats; by default
 * single bytes.
 */
const hostileAnswers: { readonly [name: string]: readonly [outcome: number | string, start: string, piece?: string] } =
  {
    'interim answers without end': [interim, '', `${hints}\r\n`.repeat(100)],
    'long interim answers without end': [interim, '', `${hints}link: ${'x'.repeat(15_000)}\r\n\r\n`],
    'headers without end': ['the headers of the answer of 127.0.0.1 are longer than 16 KiB', head, headers],
    'a header of single bytes': ['127.0.0.1 sent too much before it had answered', `${head}name: `],
    'chunks of a byte with long extensions': [200, chunked, `1;${'x'.repeat(16_000)}\r\ny\r\n`],
    'a body of single bytes': [200, `${head}\r\n`],
    'a body without end': [200, `${head}\r\n`, 'x'.repeat(1_000_000)],
    'trailers without end': ['127.0.0.1 broke off in the middle of its answer', `${chunked}0\r\n`, headers],
  }

for (const [name, [outcome, start, piece]] of Object.entries(hostileAnswers)) {
  t.test(`a receiver that sends ${name} is cut off`, async (t) => {
    const { promise: closed, resolve } = Promise.withResolvers<unknown>()
    const port = await startTlsReceiver(t, (socket) => {
      socket.once('close', resolve)
      socket.once('data', () => {
        socket.write(start)
        if (piece === undefined) trickle(socket)
        else repeat(socket, piece)
      })
    })
    if (typeof outcome === 'number') t.equal((await postTo(t, port)).status, outcome)
    else await t.rejects(postTo(t, port), { name: 'PostError', message: outcome })
    await closed
  })
}

t.test('a receiver that asks for one handshake after another is cut off', async (t) => {
  const renegotiate = (socket: TLSSocket) => {
    if (!socket.destroyed) socket.renegotiate({}, () => setImmediate(renegotiate, socket))
  }
  const port = await startTlsReceiver(t, (socket) => socket.once('data', () => renegotiate(socket)), {
    maxVersion: 'TLSv1.2',
  })
  await t.rejects(postTo(t, port), { name: 'PostError', message: /^127\.0\.0\.1 broke the encryption off/ })
})

t.test('ten interim answers are taken', async (t) => {
  const port = await startTlsReceiver(t, (socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n'.repeat(10))
      socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  t.equal((await postTo(t, port)).status, 204)
})
