// Who may call what: every route of the contract, called by everyone who could try.
import type { Role } from '@floe/contract/lists'
import { contract, listRoutes, type Question, questions } from '@floe/contract'
import { createApiKey, revokeApiKey, startSession } from '@floe/storage/database'
import { mapInParallel } from '@floe/storage/waiting'
import { t, type Test } from 'tap'
import { makeCallers } from '../../../../server/issuers/grants.ts'
import { makeKey, openCheck, sign, startIssuer } from '../../issuers/start-issuer.ts'
import { registerAt } from '../../sessions/start-sign-in.ts'
import { basic, type RunningServer, startServer } from '../../start-server.ts'

const unknownId = '00000000-0000-4000-8000-000000000000'

/** What the parameters of an address stand for. */
const names: Readonly<Record<string, string>> = {
  deployment: 'tiles',
  org: 'acme',
  repo: 'weather',
  ref: 'main',
  from: 'v1.0',
  to: 'main',
  group: 'forecast',
  name: 'quality',
  id: unknownId,
  code: 'ref-not-found',
  page: '1',
}

/** The columns of the table. `elsewhere`: the key is limited to another repository than the one in the address. */
const callers = [
  'no key',
  'an unknown organisation',
  'a key of another organisation',
  'a revoked key',
  'an expired key',
  'a reader',
  'a reader elsewhere',
  'a checker',
  'a checker elsewhere',
  'an admin elsewhere',
  'an admin',
] as const
type Caller = (typeof callers)[number]

/** All questions about snapshots of a repository are open to the same callers. */
const questionRoutes = Object.values<Question>(questions).flatMap(({ router, routes }) =>
  Object.keys(routes).map(
    (name) => [`${router}.${name}`, [401, 401, 401, 401, 401, 200, 403, 200, 403, 403, 200]] as const,
  ),
)

/**
 * The statuses in the order of `callers`. Routes that would find, change or send something name what does not exist:
 * 404.
 */
const table: Readonly<Record<string, readonly number[]>> = {
  ...Object.fromEntries(questionRoutes),
  // Where the sample is stored is not published.
  'chunkSources.get': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'discovery.repositories': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'discovery.refs': [401, 401, 401, 401, 401, 200, 403, 200, 403, 403, 200],
  // The sample is not published.
  'discovery.open': [401, 401, 401, 401, 401, 409, 403, 409, 403, 403, 409],
  'discovery.sources': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'history.commits': [401, 401, 401, 401, 401, 200, 403, 200, 403, 403, 200],
  'history.repository': [401, 401, 401, 401, 401, 200, 403, 200, 403, 403, 200],
  'history.operations': [401, 401, 401, 401, 401, 200, 403, 200, 403, 403, 200],
  'search.get': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'stac.catalog': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'stac.page': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'catalogues.sitemap': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'catalogues.dcat': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'checks.list': [401, 401, 401, 401, 401, 200, 403, 200, 403, 403, 200],
  'datasetRemarks.list': [401, 401, 401, 401, 401, 200, 403, 200, 403, 403, 200],
  'remarks.list': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'remarks.create': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 201],
  'remarks.get': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'remarks.update': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'remarks.delete': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'checks.postAll': [401, 401, 401, 401, 401, 403, 403, 404, 403, 403, 404],
  'checks.post': [401, 401, 401, 401, 401, 403, 403, 404, 403, 403, 404],
  'good.get': [401, 401, 401, 401, 401, 200, 403, 200, 403, 403, 200],
  'compatibility.check': [401, 401, 401, 401, 401, 200, 403, 200, 403, 403, 200],
  'diff.choose': [401, 401, 401, 401, 401, 400, 403, 400, 403, 403, 400],
  'datasets.choose': [401, 401, 401, 401, 401, 400, 403, 400, 403, 403, 400],
  'events.page': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'events.stream': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'mcp.send': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'documents.index': [200, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'documents.browse': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'documents.openapi': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'documents.docs': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  'documents.redoc': [401, 401, 401, 401, 401, 200, 200, 200, 200, 200, 200],
  // There are no issuers for those with keys, and keys are not exchanged for tokens.
  'documents.protectedResource': [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'authorization.server': [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'authorization.register': [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'authorization.ask': [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'authorization.authorize': [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'authorization.token': [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'authorization.revoke': [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'documents.notificationSchema': [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'documents.datasetContractSchema': [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // Nobody can sign in here.
  'signIn.start': [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'signIn.finish': [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'signIn.end': [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'signIn.account': [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'repositories.list': [401, 401, 401, 401, 401, 403, 403, 403, 403, 200, 200],
  'repositories.get': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'repositories.refresh': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'repositories.audit': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'storageEvents.report': [401, 401, 401, 401, 401, 403, 403, 403, 403, 200, 200],
  'receivers.list': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'receivers.create': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 201],
  'receivers.test': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'receivers.get': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'receivers.update': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'receivers.delete': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'receivers.rotateSecret': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'receivers.replay': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'receivers.getReplay': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'receivers.cancelReplay': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'expectations.list': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'expectations.create': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 201],
  'expectations.get': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'expectations.getContract': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'expectations.update': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'expectations.delete': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'deliveries.list': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'deliveries.rates': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'deliveries.get': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'deliveries.redeliver': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgExpectations.list': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'orgExpectations.create': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 201],
  'orgExpectations.get': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgExpectations.getContract': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgExpectations.update': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgExpectations.delete': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgReceivers.list': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'orgReceivers.create': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 201],
  'orgReceivers.test': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgReceivers.get': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgReceivers.update': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgReceivers.delete': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgReceivers.rotateSecret': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgReceivers.replay': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgReceivers.getReplay': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgReceivers.cancelReplay': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgDeliveries.list': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'orgDeliveries.rates': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'orgDeliveries.get': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgDeliveries.redeliver': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'orgSettings.page': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'keys.list': [401, 401, 401, 401, 401, 403, 403, 403, 403, 200, 200],
  'keys.create': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 201],
  'keys.revoke': [401, 401, 401, 401, 401, 403, 403, 403, 403, 404, 404],
  'sessions.list': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'sessions.end': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 404],
  'audit.list': [401, 401, 401, 401, 401, 403, 403, 403, 403, 200, 200],
  'settings.page': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  'monitoring.live': [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // Notifications are not started here, so the process is not ready, whoever asks.
  'monitoring.ready': [503, 503, 503, 503, 503, 503, 503, 503, 503, 503, 503],
  'monitoring.metrics': [401, 401, 401, 401, 401, 403, 403, 403, 403, 403, 200],
  // As an address that does not exist, to all keys that the configuration does not name.
  'monitoring.status': [401, 401, 401, 401, 401, 404, 404, 404, 404, 404, 404],
  'monitoring.problem': [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
}

/** Bodies with which an admin's request is a good one. */
const bodies: Readonly<Record<string, unknown>> = {
  'storageEvents.report': { Records: [] },
  'checks.postAll': { checks: [{ name: 'quality', state: 'passed' }] },
  'checks.post': { state: 'passed' },
  'compatibility.check': { version: 1, datasets: { forecast: {} } },
  'mcp.send': { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  'receivers.create': { kind: 'webhook', url: 'https://example.org/hook', alias: 'a webhook', events: ['NewCommit'] },
  'receivers.test': { kind: 'webhook', id: unknownId },
  'receivers.update': { kind: 'webhook', enabled: false },
  'receivers.replay': { since: '2026-11-20T00:00:00Z' },
  'remarks.create': { kind: 'note', text: 'a note' },
  'remarks.update': { text: 'another' },
  'expectations.create': { kind: 'freshness', branch: 'main', max_age: '6h' },
  'expectations.update': { kind: 'freshness', max_age: '6h' },
  'orgExpectations.create': { kind: 'freshness', branch: 'main', max_age: '6h' },
  'orgExpectations.update': { kind: 'freshness', max_age: '6h' },
  'orgReceivers.create': {
    kind: 'webhook',
    url: 'https://example.org/hook',
    alias: 'a webhook',
    events: ['NewCommit'],
  },
  'orgReceivers.test': { kind: 'webhook', id: unknownId },
  'orgReceivers.update': { kind: 'webhook', enabled: false },
  'orgReceivers.replay': { since: '2026-11-20T00:00:00Z' },
  'keys.create': { role: 'reader' },
}

/** Parameters of one route that differ from `names`. */
const otherNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'keys.revoke': { id: '0000000000000000' },
  'sessions.end': { id: 'x'.repeat(43) },
  'checks.postAll': { ref: '00000000000000000000' },
  'checks.post': { ref: '00000000000000000000' },
}

// The clock stands still, because on a busy machine some of these many requests would wait until they are refused.
const now = Date.now()
// Each request has a connection of its own.
const options = { now: () => now, connectionLimits: { connectionsPerAddress: 2_000 } }

t.test('the table has every route of the contract, and no other', async (t) => {
  t.strictSame(Object.keys(table).sort(), [...listRoutes(contract)].map(([id]) => id).sort())
})

// Proves: every route of a private deployment requires credentials
// Proves: only administrators manage webhooks and chats
// Proves: a key manages only the webhooks and chats of the repositories that it covers
t.test('every route answers every caller as the table says', async (t) => {
  const server = await startServer(t, { ...options, hasSearch: true })
  await callAll(t, server, await makeCredentials(server))
})

t.test('every route answers the tokens of an issuer as it answers keys', async (t) => {
  const key = await makeKey('ec')
  const { issuer } = await startIssuer(t, [key])
  const { tokens } = await openCheck([{ issuer }], { now: () => now, elapsed: () => now })
  const server = await startServer(t, { ...options, hasSearch: true, tokens })
  const login = async (groups: string, claims: Record<string, unknown> = {}) => {
    return { authorization: `Bearer ${await sign({ issuer, key, now }, { groups, ...claims })}` }
  }
  await callAll(
    t,
    server,
    {
      'no key': {},
      'an unknown organisation': await login('no rule'),
      'a key of another organisation': await login('others'),
      'a revoked key': await login('data-admins', { aud: 'another service' }),
      'an expired key': await login('data-admins', { exp: now / 1_000 - 61 }),
      'a reader': await login('readers'),
      'a reader elsewhere': await login('elsewhere-readers'),
      'a checker': await login('checkers'),
      'a checker elsewhere': await login('elsewhere-checkers'),
      'an admin elsewhere': await login('elsewhere-admins'),
      'an admin': await login('data-admins'),
    },
    { 'documents.protectedResource': 200 },
  )
})

t.test('every route answers people who have signed in as it answers keys', async (t) => {
  const { issuer } = await startIssuer(t, [])
  const registered = registerAt(issuer)
  const server = await startServer(t, {
    ...options,
    hasSearch: true,
    baseUrl: 'https://floe.example.org/v1',
    issuer: registered,
  })
  const login = async (groups: string, expiresAt = new Date(now + 60_000)) => {
    const claims = { sub: groups, groups }
    const roles = makeCallers(issuer, claims, expiresAt, registered.rules) ?? []
    const session = { issuer, claims, createdAt: new Date(now), expiresAt }
    const cookie = `__Host-floe-session=${await startSession(server.db, session, roles, () => 'sealed')}`
    return { cookie, 'sec-fetch-site': 'same-origin' }
  }
  await callAll(
    t,
    server,
    {
      'no key': {},
      'an unknown organisation': await login('no rule'),
      'a key of another organisation': await login('others'),
      'a revoked key': { cookie: `__Host-floe-session=${'x'.repeat(43)}` },
      'an expired key': await login('data-admins', new Date(now)),
      'a reader': await login('readers'),
      'a reader elsewhere': await login('elsewhere-readers'),
      'a checker': await login('checkers'),
      'a checker elsewhere': await login('elsewhere-checkers'),
      'an admin elsewhere': await login('elsewhere-admins'),
      'an admin': await login('data-admins'),
    },
    // Those who are not signed in are sent on to the issuer, which has nothing to sign in with.
    {
      'documents.index': 200,
      'signIn.start': [302, 503],
      'signIn.finish': 403,
      'signIn.end': [200, 403],
      'signIn.account': 200,
    },
  )
})

type Credentials = Readonly<Record<Caller, Record<string, string>>>

async function callAll(
  t: Test,
  { origin }: RunningServer,
  credentials: Credentials,
  others: Readonly<Record<string, number | readonly number[]>> = {},
): Promise<void> {
  const calls = [...listRoutes(contract)].flatMap(([id, route]) =>
    callers.map((caller, column) => ({ id, route, caller, column })),
  )
  // Many at once, because wrong credentials are answered the later the more there are.
  const answers = await mapInParallel(calls, 50, async ({ id, route: { method, path }, caller, column }) => {
    const org = caller === 'an unknown organisation' ? 'nobody' : 'acme'
    const values = { ...names, ...otherNames[id], org }
    const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(Reflect.get(values, name)))
    const body = bodies[id]
    const response = await fetch(`${origin}${address}`, {
      method,
      headers: { ...credentials[caller], ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(180_000),
    })
    // A stream has no end.
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const text = isStream ? '' : await response.text()
    if (isStream) await response.body?.cancel()
    return { id, caller, expected: others[id] ?? table[id]?.[column], status: response.status, text }
  })
  for (const { id, caller, expected, status, text } of answers) {
    t.ok([expected].flat().includes(status), `${id}: ${caller}: ${status}`, { expected, text: text.slice(0, 300) })
  }
}

async function makeCredentials({ db, adminKey }: RunningServer): Promise<Credentials> {
  const makeKey = (role: Role, repos: readonly string[] | null = null, expiresAt: Date | null = null, org = 'acme') =>
    createApiKey(db, { org, role, repos, expiresAt }, new Date(now))
  const revoked = await makeKey('admin')
  await revokeApiKey(db, revoked.slice(5, 21), { now: new Date(now), keepsDescendants: false })
  const otherKey = await makeKey('admin', null, null, 'other')
  const writeLogin = (key: string, org = 'acme') => ({ authorization: basic(org, key) })
  return {
    'no key': {},
    'an unknown organisation': writeLogin(adminKey, 'nobody'),
    'a key of another organisation': writeLogin(otherKey),
    'a revoked key': writeLogin(revoked),
    'an expired key': writeLogin(await makeKey('admin', null, new Date(now - 1))),
    'a reader': writeLogin(await makeKey('reader')),
    'a reader elsewhere': writeLogin(await makeKey('reader', ['satellite'])),
    'a checker': writeLogin(await makeKey('checker')),
    'a checker elsewhere': writeLogin(await makeKey('checker', ['satellite'])),
    'an admin elsewhere': writeLogin(await makeKey('admin', ['satellite'])),
    'an admin': writeLogin(adminKey),
  }
}
