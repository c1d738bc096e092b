import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { t } from 'tap'
import { isStale, limitAnswers } from '../../../../server/notifications/post/limit-answers.ts'

/**
 * Lets a receiver send and a request be written in this order, then breaks the connection; returns whether the request
 * may be repeated.
 */
function breakAfter(...steps: readonly ('answer' | 'request')[]): boolean {
  const stream = new Duplex({ read: () => {}, write: (_chunk, _encoding, callback) => callback() })
  // Has all that the function uses of a socket.
  const socket = stream as TLSSocket
  limitAnswers(socket, new URL('https://receiver.test/'), () => false)
  for (const step of steps) {
    if (step === 'answer') socket.push(Buffer.from('x'))
    else for (const part of ['head', 'body']) socket.write(part)
  }
  const error = new Error('broken')
  socket.emit('error', error)
  return isStale(error)
}

t.test('a request is repeated only if its connection was kept and the receiver has sent nothing since', async (t) => {
  t.equal(breakAfter('request', 'answer', 'request'), true)
  t.equal(breakAfter('request', 'answer', 'request', 'answer'), false)
  t.equal(breakAfter('request'), false)
})

t.test('what a receiver sends before the first request does not make it repeat that request without end', async (t) => {
  t.equal(breakAfter('answer', 'request'), false)
})
