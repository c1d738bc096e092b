// A running service takes the tokens of an issuer.
import { type Database, recordHeadMove } from '@floe/storage/database'
import { t, type Test } from 'tap'
import { notification } from '../../contract/notifications.ts'
import { commit } from '../../storage/records/database/recorded.ts'
import { rememberRepository } from '../../storage/records/database/remember-repository.ts'
import { openLog } from '../../../server/observation/open-log.ts'
import { countHandled } from '../metadata/cached-answers/count-handled.ts'
import { follow, moveHeads } from '../metadata/events/follow.ts'
import { basic, type ServerOptions, startServer } from '../start-server.ts'
import { baseUrl, makeKey, openCheck, sign, startIssuer } from './start-issuer.ts'

const key = await makeKey('ec')

/** Moves the head of a repository, with a notification as receivers get it. */
async function notifyHead(db: Database, repo: string, letter: string): Promise<void> {
  const repoId = await rememberRepository(db, 'acme', repo, new Date())
  const snapshotId = `${letter.toUpperCase().repeat(19)}0`
  const details = { ...notification.details, repo_name: repo, snapshot_id: snapshotId }
  const event = { payload: JSON.stringify({ ...notification, details }), line: letter }
  await recordHeadMove(db, { repoId, branch: 'main', previous: null, snapshotId, commit, event }, new Date())
}

async function start(t: Test, options: ServerOptions = {}) {
  const { issuer, asked } = await startIssuer(t, [key])
  const clock = { ms: Date.now() }
  const now = () => clock.ms
  const { tokens, errors } = await openCheck([{ issuer }], { now, elapsed: now })
  const server = await startServer(t, { tokens, now, ...options })
  const login = async (claims: Record<string, unknown> = {}) => {
    return { authorization: `Bearer ${await sign({ issuer, key, now: clock.ms }, claims)}` }
  }
  return { server, login, clock, issuer, asked, errors }
}

t.test('who is refused learns where tokens come from, and browsers still ask for a password', async (t) => {
  const { server, login, issuer } = await start(t)
  const { origin, meta } = server
  const call = async (headers: Record<string, string>) => {
    const response = await fetch(`${meta}/mcp?secret=1`, { method: 'POST', headers, body: '{}' })
    return { status: response.status, challenge: response.headers.get('www-authenticate') }
  }
  const document = '/.well-known/oauth-protected-resource'
  const place = `resource_metadata="https://floe.example.org${document}/v1/services/tiles/acme/_meta/mcp"`
  const password = 'Basic realm="acme", charset="UTF-8"'
  t.strictSame(await call({}), { status: 401, challenge: `Bearer ${place}, ${password}` })
  t.strictSame(await call(await login({ aud: 'other' })), {
    status: 401,
    challenge: `Bearer error="invalid_token", ${place}, ${password}`,
  })
  const read = async (path: string) => (await fetch(`${origin}${document}${path}`)).json()
  const described = {
    authorization_servers: [issuer],
    scopes_supported: ['openid', 'email'],
    bearer_methods_supported: ['header'],
    resource_name: 'Floe',
  }
  t.strictSame(await read(''), { resource: baseUrl, ...described })
  const mcp = '/v1/services/tiles/acme/_meta/mcp'
  t.strictSame(await read(mcp), { resource: `https://floe.example.org${mcp}`, ...described })
  const answer = await fetch(`${origin}${document}/elsewhere`, { headers: { origin: 'https://agent.example.org' } })
  t.equal(answer.status, 404)
  t.equal(answer.headers.get('access-control-allow-origin'), '*', 'agents in pages may read it')
})

t.test('without issuers, nothing tells of tokens', async (t) => {
  const { origin, meta } = await startServer(t)
  t.equal((await fetch(`${origin}/.well-known/oauth-protected-resource`)).status, 404)
  const refused = await fetch(`${meta}/discovery`, { headers: { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' } })
  t.equal(refused.headers.get('www-authenticate'), 'Basic realm="acme", charset="UTF-8"')
  t.notMatch(await refused.text(), /token|eyJ/)
})

t.test('a cached answer is sent to all whose tokens allow the same, without asking the issuer', async (t) => {
  const { server, login, asked, clock } = await start(t, { refMaxAge: 600_000 })
  const headers = await login({ groups: 'readers' })
  const path = 'datasets/weather/main/forecast/info'
  t.equal((await server.get(path, headers)).status, 200)
  const others = await login({ groups: 'readers', sub: 'eve' })
  await server.get('discovery', others)
  const handled = countHandled(t)
  const before = handled()
  const askedBefore = asked.length
  clock.ms += 59_000
  t.equal((await server.get(path, headers)).status, 200, 'known for a minute')
  t.equal((await server.get(path, others)).status, 200)
  t.equal(handled(), before)
  t.equal(asked.length, askedBefore)
  t.equal((await server.get(path, await login({ groups: 'elsewhere-readers' }))).status, 403)
  clock.ms += 302_000
  t.equal((await server.get(path, headers)).status, 401, 'expired')
})

t.test('a rule with patterns shows no other repository anywhere', async (t) => {
  const { server, login } = await start(t, { hasSearch: true })
  await notifyHead(server.db, 'weather', 'a')
  await notifyHead(server.db, 'satellite', 'b')
  const headers = await login({ groups: 'elsewhere-readers' })
  const read = async (path: string) => (await server.get(path, headers)).text()
  for (const path of ['discovery', 'search', 'stac', 'dcat', 'sitemap.xml', '']) {
    t.notMatch(await read(path), /weather/, path)
  }
  const page = await read('events/page?after=0')
  t.match(page, /B{19}0/)
  t.notMatch(page, /A{19}0/)
  t.match(await read('discovery'), /satellite/)
  t.equal((await server.get('discovery/nothing', headers)).status, 403)
  t.equal((await server.get('discovery/satellites-of-tomorrow', headers)).status, 404)
})

t.test('a stream carries what a rule allows, and ends with its token', async (t) => {
  const { server, login, clock } = await start(t)
  const stream = await follow(t, `${server.meta}/events`, null, await login({ groups: 'elsewhere-readers' }))
  await moveHeads(server.db, 'weather', ['a'])
  await moveHeads(server.db, 'satellite', ['b'])
  clock.ms += 2_000
  await stream.until(({ heads }) => heads.includes('b'))
  t.strictSame(stream.heads, ['b'])
  clock.ms += 361_000
  await stream.untilClosed()
})

t.test('the audit names the person, and keys that the person creates', async (t) => {
  const { server, login, issuer } = await start(t)
  const headers = await login({ email: 'ada@example.org' })
  const created = await server.administer('POST', 'keys', { role: 'reader' }, headers)
  t.equal(created.status, 201)
  const made = (await created.json()) as { id: string; created_by: string }
  t.match(made.created_by, /^[\w-]{43}$/)
  const { items } = (await (await server.administer('GET', 'audit', undefined, headers)).json()) as { items: unknown[] }
  const person = { issuer, subject: 'ada', email: 'ada@example.org' }
  t.match(items, [{ action: 'key.create', subject_id: made.id, key_id: made.created_by, key_name: null, person }])
  const limited = await login({ groups: 'elsewhere-admins' })
  t.equal((await server.administer('POST', 'keys', { role: 'reader' }, limited)).status, 403)
  t.equal((await server.administer('POST', 'keys', { role: 'reader', repos: ['weather'] }, limited)).status, 403)
  t.equal((await server.administer('POST', 'keys', { role: 'reader', repos: ['satellite'] }, limited)).status, 201)
  const seen = (await (await server.administer('GET', 'audit', undefined, limited)).json()) as { items: unknown[] }
  t.strictSame(seen.items, [], 'keys concern the organisation')
})

t.test('limits count an account, whichever of its tokens is used', async (t) => {
  const { server, login } = await start(t, { metadataPerMinute: 2 })
  const statuses = []
  for (const jti of ['1', '2', '3']) statuses.push((await server.get('discovery', await login({ jti }))).status)
  t.strictSame(statuses, [200, 200, 429])
  t.equal((await server.get('discovery', await login({ sub: 'eve' }))).status, 200)
})

t.test('tokens are in no log, no metric, no audit and no answer', async (t) => {
  const lines: string[] = []
  const log = openLog('debug', { destination: { write: (line) => void lines.push(line) } })
  const { server, login, errors } = await start(t, { log })
  const good = await login()
  const bad = await login({ aud: 'other' })
  const texts: string[] = []
  const note = async (response: Response) =>
    void texts.push(JSON.stringify([...response.headers]), await response.text())
  for (const headers of [good, bad]) {
    const [, token = ''] = headers.authorization.split(' ')
    await note(await server.get('discovery', headers))
    await note(await server.get(`discovery/${token}`, headers))
    await note(await fetch(`${server.origin}/${token}`, { headers }))
    await note(await server.get('discovery', { authorization: basic('acme', token) }))
    await note(await server.administer('POST', 'keys', { role: token }, headers))
    await note(await server.administer('GET', 'audit', undefined, headers))
    await note(await fetch(`${server.origin}/metrics`, { headers }))
  }
  const signatures = [good, bad].map(({ authorization }) => authorization.split('.')[2] ?? '')
  const everything = [...lines, ...texts, JSON.stringify(errors)]
  for (const signature of signatures) {
    t.strictSame(
      everything.filter((text) => text.includes(signature)),
      [],
    )
  }
})
