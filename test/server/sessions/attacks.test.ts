// What attackers try with sign-in: codes, proofs, addresses, cookies, and pages of other sites.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { generateSecretKey, SecretBox } from '@floe/storage/secrets'
import { t, type Test } from 'tap'
import { findFreePort } from '../../../scripts/free-port.ts'
import { openLog } from '../../../server/observation/open-log.ts'
import { resolveNext } from '../../../server/sessions/sign-in-scope.ts'
import { systemTiming } from '../../../server/timing.ts'
import { makeKey, sign, startIssuer } from '../issuers/start-issuer.ts'
import { makeTimeLimit } from '../notifications/start-receiver.ts'
import { startServer } from '../start-server.ts'
import { bySite, openJar, registerAt, signInAda, startSignIn } from './start-sign-in.ts'

const session = '__Host-floe-session'

/** The cookie of the sign-in that an address comes back from. */
const nameBegun = ({ searchParams }: URL) => `__Host-floe-sign-in-${searchParams.get('state')}`

/** Goes to the issuer, up to the address with which it sends the browser back. */
async function goAndReturn(baseUrl: string) {
  const jar = openJar()
  const { url } = await jar.follow(`${baseUrl}/sign-in`, `${baseUrl}/sign-in/callback`)
  return { ...jar, url }
}

t.test('a code is of use once, and only to the browser that has asked for it', async (t) => {
  const { baseUrl } = await startSignIn(t)
  const mine = await goAndReturn(baseUrl)
  const other = await goAndReturn(baseUrl)
  const swap = (state: string | null) => {
    const url = new URL(mine.url)
    url.searchParams.set('state', state ?? '')
    return url
  }
  const refused = async (visit: ReturnType<typeof openJar>['visit'], url: URL, why: string) => {
    const response = await visit(url, { headers: { accept: 'application/json' } })
    t.equal(response.status, 403, why)
    t.match(await response.json(), { code: 'forbidden', detail: /open the page again/ }, why)
    t.notMatch(response.headers.getSetCookie().join(), /floe-session=\w/, why)
  }
  await refused(openJar().visit, mine.url, 'a browser that has not begun')
  await refused(other.visit, mine.url, 'the state of another browser')
  // The state fits, but the verifier and the nonce are those of the other browser.
  await refused(other.visit, swap(other.url.searchParams.get('state')), 'the code of another browser')
  await refused(mine.visit, swap('x'), 'another state')
  const forged = openJar()
  const key = generateSecretKey()
  const proof = { nonce: 'n', verifier: 'v'.repeat(43), next: '/', until: 1e15 }
  const context = `sign-in/${mine.url.searchParams.get('state')}`
  forged.cookies.set(nameBegun(mine.url), new SecretBox(() => [key]).seal(JSON.stringify(proof), context))
  await refused(forged.visit, mine.url, 'a cookie that the service has not sealed')
  const renamed = await goAndReturn(baseUrl)
  renamed.cookies.set(nameBegun(mine.url), renamed.cookies.get(nameBegun(renamed.url)) ?? '')
  await refused(renamed.visit, mine.url, 'the cookie of another sign-in')

  const again = await goAndReturn(baseUrl)
  const sealed = again.cookies.get(nameBegun(again.url)) ?? ''
  t.equal((await again.visit(again.url)).status, 302)
  t.notOk(again.cookies.has(nameBegun(again.url)), 'the cookie is deleted')
  const replaying = openJar()
  replaying.cookies.set(nameBegun(again.url), sealed)
  await refused(replaying.visit, again.url, 'a code that was used')
})

t.test('a browser comes back only from the issuer to which it was sent', async (t) => {
  const { baseUrl, issuer } = await startSignIn(t)
  const answers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'another issuer (RFC 9207)': { iss: 'https://id.evil.example' },
    'another spelling of the issuer': { iss: `${issuer}/` },
    'a refusal': { error: 'access_denied' },
  }
  for (const [name, changed] of Object.entries(answers)) {
    const { visit, url, cookies } = await goAndReturn(baseUrl)
    t.equal(url.searchParams.get('iss'), issuer)
    const wrong = new URL(url)
    for (const [key, value] of Object.entries(changed)) wrong.searchParams.set(key, value)
    t.equal((await visit(wrong)).status, 403, name)
    t.notOk(cookies.has(session), name)
    t.equal((await visit(url)).status, 403, `${name}: the sign-in has ended`)
  }
  const repeated = await goAndReturn(baseUrl)
  for (const name of ['code', 'state', 'iss'])
    t.equal((await repeated.visit(`${repeated.url.href}&${name}=x`)).status, 400, `${name} twice`)
  // Answers of other flows are not read (JARM, implicit and hybrid).
  const others = '&response=eyJhbGciOiJub25lIn0.e30.&id_token=x&token=x&access_token=x&session_state=x'
  t.equal((await repeated.visit(repeated.url.href + others)).status, 302)
})

t.test('a sign-in that takes more than ten minutes is refused', async (t) => {
  const clock = { ms: Date.now() }
  const { baseUrl } = await startSignIn(t, { now: () => clock.ms })
  const { visit, url } = await goAndReturn(baseUrl)
  clock.ms += 600_001
  t.equal((await visit(url)).status, 403)
})

// Proves: whoever signs in comes back to a page of the service, and to no other
t.test('nobody is sent to another site', async (t) => {
  const base = 'https://floe.example.org/v1'
  const hostile = [
    '//evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    'https://evil.example/v1/',
    'https://floe.example.org.evil.example/v1/',
    'https://floe.example.org@evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '\t//evil.example',
    '/\t/evil.example',
    'http://floe.example.org/v1/',
  ]
  for (const next of hostile) t.equal(resolveNext(base, next), `${base}/`, next)
  for (const next of [
    '%2F%2Fevil.example',
    '/%2F/evil.example',
    '/v1/%5Cevil.example',
    '/.//evil.example',
    '@evil.example',
    '\\evil.example',
    'https:evil.example',
    'https://[',
  ])
    t.match(resolveNext(base, next), /^https:\/\/floe\.example\.org\//, next)
  t.equal(resolveNext(base, '/v1/a?b=c#d'), 'https://floe.example.org/v1/a?b=c')
  const below = 'https://example.org/floe/v1'
  t.equal(resolveNext(below, '/floe/v1/a'), 'https://example.org/floe/v1/a')
  t.equal(resolveNext(below, '/other/'), `${below}/`)
  t.equal(resolveNext(below, '/floe/../other/'), `${below}/`)

  const { baseUrl } = await startSignIn(t)
  const { follow, visit } = openJar()
  const { url } = await follow(`${baseUrl}/sign-in?next=%2F%2Fevil.example`, `${baseUrl}/sign-in/callback`)
  t.equal((await visit(url)).headers.get('location'), `${baseUrl}/`)
})

t.test('a session that somebody has planted is not the one that begins', async (t) => {
  const { server, baseUrl } = await startSignIn(t)
  const victim = openJar()
  victim.cookies.set(session, 'planted-by-an-attacker-planted-by-an-attack')
  await victim.follow(`${baseUrl}/account`)
  t.not(victim.cookies.get(session), 'planted-by-an-attacker-planted-by-an-attack')
  const first = victim.cookies.get(session) ?? ''
  const { url } = await victim.follow(`${baseUrl}/account`)
  t.equal(url.href, `${baseUrl}/account`, 'still signed in')
  // Back from the issuer again, with the cookie of the first session.
  const begins = await goAndReturn(baseUrl)
  begins.cookies.set(session, first)
  await begins.visit(begins.url)
  t.not(begins.cookies.get(session), first)
  const rows = await server.db.selectFrom('sessions').select('id').execute()
  t.equal(rows.length, 1, 'the first has ended')
})

t.test('only the cookie that no other host or path can set is read', async (t) => {
  const { server, baseUrl } = await startSignIn(t)
  const secret = (await signInAda(baseUrl)).cookies.get(session) ?? ''
  const read = async (cookie: string) =>
    (await fetch(`${server.meta}/discovery`, { headers: { cookie, accept: 'application/json' } })).status
  t.equal(await read(`a=b; ${session}=${secret}`), 200)
  for (const name of ['floe-session', session.toLowerCase(), `x${session}`, session.replace('Host', 'Secure')])
    t.equal(await read(`${name}=${secret}`), 401, name)
  t.equal(await read(`a=${session}=${secret}`), 401, 'in the value of another')
})

// Proves: pages of other sites change nothing with the session of a person
t.test('a page of another site changes nothing, and neither signs in nor out', async (t) => {
  const { server, baseUrl } = await startSignIn(t)
  const { visit } = await signInAda(baseUrl)
  const create = (headers: Record<string, string>) =>
    visit(`${server.org}/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: '{"role":"reader"}',
    })
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
  ]
  for (const headers of foreign) {
    t.match(await (await create(headers)).json(), { code: 'cross-site' }, JSON.stringify(headers))
    const signOut = await visit(`${baseUrl}/sign-out`, { method: 'POST', headers })
    t.equal(signOut.status, 403, JSON.stringify(headers))
  }
  t.equal((await visit(`${baseUrl}/account`)).status, 200, 'still signed in')
  t.equal((await create({ origin: new URL(baseUrl).origin })).status, 201)
  t.equal((await server.administer('POST', 'keys', { role: 'reader' })).status, 201, 'a key needs no such header')
  const [set] = (await openJar().visit(`${baseUrl}/sign-in`)).headers.getSetCookie()
  t.match(set, /^__Host-floe-sign-in-[\w-]{43}=[\w:-]+; Path=\/; Max-Age=600; Secure; HttpOnly; SameSite=Lax$/)
  t.equal((await visit(`${baseUrl}/sign-out`, bySite('same-origin'))).status, 200)
})

type Said = { readonly claims?: Record<string, unknown>; readonly header?: object; readonly forged?: boolean }

/** An issuer that says what a test wants when it is asked for tokens. */
async function startLiar(t: Test) {
  const [key, foreign] = await Promise.all([makeKey('ec'), makeKey('ec')])
  const { issuer, documents } = await startIssuer(t, [key])
  const said: { now: Said | ((response: ServerResponse) => void) } = { now: {} }
  let nonce: string | null = null
  const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
  const discovery = '/realms/acme/.well-known/openid-configuration'
  const document = {
    issuer,
    jwks_uri: `${issuer}/keys`,
    ...endpoints,
    id_token_signing_alg_values_supported: ['ES256'],
  }
  documents[discovery] = (_: unknown, response: ServerResponse) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
  const keys = documents['/realms/acme/keys']
  documents['/realms/acme/keys'] = (_: unknown, response: ServerResponse) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(keys))
  documents['/realms/acme/token'] = async (request: IncomingMessage, response: ServerResponse) => {
    await text(request)
    if (typeof said.now === 'function') return said.now(response)
    const { claims, header, forged } = said.now
    const signer = forged ? foreign : key
    const id_token = await sign(
      { issuer, key: signer, now: Date.now() },
      { nonce, ...claims },
      { typ: 'JWT', ...header },
    )
    const tokens = { access_token: 'a', token_type: 'bearer', refresh_token: 'canary-refresh', id_token }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(tokens))
  }
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const lines: string[] = []
  const log = openLog('debug', { destination: { write: (line) => void lines.push(line) } })
  const clock = { ms: Date.now() }
  const now = () => clock.ms
  const { timing, endTime } = makeTimeLimit()
  const registered = registerAt(issuer, { timing: { ...systemTiming, ...timing } })
  const server = await startServer(t, { baseUrl, port, log, now, issuer: registered })
  /** Begins a sign-in, and comes back with a code. */
  const comeBack = async (claimed: Said | ((response: ServerResponse) => void)) => {
    const jar = openJar()
    const { url } = await jar.follow(`${baseUrl}/sign-in`, issuer)
    nonce = url.searchParams.get('nonce')
    said.now = claimed
    const back = `${baseUrl}/sign-in/callback?code=c&state=${url.searchParams.get('state')}`
    return { ...jar, response: await jar.visit(back, { headers: { accept: 'application/json' } }) }
  }
  return { server, issuer, documents, discovery, comeBack, said, endTime, lines, baseUrl, clock }
}

t.test('an issuer that lies about a person signs nobody in, and operators read why', async (t) => {
  const { comeBack, issuer, lines } = await startLiar(t)
  t.equal((await comeBack({ claims: { aud: 'floe' } })).response.status, 302, 'the truth')
  const lies: Readonly<Record<string, Said>> = {
    'another nonce': { claims: { nonce: 'other' } },
    'no nonce': { claims: { nonce: undefined } },
    'another audience': { claims: { aud: 'other' } },
    'another issuer': { claims: { iss: `${issuer}/other` } },
    'no subject': { claims: { sub: undefined } },
    expired: { claims: { exp: 1 } },
    'an unknown key': { forged: true },
  }
  for (const [name, lie] of Object.entries(lies)) {
    const { response, cookies } = await comeBack(lie)
    t.equal(response.status, 503, name)
    t.notOk(cookies.has(session), name)
  }
  t.match(lines.join(''), /is of no use: unexpected JWT claim value encountered/)
})

t.test('of thousands of groups, a session keeps those that fit a rule', async (t) => {
  const { comeBack, server } = await startLiar(t)
  const groups = Array.from({ length: 5_000 }, (_, number) => `group ${number}`)
  const come = async (claims: Record<string, unknown>) =>
    (await comeBack({ claims: { aud: 'floe', ...claims } })).response.status
  t.equal(await come({ groups: [...groups, 'data-admins'], picture: 'x'.repeat(100_000) }), 302)
  const [row] = await server.db.selectFrom('sessions').selectAll().execute()
  t.strictSame(JSON.parse(row?.claims ?? ''), { groups: ['data-admins'], sub: 'ada' })
  t.equal(await come({ picture: 'x'.repeat(1_000_000) }), 503, '1 MB of claims')
  for (const sub of ['s'.repeat(256), 'ad\u200ba', 'ada\0']) t.equal(await come({ sub }), 503, JSON.stringify(sub))
})

t.test('an issuer that hangs or is down costs a clear answer, and no more', async (t) => {
  const { comeBack, documents, discovery, endTime, lines } = await startLiar(t)
  const hang = await comeBack(endTime)
  t.equal(hang.response.status, 503)
  t.match(await hang.response.json(), { code: 'unavailable', detail: /issuer .* does not answer/ })
  t.equal((await comeBack((response) => void response.writeHead(500).end())).response.status, 503)
  t.equal((await comeBack((response) => void response.end('<html>'))).response.status, 503)
  const refusal = JSON.stringify({ error: 'invalid_client' })
  const refuse = (response: ServerResponse) =>
    void response.writeHead(401, { 'content-type': 'application/json' }).end(refusal)
  t.equal((await comeBack(refuse)).response.status, 503, 'the secret is wrong')
  t.match(lines.join(''), /is of no use: .* invalid_client/)
  delete documents[discovery]
  t.equal((await comeBack({ claims: { aud: 'floe' } })).response.status, 302, 'what was read is kept')
})

t.test('tokens of the issuer are in no answer, log, metric, audit and error, and sealed in the database', async (t) => {
  const { server, comeBack, said, lines, baseUrl, clock } = await startLiar(t)
  const { visit, cookies, response } = await comeBack({ claims: { aud: 'floe' } })
  const texts = [await response.text(), JSON.stringify([...response.headers])]
  const secret = cookies.get(session) ?? 'none'
  const note = async (answer: Response) => void texts.push(JSON.stringify([...answer.headers]), await answer.text())
  await note(await visit(`${baseUrl}/account`))
  await note(await visit(`${server.meta}/discovery`))
  await note(await visit(`${server.origin}/metrics`))
  await note(await server.administer('GET', 'sessions'))
  said.now = (answer) => {
    const body = { error: 'invalid_request', refresh_token: 'canary-refresh', id_token: 'canary-refresh' }
    answer.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  clock.ms += 300_000
  const late = await visit(`${baseUrl}/account`)
  t.equal(late.status, 503)
  t.equal((await server.get('discovery')).status, 200, 'keys work meanwhile')
  await note(late)
  await note(await visit(`${baseUrl}/sign-out`, bySite('same-origin')))
  const rows = JSON.stringify(await server.db.selectFrom('audit').selectAll().execute())
  for (const text of [...texts, ...lines, rows]) {
    t.notMatch(text, 'canary-refresh')
    if (!text.includes('set-cookie')) t.notMatch(text, secret)
  }
})
