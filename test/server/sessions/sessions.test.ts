// What ends a session: the person, an administrator, the issuer, and time.
import { createApiKey, deleteExpired, listSessions } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { createAdminClient } from '@floe/client'
import { generateSecretKey, SecretBox } from '@floe/storage/secrets'
import { type KeptTokens, type RegisteredIssuer, SignInIssuer } from '../../../server/issuers/sign-in-issuer.ts'
import { IssuerError } from '../../../server/issuers/read-document.ts'
import { Sessions } from '../../../server/sessions/sessions.ts'
import { testOnEngines } from '../../storage/records/database/engines.ts'
import { rules } from '../issuers/start-issuer.ts'
import { ManualTiming } from '../notifications/manual-timing.ts'
import { basic, type ServerOptions, startServer } from '../start-server.ts'
import { bySite, openJar, signInAda, startSignIn } from './start-sign-in.ts'

const minutes = 60_000
const json = { headers: { accept: 'application/json' } }

const test = await testOnEngines(t)

/** A server whose clock a test sets. The issuer has its own. */
async function startWithClock(t: Test, options: ServerOptions = {}) {
  const clock = { ms: Date.now() }
  return { clock, ...(await startSignIn(t, { now: () => clock.ms, ...options })) }
}

t.test('signing out ends the session here and at the issuer', async (t) => {
  const { clock, server, baseUrl, issuer } = await startWithClock(t)
  const { cookies, visit, follow } = await signInAda(baseUrl)
  const stolen = openJar()
  stolen.cookies.set('__Host-floe-session', cookies.get('__Host-floe-session') ?? '')
  const out = await visit(`${baseUrl}/sign-out`, bySite('same-origin'))
  t.equal(out.status, 200)
  const [, address = ''] = /^0; url=(.+)$/.exec(out.headers.get('refresh') ?? '') ?? []
  const { origin, searchParams } = new URL(address)
  t.equal(origin, issuer)
  t.equal(searchParams.get('post_logout_redirect_uri'), `${baseUrl}/`)
  t.ok(searchParams.get('id_token_hint'))
  t.notOk(cookies.has('__Host-floe-session'))
  clock.ms += 1_001
  t.equal((await stolen.visit(`${server.meta}/discovery`, json)).status, 401)
  const { response } = await follow(address)
  t.equal(response?.status, 200, 'the issuer asks whether to sign out')
  t.strictSame(await server.db.selectFrom('sessions').select('id').execute(), [])
})

// Proves: a person who is removed at the issuer is signed out within five minutes
t.test('a person who is removed at the issuer is out within five minutes', async (t) => {
  const { clock, server, baseUrl, about } = await startWithClock(t)
  const { visit } = await signInAda(baseUrl)
  const read = async () => (await visit(`${server.meta}/discovery`, json)).status
  about.isThere = false
  clock.ms += 5 * minutes - 1_500
  t.equal(await read(), 200)
  clock.ms += 1_500
  t.equal(await read(), 401)
  t.strictSame(await server.db.selectFrom('sessions').select('id').execute(), [])
})

t.test('a claim that changes counts within five minutes, and a session without any that fits ends', async (t) => {
  const { clock, server, baseUrl, about } = await startWithClock(t)
  const { visit } = await signInAda(baseUrl)
  const read = async (path: string) => (await visit(`${server.org}/${path}`, json)).status
  t.equal(await read('audit'), 200)
  about.groups = ['readers']
  clock.ms += 5 * minutes
  t.equal(await read('audit'), 403)
  t.equal((await visit(`${server.meta}/discovery`, json)).status, 200)
  Object.assign(about, { groups: [], email: undefined })
  clock.ms += 5 * minutes
  t.equal((await visit(`${server.meta}/discovery`, json)).status, 401)
})

t.test('a session lasts for twelve hours, however often it is used', async (t) => {
  const { clock, server, baseUrl } = await startWithClock(t)
  const { visit } = await signInAda(baseUrl)
  for (let hour = 0; hour < 12; hour++) {
    t.equal((await visit(`${server.meta}/discovery`, json)).status, 200, `hour ${hour}`)
    clock.ms += 60 * minutes
  }
  t.equal((await visit(`${server.meta}/discovery`, json)).status, 401)
  const past = new Date(0)
  const others = { attemptsBefore: past, eventsBefore: past, auditBefore: past, keysBefore: past, limit: 10 }
  t.equal((await deleteExpired(server.db, { ...others, sessionsBefore: new Date(clock.ms) })).deleted, 1)
})

t.test('an administrator sees the sessions of the own organisation, and ends them', async (t) => {
  const { clock, server, baseUrl, about, issuer } = await startWithClock(t, { otherOrgs: { other: [] } })
  about.groups = ['data-admins', 'others']
  const ada = await signInAda(baseUrl)
  clock.ms += 1_000
  about.groups = ['others']
  about.email = 'eve@elsewhere.example'
  const eve = await signInAda(baseUrl)
  const otherKey = await createApiKey(server.db, { org: 'other', role: 'admin', repos: null }, new Date())
  const connect = (org: string, apiKey: string) => createAdminClient({ baseUrl, org, apiKey })
  const acme = connect('acme', server.adminKey)
  const other = connect('other', otherKey)
  const { items, next } = await acme.sessions.listPage({ limit: 1 })
  t.match(items, [{ person: { issuer, subject: 'ada', email: 'ada.l@example.org' }, role: 'admin' }])
  t.equal(next, null)
  const [newest, oldest] = await Array.fromAsync(other.sessions.list())
  t.match(newest, { person: { email: 'eve@elsewhere.example' } })
  t.equal((await other.sessions.listPage({ limit: 1 })).next, newest?.id)
  t.strictSame((await other.sessions.listPage({ before: newest?.id })).items, [oldest])
  await t.rejects(acme.sessions.end({ id: newest?.id ?? '' }), { code: 'session-not-found' })
  const few = await createApiKey(server.db, { org: 'acme', role: 'admin', repos: ['weather'] }, new Date())
  await t.rejects(connect('acme', few).sessions.listPage(), { code: 'forbidden' })
  const asCookie = openJar()
  asCookie.cookies.set('__Host-floe-session', oldest?.id ?? '')
  t.equal((await asCookie.visit(`${server.meta}/discovery`, json)).status, 401, 'an id opens nothing')

  await acme.sessions.end({ id: oldest?.id ?? '' })
  clock.ms += 1_001
  t.equal((await ada.visit(`${baseUrl}/orgs/acme/audit`, json)).status, 401)
  t.equal((await eve.visit(`${baseUrl}/orgs/other/audit`, json)).status, 200)
  const [entry] = (await acme.auditPage()).items
  t.match(entry, { action: 'session.end', subject_id: oldest?.id, before: { subject: 'ada' }, after: null })
  t.equal((await server.get('discovery', { authorization: basic('acme', server.apiKey) })).status, 200)
})

/** An issuer that a test answers for. It takes each refresh token once. */
class ScriptedIssuer extends SignInIssuer {
  readonly asked: KeptTokens[] = []
  answer: () => Promise<object> = async () => ({ groups: ['readers'] })
  /** What happens between the new tokens and their claims. */
  beforeClaims: () => Promise<void> = async () => {}

  constructor(registered: Partial<RegisteredIssuer> = {}) {
    super({ ...registerAtNowhere, ...registered })
  }

  override async renew(sub: string, kept: KeptTokens) {
    this.asked.push(kept)
    const claims = await this.answer()
    const readClaims = async () => {
      await this.beforeClaims()
      return { ...claims, sub }
    }
    return { tokens: { refresh: `after ${kept.refresh}`, id: undefined }, readClaims }
  }

  override async revoke(kept: KeptTokens) {
    this.asked.push(kept)
    await this.answer()
  }

  override async findSignOut() {
    return new URL('https://id.example.org/end')
  }
}

const registerAtNowhere = {
  issuer: 'https://id.example.org',
  clientId: 'floe',
  clientSecret: 'only for tests',
  rules,
  extraCa: undefined,
  resolveHost: async () => [],
  timing: new ManualTiming(),
}

test('replicas and requests of one session ask the issuer once', async (t, { db }) => {
  const timing = new ManualTiming()
  const [key, another] = [generateSecretKey(), generateSecretKey()]
  const secrets = new SecretBox(() => [key])
  const issuer = new ScriptedIssuer()
  const errors: unknown[] = []
  const parts = { db, secrets, issuer, timing, onError: (error: unknown) => void errors.push(error) }
  const [one, two] = [new Sessions(parts), new Sessions(parts)]
  const signedIn = { claims: { sub: 'ada', groups: ['readers'] }, tokens: { refresh: 'first', id: undefined } }
  const secret = await one.start(signedIn, undefined)
  const row = JSON.stringify(await db.selectFrom('sessions').selectAll().execute())
  t.notMatch(row, secret)
  t.notMatch(row, 'first')
  t.match(await two.find(secret), [{ org: 'acme', role: 'reader', person: { subject: 'ada' } }])
  t.equal(issuer.asked.length, 0)

  await timing.pass(5 * minutes, minutes)
  const answered = Promise.withResolvers<object>()
  issuer.answer = () => answered.promise
  const all = [one.find(secret), one.find(secret), two.find(secret)]
  while (issuer.asked.length === 0) await new Promise(setImmediate)
  answered.resolve({ groups: ['data-admins'] })
  // The lease ends by the clock, so that stands still until the check is recorded.
  await Promise.race(all)
  const found = await passUntil(timing, Promise.all(all))
  for (const callers of found) t.match(callers, [{ role: 'admin' }])
  t.strictSame(issuer.asked, [{ refresh: 'first' }])

  await timing.pass(5 * minutes, minutes)
  issuer.answer = () => Promise.reject(new IssuerError('down'))
  await t.rejects(one.find(secret), { code: 'unavailable', message: /does not say whether you may still/ })
  await t.rejects(two.find(secret), { code: 'unavailable' })
  t.match(errors, [{ message: 'down' }, { message: 'down' }])
  issuer.answer = async () => ({ groups: ['readers'] })
  t.match(await two.find(secret), [{ role: 'reader' }])
  t.match(issuer.asked.at(-1), { refresh: 'after first' })

  await timing.pass(5 * minutes, minutes)
  issuer.beforeClaims = () => Promise.reject(new IssuerError('down between two answers'))
  await t.rejects(two.find(secret), { code: 'unavailable' })
  issuer.beforeClaims = async () => {}
  t.match(await one.find(secret), [{ role: 'reader' }])
  t.match(issuer.asked.at(-1), { refresh: 'after after after first' }, 'the newest refresh token is never lost')

  await timing.pass(5 * minutes, minutes)
  const elsewhere = new ScriptedIssuer({ issuer: 'https://other.example.org' })
  const replaced = new Sessions({ ...parts, issuer: elsewhere })
  t.equal(await replaced.find(secret), undefined)
  t.equal(await replaced.end(secret, 'https://floe.example.org/v1/'), undefined)
  t.strictSame(elsewhere.asked, [], 'another issuer gets no tokens')
  const changed = new Sessions({ ...parts, secrets: new SecretBox(() => [another]) })
  t.equal(await changed.find(secret), undefined, 'a key that was changed signs people out')
  t.strictSame(await db.selectFrom('sessions').select('id').execute(), [])
})

test('after a change of the rules, the issuer is asked for what they need', async (t, { db }) => {
  const key = generateSecretKey()
  const parts = { db, secrets: new SecretBox(() => [key]), timing: new ManualTiming(), onError: () => {} }
  const before = new Sessions({ ...parts, issuer: new ScriptedIssuer() })
  const signedIn = { claims: { sub: 'ada', groups: ['readers'] }, tokens: { refresh: 'first', id: undefined } }
  const secret = await before.start(signedIn, undefined)
  const changed = [{ claim: 'team', value: 'data', org: 'other', role: 'admin', repos: null }] as const
  const issuer = new ScriptedIssuer({ rules: changed })
  issuer.answer = async () => ({ team: 'data' })
  const after = new Sessions({ ...parts, issuer })
  t.match(await after.find(secret), [{ org: 'other', role: 'admin' }])
  const listed = (org: string) => listSessions(db, org, { before: undefined, limit: 1, now: new Date(0) })
  t.match(await listed('other'), [{ role: 'admin' }])
  t.strictSame(await listed('acme'), [])
  t.match(await after.find(secret), [{ org: 'other' }])
  t.equal(issuer.asked.length, 1)
})

test('changed rules let a person into an organisation only when that lists the session', async (t, { db }) => {
  const key = generateSecretKey()
  const parts = { db, secrets: new SecretBox(() => [key]), timing: new ManualTiming(), onError: () => {} }
  const before = new Sessions({ ...parts, issuer: new ScriptedIssuer() })
  const signedIn = { claims: { sub: 'ada', groups: ['readers'] }, tokens: { refresh: 'first', id: undefined } }
  const secret = await before.start(signedIn, undefined)
  const added = { claim: 'groups', value: 'readers', org: 'other', role: 'reader', repos: null } as const
  const issuer = new ScriptedIssuer({ rules: [...rules, added] })
  const after = new Sessions({ ...parts, issuer })
  const listed = () => listSessions(db, 'other', { before: undefined, limit: 1, now: new Date(0) })
  issuer.answer = () => Promise.reject(new IssuerError('down'))
  await t.rejects(after.find(secret), { code: 'unavailable' })
  t.strictSame(await listed(), [])
  issuer.answer = async () => ({ groups: ['readers'] })
  t.match(await after.find(secret), [{ org: 'acme' }, { org: 'other' }])
  t.match(await listed(), [{ role: 'reader' }])
  t.match(await after.find(secret), [{ org: 'acme' }, { org: 'other' }])
  t.equal(issuer.asked.length, 2, 'the issuer is not asked again')
})

t.test('a token that cannot be revoked does not keep a person from signing out at the issuer', async (t) => {
  const { db } = await startServer(t)
  const key = generateSecretKey()
  const issuer = new ScriptedIssuer()
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const sessions = new Sessions({
    db,
    secrets: new SecretBox(() => [key]),
    issuer,
    timing: new ManualTiming(),
    onError,
  })
  const signedIn = { claims: { sub: 'ada', groups: ['readers'] }, tokens: { refresh: 'first', id: undefined } }
  const secret = await sessions.start(signedIn, undefined)
  issuer.answer = () => Promise.reject(new IssuerError('down'))
  t.match(await sessions.end(secret, 'https://floe.example.org/v1/'), { pathname: '/end' })
  t.match(errors, [{ message: 'down' }])
  t.equal(await sessions.find(secret), undefined)
})

test('a person has at most 20 sessions, and a further one ends the oldest', async (t, { db }) => {
  const timing = new ManualTiming()
  const key = generateSecretKey()
  const parts = { db, secrets: new SecretBox(() => [key]), issuer: new ScriptedIssuer(), timing, onError: () => {} }
  const sessions = new Sessions(parts)
  const start = async (sub: string) => {
    await timing.pass(1_000, 1_000)
    const tokens = { refresh: undefined, id: undefined }
    return sessions.start({ claims: { sub, groups: ['readers'] }, tokens }, undefined)
  }
  const other = await start('eve')
  const [first, second] = [await start('ada'), await start('ada')]
  for (let count = 0; count < 19; count++) await start('ada')
  t.equal(await sessions.find(first), undefined)
  t.match(await sessions.find(second), [{ person: { subject: 'ada' } }])
  t.match(await sessions.find(other), [{ person: { subject: 'eve' } }])
})

/** Lets time pass until a promise is settled. */
async function passUntil<Value>(timing: ManualTiming, promise: Promise<Value>): Promise<Value> {
  const state = { isSettled: false }
  const settle = () => void (state.isSettled = true)
  promise.then(settle, settle)
  while (!state.isSettled) await timing.pass(250, 250)
  return promise
}
