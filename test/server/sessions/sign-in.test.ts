// People sign in at a certified issuer, and may do in a browser what its rules say.
import { createApiKey } from '@floe/storage/database'
import { t } from 'tap'
import { countHandled } from '../metadata/cached-answers/count-handled.ts'
import { basic, startServer } from '../start-server.ts'
import { openJar, signInAda, startSignIn, type Visit } from './start-sign-in.ts'

const page = 'text/html,*/*;q=0.8'
const json = { accept: 'application/json' }

t.test('a browser is sent to the issuer, and comes back to the page that it asked for', async (t) => {
  const { server, issuer } = await startSignIn(t)
  const { cookies, visit, follow } = openJar()
  const address = `${server.meta}/discovery/weather?a=b`
  const first = await visit(address)
  t.equal(first.status, 302)
  const { url, response } = await follow(address)
  t.equal(url.href, address)
  t.equal(response?.status, 200)
  const html = (await response?.text()) ?? ''
  t.match(html, /<a class="account" href="\/v1\/account">Account<\/a>/)
  t.match(html, /<script src="\/assets\/web\/account\.js" defer>/)
  t.notMatch(html, /ada\.l@/, 'the page is cached for all')
  t.strictSame(
    [...cookies.keys()].filter((name) => name.includes('floe')),
    ['__Host-floe-session'],
  )
  t.match(await (await visit(`${server.origin}/v1/account`, { headers: json })).json(), {
    person: { issuer, subject: 'ada', email: 'ada.l@example.org' },
    orgs: ['acme'],
  })
})

t.test('programs get both challenges, and a page whose session has ended asks for no password', async (t) => {
  const { server } = await startSignIn(t)
  const ask = async (headers: Record<string, string>) => {
    const { status, headers: sent } = await fetch(`${server.meta}/discovery`, { headers, redirect: 'manual' })
    return { status, challenge: sent.get('www-authenticate') ?? '', location: sent.get('location') }
  }
  const basicChallenge = /^Bearer resource_metadata=.*, Basic realm="acme"/
  for (const headers of [{}, json, { accept: '*/*' }]) {
    t.match(await ask(headers), { status: 401, challenge: basicChallenge, location: null })
  }
  t.match(await ask({ accept: page, authorization: basic('acme', 'wrong') }), {
    status: 401,
    challenge: basicChallenge,
  })
  const ended = { ...json, cookie: `__Host-floe-session=${'a'.repeat(43)}` }
  t.match(await ask(ended), { status: 401, challenge: basicChallenge })
  t.match(await ask({ ...ended, 'sec-fetch-site': 'same-origin' }), { status: 401, challenge: /^Bearer (?!.*Basic)/ })
  t.match(await ask({ ...ended, accept: page }), { status: 302, location: /\/v1\/sign-in\?next=%2Fv1%2Fservices/ })
})

t.test('without an issuer for people, there are no such addresses, and browsers ask for a password', async (t) => {
  const { server, baseUrl } = await startSignIn(t, {}, (t, { issuer: _, ...others }) => startServer(t, others))
  const { visit } = openJar()
  const refused = await visit(`${server.meta}/discovery`)
  t.equal(refused.status, 401)
  t.match(refused.headers.get('www-authenticate'), 'Basic realm="acme", charset="UTF-8"')
  t.notMatch(await refused.text(), /account/)
  for (const path of ['sign-in', 'sign-in/callback', 'account'])
    t.equal((await visit(`${baseUrl}/${path}`)).status, 404, path)
  t.equal((await visit(`${baseUrl}/sign-out`, { method: 'POST' })).status, 404)
})

t.test('a person may do what the rules say, and sees nothing of other organisations', async (t) => {
  const { about, baseUrl } = await startSignIn(t, {
    otherOrgs: { other: [] },
    deployments: [{ name: 'few', public: false, repos: ['weather'] }],
  })
  Object.assign(about, { groups: ['elsewhere-readers'], email: 'ada@elsewhere.example' })
  const { visit } = await signInAda(baseUrl)
  const read = async (path: string, init: Visit = {}) => (await visit(`${baseUrl}/${path}`, init)).status
  const tiles = 'services/tiles/acme/_meta'
  t.equal(await read(`${tiles}/discovery/satellite`), 200)
  t.equal(await read(`${tiles}/discovery/weather`), 403)
  t.equal(await read(`${tiles}/discovery/satellites`), 404)
  t.equal(await read('services/nothing/acme/_meta/discovery'), 404)
  t.equal(await read('orgs/acme/audit'), 403)
  // Not sent to the issuer again, which would send the browser back for ever.
  const lacking = await visit(`${baseUrl}/orgs/other/settings`)
  t.equal(lacking.status, 401)
  t.match(await lacking.text(), /You are signed in, but have no role here/)
  t.equal(await read('services/tiles/other/_meta/'), 401)
  t.equal(
    (await visit(`${baseUrl}/sign-in?next=%2Fv1%2Forgs%2Fother%2Fsettings`)).headers.get('location'),
    `${baseUrl}/account`,
  )
  const origin = { origin: new URL(baseUrl).origin }
  const post = { method: 'POST', headers: { ...origin, 'content-type': 'application/json' }, body: '{"role":"reader"}' }
  t.equal(await read('orgs/acme/keys', post), 403)
  t.equal(await read('orgs/other/keys', post), 401)
  t.notMatch(await (await visit(`${baseUrl}/`)).text(), /other\/tiles/)
})

t.test('whom no rule lets in is told so, and has no session', async (t) => {
  const { about, baseUrl } = await startSignIn(t)
  about.groups = ['strangers']
  about.email = 'eve@elsewhere.example'
  const { cookies, follow } = openJar()
  const { response } = await follow(`${baseUrl}/account`)
  t.equal(response?.status, 403)
  t.match(await response?.text(), /No rule lets eve@elsewhere\.example in/)
  t.notOk(cookies.has('__Host-floe-session'))
})

t.test('the audit names the person who has changed something in a browser', async (t) => {
  const { server, issuer, baseUrl } = await startSignIn(t)
  const { visit } = await signInAda(baseUrl)
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const created = await visit(`${server.org}/keys`, { method: 'POST', headers, body: '{"role":"reader"}' })
  t.equal(created.status, 201)
  const audit = (await (await server.administer('GET', 'audit')).json()) as object
  const person = { issuer, subject: 'ada', email: 'ada.l@example.org' }
  t.match(audit, { items: [{ action: 'key.create', key_name: null, person }] })
})

t.test('limits count the account, in whichever browser', async (t) => {
  const { server, baseUrl } = await startSignIn(t, { metadataPerMinute: 2 })
  const jars = [await signInAda(baseUrl), await signInAda(baseUrl)]
  const statuses = []
  for (const { visit } of [...jars, ...jars]) statuses.push((await visit(`${server.meta}/discovery`)).status)
  t.strictSame(statuses, [200, 200, 429, 429])
  t.equal((await server.get('discovery')).status, 200)
})

t.test('cached answers are sent to a browser as quickly, also those that are public', async (t) => {
  const { server, baseUrl } = await startSignIn(t, { refMaxAge: 600_000 })
  const { visit } = await signInAda(baseUrl)
  const addresses = [server.meta, server.publicMeta].map((meta) => `${meta}/datasets/weather/main/forecast/info`)
  for (const address of addresses) t.equal((await visit(address, { headers: json })).status, 200)
  await visit(`${server.meta}/discovery`)
  const handled = countHandled(t)
  for (const address of addresses) t.equal((await visit(address, { headers: json })).status, 200)
  t.equal(handled(), 0)
  const { visit: visitAsStranger } = openJar()
  t.equal((await visitAsStranger(addresses[0] ?? '', { headers: json })).status, 401)
})

t.test('a key goes before a session, so that a program can use both', async (t) => {
  const { server, baseUrl } = await startSignIn(t)
  const { visit } = await signInAda(baseUrl)
  const key = await createApiKey(server.db, { org: 'acme', role: 'reader', repos: ['weather'] }, new Date())
  const headers = { ...json, authorization: basic('acme', key) }
  t.equal((await visit(`${server.meta}/discovery/satellite`, { headers })).status, 403)
  t.equal((await visit(`${server.meta}/discovery/satellite`, { headers: json })).status, 200)
})
