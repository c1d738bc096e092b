import { contract } from '@floe/contract'
import { initServer } from '@ts-rest/fastify'
import type { AdministrationContext } from './administration-context.ts'
import { auditPage, callerOf } from './audit.ts'

/** Implements `contract.audit`. */
export function auditRoutes({ db }: AdministrationContext) {
  return initServer().router(contract.audit, {
    list: async ({ params: { org }, query, request }) => {
      const { repos } = callerOf(request)
      return { status: 200, body: await auditPage(db, { org, repos }, query) }
    },
  })
}
