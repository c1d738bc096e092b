// What hostile receivers write, each over TLS and for as long as anybody reads.
import type { TLSSocket } from 'node:tls'

/** Writes `piece` again and again, as fast as it is read. */
function repeat(socket: TLSSocket, piece: string | Buffer): void {
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

/** Answers of hostile receivers by what they do. */
export const hostileAnswers: { readonly [name: string]: (socket: TLSSocket) => void } = {
  'interim answers without end': (socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
  'long interim answers without end': (socket) =>
    repeat(socket, `HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(15_000)}\r\n\r\n`),
  'headers without end': (socket) => {
    socket.write(head)
    repeat(socket, 'name: value\r\n'.repeat(1_000))
  },
  'a header of single bytes': (socket) => {
    socket.write(`${head}name: `)
    trickle(socket)
  },
  'chunks of a byte with long extensions': (socket) => {
    socket.write(chunked)
    repeat(socket, `1;${'x'.repeat(16_000)}\r\ny\r\n`)
  },
  'a body of single bytes': (socket) => {
    socket.write(`${head}\r\n`)
    trickle(socket)
  },
  'a body without end': (socket) => {
    socket.write(`${head}\r\n`)
    repeat(socket, Buffer.alloc(1_000_000, 'x'))
  },
  'trailers without end': (socket) => {
    socket.write(`${chunked}0\r\n`)
    repeat(socket, 'name: value\r\n'.repeat(1_000))
  },
}
