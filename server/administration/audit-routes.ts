import { contract } from '@floe/contract'
import { writeBody } from '@floe/storage/json'
import { implement } from '../http/contract.ts'
import type { AdministrationContext } from './administration-context.ts'
import { readAuditPage, requireCaller } from './audit.ts'

/** Implements `contract.audit`. */
export function makeAuditRoutes({ db }: AdministrationContext) {
  return implement(contract.audit, {
    list: async ({ params: { org }, query, request }) => {
      const { repos } = requireCaller(request)
      return { status: 200, body: writeBody(await readAuditPage(db, { org, repos }, query)) }
    },
  })
}
