// Sessions of people who have a role in an organisation, for those who administer the whole of it.
import { contract } from '@floe/contract'
import { endAuditedSession, listSessions, namePerson } from '@floe/storage/database'
import { requireCaller, requireWholeOrg } from '../http/access/access-hook.ts'
import { implementJson } from '../http/contract.ts'
import { logAudit } from '../observation/log-audit.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { AdministrationContext } from './administration-context.ts'
import { readChangeOptions } from './changes.ts'
import { readPage } from './read-page.ts'

export function makeSessionRoutes(context: Pick<AdministrationContext, 'db' | 'auditLog' | 'now'>) {
  const { db, auditLog, now } = context
  return implementJson(contract.sessions, {
    list: async ({ params: { org }, query: { before, limit }, request }) => {
      requireWholeOrg(requireCaller(request))
      const read = (size: number) => listSessions(db, org, { before, limit: size, now: new Date(now()) })
      const { items, next } = await readPage(limit, read)
      return { items: items.map(showSession), next }
    },
    end: async ({ params: { org, id }, request }) => {
      requireWholeOrg(requireCaller(request))
      const audit = await endAuditedSession(db, id, readChangeOptions(context, request))
      if (audit === undefined) throw new RequestProblem('session-not-found', `${org} has no session ${id}`)
      logAudit(auditLog, audit)
      return undefined
    },
  })
}

function showSession(session: Awaited<ReturnType<typeof listSessions>>[number]) {
  const { id, role, createdAt, checkedAt, expiresAt } = session
  return {
    id,
    person: namePerson(session),
    role,
    created_at: createdAt.toISOString(),
    checked_at: checkedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }
}
