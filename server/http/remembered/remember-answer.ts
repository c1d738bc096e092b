// Remembers what Fastify answers, headers included, if the route says how long it holds.
import { rateLimitHeaders, responseHeaders } from '@floe/contract'
import type { FastifyReply, onSendHookHandler } from 'fastify'
import { isBestEncoding } from '../representation/content-encoding.ts'
import { labelRequest } from '../observation/request-records.ts'
import type { RememberedAnswers } from './remembered-answers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whether the answer to this request may be sent again: true while making it anew would give the same. A route sets it when its answer
     * follows from the address, the caller and what the function checks. It reads nothing and does not throw. Null: nothing is remembered.
     */
    isAnswerCurrent: (() => boolean) | null
  }
}

const counted: ReadonlySet<string> = new Set(rateLimitHeaders.map((key) => responseHeaders[key].name))

/** Makes an `onSend` hook that remembers answers as they are sent. It has to be the last one. */
export function makeRememberingHook(answers: RememberedAnswers): onSendHookHandler {
  return (request, reply, payload, done) => {
    const { originalUrl: url, method, headers, apiKey: caller, isAnswerCurrent: isCurrent } = request
    if (isCurrent !== null && method === 'GET' && isFinal(reply, headers['accept-encoding'])) {
      const { statusCode: status } = reply
      const body = typeof payload === 'string' || payload instanceof Buffer ? payload : undefined
      if (status === 304 || (status === 200 && body !== undefined)) {
        const answer = {
          status,
          headers: listHeaders(reply, body),
          body,
          isCurrent,
          labels: labelRequest(request, status),
        }
        answers.remember({ url, headers, caller }, answer)
      }
    }
    done(null, payload)
  }
}

/** Whether the next answer has the same form. The first ones are larger, until the smallest form has been made. */
function isFinal(reply: FastifyReply, acceptEncoding: string | undefined): boolean {
  const encoding = reply.getHeader('content-encoding')
  return encoding === undefined || isBestEncoding(encoding, acceptEncoding)
}

/** The headers of an answer, `content-length` included. What is left of a limit differs from answer to answer. */
function listHeaders(reply: FastifyReply, body: Buffer | string | undefined): string[] {
  const headers = Object.entries(reply.getHeaders())
    .filter(([name]) => !counted.has(name))
    .flatMap(([name, value]) => [name, String(value)])
  return body === undefined ? headers : [...headers, 'content-length', String(Buffer.byteLength(body))]
}
