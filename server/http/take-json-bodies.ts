import { isUtf8 } from 'node:buffer'
import { mediaTypes } from '@floe/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RequestProblem } from '../problems/request-problem.ts'
import { refuseDeepJson } from '../problems/refuse-deep-json.ts'
import { explainInvalidRequest } from '../problems/validation-problem.ts'
import { requireRoute } from './contract.ts'

/** Maximum length of most bodies, in bytes. The bodies that the contract allows are much shorter. */
export const usualBodyBytes = 65_536

/**
 * Makes the routes of a scope accept only JSON bodies, and no body where the contract has none. Fastify parses the JSON
 * and refuses members that would change a prototype.
 */
export function takeJsonBodies(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error')
  readJsonBodies(scope, usualBodyBytes, (request, body) => {
    const text = body.toString()
    refuseDeepJson(text)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    void parse(request, text, (error, value) => (error === null ? resolve(value) : reject(error)))
    return promise
  })
}

/**
 * Like {@link takeJsonBodies}, with another parser. JSON may arrive as `application/json` or as Amazon SNS sends it.
 *
 * @param maxBodyBytes longest body; a longer one is refused with a problem that names the limit
 * @param parse gets the bodies that are not empty
 */
export function readJsonBodies(
  scope: FastifyInstance,
  maxBodyBytes: number,
  parse: (request: FastifyRequest, body: Buffer) => Promise<unknown>,
): void {
  scope.addHook('onRoute', (route) => {
    route.bodyLimit = maxBodyBytes
  })
  const parseBody = async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    refuseCoding(request)
    if (!isUtf8(body)) throw explainInvalidRequest([{ pointer: '/body', message: 'must be in UTF-8' }])
    return body.length === 0 ? undefined : parse(request, body)
  }
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(mediaTypes.json, { parseAs: 'buffer' }, parseBody)
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    // Amazon SNS sends JSON as plain text.
    if (request.headers['x-amz-sns-message-type'] !== undefined) return parseBody(request, body)
    throw new RequestProblem('unsupported-media-type', `The body must be sent as ${mediaTypes.json}`)
  })
  scope.addHook('preValidation', async (request) => {
    if (request.body === undefined || typeof requireRoute(request).body === 'object') return
    throw explainInvalidRequest([{ pointer: '/body', message: 'must be left out: this request takes none' }])
  })
}

function refuseCoding({ headers }: FastifyRequest): void {
  if (headers['content-encoding'] !== undefined)
    throw new RequestProblem('unsupported-media-type', 'The body must be sent without a content coding')
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8')
    throw new RequestProblem('unsupported-media-type', 'The body must be sent in UTF-8')
}
