import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RequestProblem } from '../problems/request-problem.ts'
import { invalidRequest } from '../problems/validation-problem.ts'
import { parseJsonBody } from './parse-json-body.ts'

/** The longest body, in bytes. The contract allows much shorter ones only. */
const maxBodyBytes = 65_536

/** Makes the routes of a scope accept bodies only as `application/json`, and only where the contract has a body. */
export function takeJsonBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    async (request: FastifyRequest, bytes: Buffer) => {
      refuseCodings(request)
      return parseJsonBody(bytes)
    },
  )
  scope.addHook('preValidation', async ({ body, routeOptions }) => {
    // Every route of such a scope comes from the contract, where a body is a schema, the mark of none, or not said.
    const { tsRestRoute } = routeOptions.config as { tsRestRoute?: { body?: unknown } }
    const takesBody = typeof tsRestRoute?.body === 'object'
    if (body === undefined || takesBody) return
    throw invalidRequest([{ pointer: '/body', message: 'must be left out, because this request has no body' }])
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
