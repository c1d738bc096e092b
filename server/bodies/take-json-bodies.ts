import { mediaTypes } from '@floe/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRoute } from '../http/contract.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { explainInvalidRequest } from '../problems/validation-problem.ts'
import { parseJsonBody } from './parse-json-body.ts'

/** Longest body, in bytes. The longest body that the contract allows is much shorter. */
const maxBodyBytes = 65_536

/**
 * Makes the routes of a scope accept JSON bodies only, as `application/json` or as Amazon SNS sends it, and no body where the contract has
 * none.
 */
export function takeJsonBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    mediaTypes.json,
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    async (request: FastifyRequest, bytes: Buffer) => {
      refuseCodings(request)
      return parseJsonBody(bytes)
    },
  )
  scope.addContentTypeParser(
    mediaTypes.text,
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    async (request: FastifyRequest, bytes: Buffer) => {
      // Amazon SNS calls its JSON plain text.
      if (request.headers['x-amz-sns-message-type'] === undefined) {
        throw new RequestProblem('unsupported-media-type', `The body must be sent as ${mediaTypes.json}`)
      }
      refuseCodings(request)
      return parseJsonBody(bytes)
    },
  )
  scope.addHook('preValidation', async (request) => {
    if (request.body === undefined || typeof requireRoute(request).body === 'object') return
    throw explainInvalidRequest([{ pointer: '/body', message: 'must be left out: this request takes none' }])
  })
}

function refuseCodings({ headers }: FastifyRequest): void {
  if (headers['content-encoding'] !== undefined) {
    throw new RequestProblem('unsupported-media-type', 'The body must be sent without a content coding')
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new RequestProblem('unsupported-media-type', 'The body must be sent in UTF-8')
  }
}
