// Sessions of people who have a role in an organisation, for those who administer the whole of it.
import { contract } from '@floe/contract'
import { endAuditedSession, listSessions, namePerson, readSession, type Session } from '@floe/storage/database'
import { requireCaller, requireWholeOrg } from '../http/access/access-hook.ts'
import type { Caller } from '../http/access/caller.ts'
import { implementJson } from '../http/contract.ts'
import { logAudit } from '../observation/log-audit.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { AdministrationContext } from './administration-context.ts'
import { readChangeOptions } from './changes.ts'
import { readPage } from './read-page.ts'

type Context = Pick<AdministrationContext, 'db' | 'auditLog' | 'now' | 'sessions'>

/** A session, and what its person may do in the organisation. */
type OwnSession = Session & Pick<Caller, 'role'>

/** Sessions that one query reads. */
const sessionsPerQuery = 200

export function makeSessionRoutes(context: Context) {
  const { db, auditLog, now } = context
  return implementJson(contract.sessions, {
    list: async ({ params: { org }, query: { before, limit }, request }) => {
      requireWholeOrg(requireCaller(request))
      const { items, next } = await readPage(limit, (size) => listOwn(context, org, before, size))
      return { items: items.map(showSession), next }
    },
    end: async ({ params: { org, id }, request }) => {
      requireWholeOrg(requireCaller(request))
      const session = await readSession(db, id, new Date(now()))
      const [own] = selectOwn(context, org, session ? [session] : [])
      const audit = own && (await endAuditedSession(db, own, readChangeOptions(context, request)))
      if (audit === undefined) throw new RequestProblem('session-not-found', `${org} has no session ${id}`)
      logAudit(auditLog, audit)
      return undefined
    },
  })
}

/** Lists sessions of people with a role in an organisation, newest first. */
async function listOwn(context: Context, org: string, before: string | undefined, limit: number) {
  const own: OwnSession[] = []
  for (let last = before; own.length < limit;) {
    const query = { before: last, limit: sessionsPerQuery, now: new Date(context.now()) }
    const sessions = await listSessions(context.db, query)
    own.push(...selectOwn(context, org, sessions))
    last = sessions.at(-1)?.id
    if (sessions.length < sessionsPerQuery) break
  }
  return own.slice(0, limit)
}

function selectOwn({ sessions }: Context, org: string, all: readonly Session[]): OwnSession[] {
  return all.flatMap((session) => {
    const caller = sessions?.listCallers(session)?.find((each) => each.org === org)
    return caller ? [{ ...session, role: caller.role }] : []
  })
}

function showSession(session: OwnSession) {
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
