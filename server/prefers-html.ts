import type { FastifyRequest } from 'fastify'

/** Whether the caller would rather read a page than JSON: browsers say so, programs do not. */
export function prefersHtml(request: FastifyRequest): boolean {
  return request.accepts().type(['json', 'html']) === 'html'
}
