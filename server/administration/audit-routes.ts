import { contract } from '@floe/contract'
import { implement } from '../http/contract.ts'
import type { AdministrationContext } from './administration-context.ts'
import { auditPage, callerOf } from './audit.ts'

/** Implements `contract.audit`. */
export function auditRoutes({ db }: AdministrationContext) {
  return implement(contract.audit, {
    list: async ({ params: { org }, query, request }) => {
      const { repos } = callerOf(request)
      return { status: 200, body: await auditPage(db, { org, repos }, query) }
    },
  })
}
