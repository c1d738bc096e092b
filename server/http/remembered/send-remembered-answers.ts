// Sends remembered answers before Fastify sees the request. What can change is checked for each: the caller's key, the caller's limit, and
// what the answer was made from. Whatever is not certain here takes the usual way, which also refuses.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Authenticator } from '../access/authenticate.ts'
import type { CallerLimit } from '../access/rate-limits.ts'
import { limitReading } from '../connections/limit-connections.ts'
import type { Metrics } from '../observation/metrics.ts'
import type { RequestRecords } from '../observation/request-records.ts'
import type { Timing } from '../../timing.ts'
import { makeRememberingHook } from './remember-answer.ts'
import { RememberedAnswers } from './remembered-answers.ts'

/** What remembered answers are checked with. */
type Parts = {
  readonly authenticator: Pick<Authenticator, 'recall'>
  readonly limit: Pick<CallerLimit, 'countAtOnce'>
  readonly timing: Pick<Timing, 'after' | 'elapsed'>
  readonly requests: RequestRecords
  readonly metrics: Metrics
  /** Most memory for answers, in bytes. */
  readonly maxBytes: number
}

/**
 * Makes an application remember answers and send them again. Call it after the hooks that change answers and the listeners that other requests
 * need, and before the routes. Returns the memory of the answers.
 */
export function sendRememberedAnswers(app: FastifyInstance, { maxBytes, metrics, ...parts }: Parts): RememberedAnswers {
  const answers = new RememberedAnswers(maxBytes, metrics)
  let isClosing = false
  app.decorateRequest('isAnswerCurrent', null)
  app.addHook('onSend', makeRememberingHook(answers))
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  const { server } = app
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isClosing && answerAtOnce(answers, parts, request, response)) return
    for (const listener of listeners) Reflect.apply(listener, server, [request, response])
  })
  return answers
}

/** Sends the remembered answer to a request; returns false, and has done nothing, if there is none or the caller must not have it. */
function answerAtOnce(
  answers: RememberedAnswers,
  { authenticator, limit, timing, requests }: Omit<Parts, 'maxBytes' | 'metrics'>,
  { method, url = '/', headers }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { socket } = response
  // Without a socket, the caller has left, or the response waits for others on its connection.
  if ((method !== 'GET' && method !== 'HEAD') || socket === null) return false
  const startedAt = timing.elapsed()
  const caller = headers.authorization === undefined ? null : authenticator.recall(headers.authorization)
  if (caller === undefined) return false
  const answer = answers.find({ url, headers, caller })
  if (answer === undefined) return false
  const counted = limit.countAtOnce(caller)
  if (counted === undefined) return false
  response.writeHead(answer.status, [...answer.headers, ...counted]).end(answer.body)
  requests.noteQuick(answer.labels, { method, url, caller, startedAt })
  // The system has taken most answers whole, and nothing is left to wait for.
  if (socket.writableLength > 0) limitReading(response, timing.after)
  return true
}
