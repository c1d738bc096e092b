import { mediaTypes } from '@floe/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RequestProblem } from '../problems/request-problem.ts'
import { explainInvalidRequest } from '../problems/validation-problem.ts'
import { requireRoute } from './contract.ts'

/** Maximum length of most bodies, in bytes. The bodies that the contract allows are much shorter. */
const usualBodyBytes = 65_536

/**
 * Makes the routes of a scope accept only JSON bodies, and no body where the contract has none. JSON may arrive as
 * `application/json` or as Amazon SNS sends it. Fastify parses the JSON and refuses members that would change a
 * prototype.
 *
 * @param maxBodyBytes longest body; a longer one is refused with a problem that names the limit
 */
export function takeJsonBodies(scope: FastifyInstance, maxBodyBytes = usualBodyBytes): void {
  scope.addHook('onRoute', (route) => {
    route.bodyLimit = maxBodyBytes
  })
  const parse = scope.getDefaultJsonParser('error', 'error')
  const parseBody = (request: FastifyRequest, body: string, done: (error: Error | null, body?: unknown) => void) => {
    const refusal = explainCoding(request)
    if (refusal !== undefined) done(refusal)
    else if (body === '') done(null)
    else void parse(request, body, done)
  }
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(mediaTypes.json, { parseAs: 'string' }, parseBody)
  scope.addContentTypeParser(mediaTypes.text, { parseAs: 'string' }, (request, body: string, done) => {
    // Amazon SNS sends JSON as plain text.
    if (request.headers['x-amz-sns-message-type'] !== undefined) parseBody(request, body, done)
    else done(new RequestProblem('unsupported-media-type', `The body must be sent as ${mediaTypes.json}`))
  })
  scope.addHook('preValidation', async (request) => {
    if (request.body === undefined || typeof requireRoute(request).body === 'object') return
    throw explainInvalidRequest([{ pointer: '/body', message: 'must be left out: this request takes none' }])
  })
}

function explainCoding({ headers }: FastifyRequest): RequestProblem | undefined {
  if (headers['content-encoding'] !== undefined)
    return new RequestProblem('unsupported-media-type', 'The body must be sent without a content coding')
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8')
    return new RequestProblem('unsupported-media-type', 'The body must be sent in UTF-8')
  return undefined
}
