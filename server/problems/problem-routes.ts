// Every problem's `type` is an address; this is what stands there.
import { problemDefinitions } from '@floe/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { problemTypePage } from '../web/problem-type-page.ts'
import { RequestProblem } from './request-problem.ts'

const Params = z.object({ code: z.string() })

/** Serves `/problems/{code}`. */
export function problemRoutes(app: FastifyInstance, stylesheet: string): void {
  const definitions = new Map(Object.entries(problemDefinitions))
  app.get('/problems/:code', async (request, reply) => {
    const { code } = Params.parse(request.params)
    const definition = definitions.get(code)
    if (!definition) throw new RequestProblem('route-not-found', 'No problem has this name')
    return reply.type('text/html; charset=utf-8').send(problemTypePage(definition, stylesheet))
  })
}
