// For orchestrators: is the process alive, can it serve.
import type { Database } from '@floe/storage/database'
import type { FastifyInstance } from 'fastify'
import { RequestProblem } from './problems/request-problem.ts'

/** `/healthz` answers while the process runs, `/readyz` while its database answers. */
export function healthRoutes(app: FastifyInstance, db: Database): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    try {
      await db.selectFrom('repositories').select('id').limit(1).execute()
    } catch (cause) {
      throw new RequestProblem('unavailable', 'The database does not answer', { cause })
    }
    return { status: 'ok' }
  })
}
