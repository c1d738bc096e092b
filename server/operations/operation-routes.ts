// Health checks for operators' tools, and the pages about problems, whose addresses are the `type` of a problem.
import { contract, problemDefinitions } from '@floe/contract'
import type { Database } from '@floe/storage/database'
import { implement } from '../http/contract.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import { problemTypePage } from '../web/problem-pages/problem-type-page.ts'

/** Implements `contract.operations`. */
export function makeOperationRoutes(db: Database, stylesheet: string) {
  const definitions = new Map(Object.entries(problemDefinitions))
  return implement(contract.operations, {
    live: async () => ({ status: 200, body: { status: 'ok' } }),
    ready: async () => {
      try {
        await db.selectFrom('repositories').select('id').limit(1).execute()
      } catch (cause) {
        throw new RequestProblem('unavailable', 'The database does not answer', { cause })
      }
      return { status: 200, body: { status: 'ok' } }
    },
    problem: async ({ params }) => {
      const definition = definitions.get(params.code)
      if (!definition) throw new RequestProblem('route-not-found', 'There is no problem of this name')
      return { status: 200, body: problemTypePage(definition, stylesheet) }
    },
  })
}
