// Answers that break the rules of HTTP, or stretch them, and what becomes of each. Endless ones are in
// endless-answers.test.ts.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { t } from 'tap'
import { openTestPoster, postTo, startTlsReceiver, writePost } from '../start-receiver.ts'
import { postApart } from './post-apart.ts'

const ok = 'HTTP/1.1 200 OK\r\n'
const whole = `${ok}content-length: 2\r\n\r\nok`
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n`

/** Answers that are taken, with their status. */
const taken: { readonly [name: string]: readonly [answer: string, status: number] } = {
  'trailers after the body': [`${chunked}0\r\nretry-after: 5\r\n\r\n`, 200],
  'hints before the answer': [`HTTP/1.1 103 Early Hints\r\ncontent-length: 5\r\n\r\n${whole}`, 200],
  'no reason after the status': ['HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok', 200],
  'the length with spaces around it': [`${ok}content-length:   2  \r\n\r\nok`, 200],
  'the length of nothing with a space after it': [`${ok}content-length: 0 \r\n\r\n`, 200],
  'a length, and no content because of the status': ['HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n', 204],
  'content that the status excludes': ['HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello', 204],
  'more than was announced': [`${ok}content-length: 1\r\n\r\nok`, 200],
  'an encoding that nobody asked for': [`${ok}content-encoding: gzip\r\ncontent-length: 2\r\n\r\nok`, 200],
  'names of JavaScript as headers': [`${ok}__proto__: 1\r\nconstructor: 2\r\ncontent-length: 2\r\n\r\nok`, 200],
}

/** Answers that are refused, with the end of the message after the host. */
const refused: { readonly [name: string]: readonly [answer: string, end: string] } = {
  'a request': ['POST / HTTP/1.1\r\n\r\n', 'is not HTTP (Expected HTTP/, RTSP/ or ICE/)'],
  'a header without a colon': [`${ok}name\r\n\r\n`, 'is not HTTP (Invalid header token)'],
  'the same after a length': [`${ok}content-length: 2\r\nname\r\n\r\nok`, 'is not HTTP'],
  'a length below nothing': [`${ok}content-length: -1\r\n\r\n`, 'is not HTTP (Invalid character in Content-Length)'],
  'two lengths': [`${ok}content-length: 2\r\ncontent-length: 3\r\n\r\nok`, 'is not HTTP'],
  'a length and chunks': [`${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 'is not HTTP'],
  'a length that no number holds': [`${ok}content-length: ${'9'.repeat(40)}\r\n\r\n`, 'is not HTTP'],
  'a status that does not exist': ['HTTP/1.1 099 Odd\r\n\r\n', 'is not HTTP'],
  'a switch to no protocol': ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'is not HTTP'],
  'no size of a chunk': [`${chunked}zz\r\n`, 'in the middle of its answer (Invalid character in chunk size)'],
  'a chunk beyond its size': [`${ok}transfer-encoding: chunked\r\n\r\n1\r\nok`, '(Expected LF after chunk data)'],
}

/** Makes one exchange with a receiver that answers with these bytes, and then keeps the connection open. */
async function postToAnswer(t: Parameters<typeof openTestPoster>[0], answer: string) {
  const port = await startTlsReceiver(t, (socket) => socket.once('data', () => socket.write(answer)))
  return postTo(t, port)
}

for (const [name, [answer, status]] of Object.entries(taken))
  t.test(`an answer is taken with ${name}`, async (t) => t.equal((await postToAnswer(t, answer)).status, status))

for (const [name, [answer, end]] of Object.entries(refused)) {
  t.test(`an answer is refused for ${name}`, async (t) => {
    const error: unknown = await postToAnswer(t, answer).catch((error: unknown) => error)
    t.ok(error instanceof Error && error.message.startsWith('127.0.0.1 ') && error.message.endsWith(end), String(error))
  })
}

/** Makes two exchanges with one receiver, and returns how each ended. */
async function postTwice(t: Parameters<typeof openTestPoster>[0], onConnection: (socket: TLSSocket) => void) {
  const port = await startTlsReceiver(t, onConnection)
  const poster = openTestPoster(t)
  const post = () => poster.post(writePost(`https://127.0.0.1:${port}/`))
  const first = await post()
  await nextTurn()
  return [first.status, await post().then(({ status }) => status, String)]
}

t.test('the second of two answers at once is not taken for the answer to the next request', async (t) => {
  const outcomes = await postTwice(t, (socket) => {
    socket.on('data', () => socket.write(whole + whole.replace('200', '500')))
  })
  t.strictSame(outcomes, [200, 200])
})

t.test('a receiver that breaks off after it has begun to answer is not asked again at once', async (t) => {
  let requests = 0
  const outcomes = await postTwice(t, (socket) => {
    socket.on('data', () => (++requests === 1 ? socket.write(whole) : socket.end('HTTP/1.1 103 Early Hints\r\n\r\n')))
  })
  t.strictSame(outcomes, [200, 'PostError: 127.0.0.1 closed the connection without an answer'])
  t.equal(requests, 2)
})

t.test('the environment cannot choose a parser that refuses HTTP/1.0', async (t) => {
  const port = await startTlsReceiver(t, (socket) => {
    socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\n'))
  })
  t.equal(await postApart(t, `https://127.0.0.1:${port}/`, { UNDICI_USE_MILO: '1' }), '200')
})
