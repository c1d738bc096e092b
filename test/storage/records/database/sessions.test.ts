import {
  type Database,
  endAuditedSession,
  listSessions,
  openDatabase,
  recordSessionCheck,
  startSession,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from './engines.ts'
import { explainLastQuery } from './explain-queries.ts'
import { at, by } from './recorded.ts'

const test = await testOnEngines(t)

/** Starts a session at a second; `orgs` are those in which the person is a reader. */
function start(db: Database, sub: string, second: number, orgs: readonly string[], endsAt = second + 1_000) {
  const session = { issuer: 'https://id.example.org', claims: { sub }, createdAt: at(second), expiresAt: at(endsAt) }
  const roles = orgs.map((org) => ({ org, role: 'reader' as const }))
  return startSession(db, session, roles, () => 'sealed')
}

const subjects = async (db: Database, org: string, before?: string) =>
  (await listSessions(db, org, { before, limit: 10, now: at(100) })).map(({ claims }) => claims.sub)

test('sessions are listed for one organisation, newest first', async (t, { db }) => {
  await start(db, 'both', 1, ['acme', 'other'])
  await start(db, 'other', 2, ['other'])
  await start(db, 'mine', 3, ['acme'])
  await start(db, 'nowhere', 4, [])
  await start(db, 'expired', 5, ['acme'], 100)
  const listed = await listSessions(db, 'acme', { before: undefined, limit: 10, now: at(100) })
  t.match(listed, [{ claims: { sub: 'mine' }, role: 'reader' }, { claims: { sub: 'both' } }])
  t.equal(listed.length, 2)
  t.strictSame(await subjects(db, 'acme', listed[0]?.id), ['both'])
  const [ofOther] = await listSessions(db, 'other', { before: undefined, limit: 1, now: at(100) })
  t.strictSame(await subjects(db, 'acme', ofOther?.id), [], 'a session of another organisation is unknown')
})

test('what a check finds decides in which organisations a session is listed', async (t, { db }) => {
  await start(db, 'ada', 1, ['acme'])
  const [session] = await listSessions(db, 'acme', { before: undefined, limit: 1, now: at(2) })
  if (session === undefined) throw new TypeError('the session is not listed')
  await recordSessionCheck(db, { ...session, checkedAt: at(2) }, [{ org: 'other', role: 'admin' }])
  t.strictSame(await subjects(db, 'acme'), [])
  t.match(await listSessions(db, 'other', { before: undefined, limit: 1, now: at(2) }), [
    { id: session.id, role: 'admin', checkedAt: at(2) },
  ])
  const end = (org: string) => endAuditedSession(db, session.id, { by: { ...by, org }, now: at(3) })
  t.equal(await end('acme'), undefined, 'only its organisations end it')
  t.match(await end('other'), { org: 'other', action: 'session.end', before: { subject: 'ada' } })
  await recordSessionCheck(db, { ...session, checkedAt: at(4) }, [{ org: 'other', role: 'admin' }])
  t.strictSame(await subjects(db, 'other'), [], 'a check does not bring an ended session back')
})

t.test('the sessions of an organisation are read from an index, without those of others', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  for (const before of [undefined, 'a session']) {
    const plan = await explainLastQuery(db, (spied) => listSessions(spied, 'acme', { before, limit: 10, now: at(0) }))
    t.match(plan[0], /^SEARCH session_roles USING INDEX sqlite_autoindex_session_roles_1 \(org=\?/)
    t.notMatch(plan.join(), /SCAN|TEMP B-TREE/)
  }
})
