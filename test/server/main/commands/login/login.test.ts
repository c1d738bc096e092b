// A person signs in at a certified issuer, and commands act for that person.
import { execFile } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t, type Test } from 'tap'
import { login } from '../../../../../server/main/commands/login/login.ts'
import { systemTiming } from '../../../../../server/timing.ts'
import { findPython } from '../../../../find-python.ts'
import { makeKey, openCheck, startIssuer } from '../../../issuers/start-issuer.ts'
import { followTo, startProvider } from '../../../issuers/start-provider.ts'
import { startServer } from '../../../start-server.ts'
import { captureTerminal } from '../capture-terminal.ts'
import { runHere } from '../run-here.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))

/** Starts a service that takes tokens of an issuer, and an empty folder for configuration. */
async function start(t: Test, issuers: readonly string[]) {
  // The address of the server is known when it listens.
  const late = { baseUrl: '', issuers, scopes: ['openid'], check: async () => undefined }
  const server = await startServer(t, { tokens: late })
  const url = `${server.origin}/v1`
  const given = issuers.map((issuer) => ({ issuer, audience: null }))
  Object.assign(late, (await openCheck(given, systemTiming, url)).tokens)
  const folder = t.testdir()
  const environment = { XDG_CONFIG_HOME: folder }
  const run = (...args: string[]) => runHere([...args, '--url', url], environment)
  const readTypes = () => run('types', '--org', 'acme', '--deployment', 'tiles', '--repo', 'satellite')
  return { url, file: join(folder, 'floe', 'tokens.json'), environment, run, readTypes }
}

const provide = async (t: Test) => startProvider(t, await makeKey('ec'), ['elsewhere-readers'])

/** Runs `floe login`, and calls a function with each text that it tells. */
async function signIn(
  { url, environment }: Awaited<ReturnType<typeof start>>,
  values: { readonly device?: boolean },
  onText: (text: string) => Promise<void>,
): Promise<string> {
  const failed = new AbortController()
  const { terminal } = captureTerminal(environment, failed.signal)
  const told: string[] = []
  const err = (text: string) => {
    told.push(text)
    if (told.length === 1) onText(text).catch((error: unknown) => failed.abort(error))
  }
  await login({ values: { url, ...values }, operands: [] }, { ...terminal, err })
  return told.join('')
}

const throughBrowser = async (text: string) => {
  const address = new URL(text.trim().split('\n').at(-1) ?? '')
  const redirectUri = address.searchParams.get('redirect_uri') ?? ''
  const fromElsewhere = await fetch(`${redirectUri}?code=planted&state=guessed`)
  if (fromElsewhere.status !== 404) throw new Error('a page of another site ends the sign-in')
  const back = await followTo(address, redirectUri)
  await (await fetch(back)).text()
}

t.test('commands act for a person who has signed in on this machine, until logout', async (t) => {
  const service = await start(t, [await provide(t)])
  t.match(await service.readTypes(), { code: 1, err: /Credentials needed/ })
  const told = await signIn(service, {}, throughBrowser)
  t.match(told, `the token is in ${service.file}`)
  const { mode } = await stat(service.file)
  t.equal(mode & 0o777, 0o600)
  t.match(await service.readTypes(), { code: 0, out: /satellite/, err: '' })
  const tokens = await readFile(service.file, 'utf8')
  t.notMatch(told, JSON.parse(tokens)[service.url].access_token)
  t.match(await service.run('logout'), { code: 0, err: '' })
  t.match(await service.readTypes(), { code: 1, err: /Credentials needed/ })
  await writeFile(service.file, tokens.replace(/"expires_at": "\d+/, '"expires_at": "2020'))
  t.match(await service.readTypes(), { code: 1, err: /the token cannot be renewed/ }, 'the issuer has revoked it')
  t.match(await service.run('logout'), { code: 0, err: '' })
  t.match(await service.run('logout'), { code: 0, err: '' }, 'nothing is left to forget')
})

t.test('a token that expires is renewed, and the renewed one is kept', async (t) => {
  const service = await start(t, [await provide(t)])
  await signIn(service, {}, throughBrowser)
  const tokens = JSON.parse(await readFile(service.file, 'utf8'))
  const old = tokens[service.url]
  await writeFile(service.file, JSON.stringify({ [service.url]: { ...old, expires_at: '2026-01-01T00:00:00.000Z' } }))
  t.match(await service.readTypes(), { code: 0, out: /satellite/ })
  const renewed = JSON.parse(await readFile(service.file, 'utf8'))[service.url]
  t.not(renewed.access_token, old.access_token)
  const gone = { ...renewed, refresh_token: 'revoked', expires_at: '2026-01-01T00:00:00.000Z' }
  await writeFile(service.file, JSON.stringify({ [service.url]: gone }))
  t.match(await service.readTypes(), { code: 1, err: /the token cannot be renewed; run floe login again/ })
})

t.test('a person without a browser on this machine signs in with a code', async (t) => {
  const service = await start(t, [await provide(t)])
  await signIn(service, { device: true }, async (text) => {
    const [, address = '', code = ''] = /Open (\S+) in any browser, and enter the code (\S+)/.exec(text) ?? []
    await enterCode(address, code)
  })
  t.match(await service.readTypes(), { code: 0, out: /satellite/, err: '' })
})

/** Enters a code at the page of the issuer, as a browser does. */
async function enterCode(address: string, code: string): Promise<void> {
  const cookies = new Map<string, string>()
  const send = async (url: URL, body?: URLSearchParams): Promise<string> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      ...(body && { method: 'POST', body }),
      headers: { cookie },
      redirect: 'manual',
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    return location === null ? response.text() : send(new URL(location, url))
  }
  const readToken = (page: string) => /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const url = new URL(address)
  const xsrf = readToken(await send(url))
  await send(url, new URLSearchParams({ xsrf, user_code: code, confirm: 'yes' }))
}

t.test('what is missing is said', async (t) => {
  const { issuer, documents } = await startIssuer(t, [await makeKey('ec')])
  const service = await start(t, [issuer])
  t.match(await service.run('login'), { code: 2, err: /pass its id with --client-id/ })
  t.match(await service.run('login', '--device', '--client-id', 'floe'), { code: 2, err: /leave out --device/ })
  t.match(await service.run('login', 'https://id.example.org'), {
    code: 2,
    err: /needs one of the issuers of .*realms/,
  })
  delete documents['/realms/acme/.well-known/openid-configuration']
  t.match(await service.run('login'), { code: 1, err: /realms\/acme: signing in failed/ })
  const two = await start(t, [issuer, 'https://id.example.org'])
  t.match(await two.run('login'), { code: 2, err: /needs one of the issuers/ })
  const none = await startServer(t)
  const atNone = await runHere(['login', '--url', `${none.origin}/v1`], service.environment)
  t.match(atNone, { code: 1, err: /takes no tokens: use an API key/ })
  const unreachable = await runHere(['login', '--url', 'http://127.0.0.1:2/v1'], service.environment)
  t.match(unreachable, { code: 1, err: /cannot be read: connect ECONNREFUSED/ })
  const behind = { baseUrl: 'https://floe.example.org/v1', issuers: [issuer], scopes: [], check: async () => undefined }
  const { origin } = await startServer(t, { tokens: behind })
  const atBehind = await runHere(['login', '--url', `${origin}/v1`], service.environment)
  t.match(atBehind, { code: 1, err: /calls itself https:\/\/floe\.example\.org\/v1: use that address/ })
  await mkdir(dirname(service.file))
  await writeFile(service.file, '{')
  t.match(await service.readTypes(), { code: 1, err: /tokens.json is damaged: delete it, and run floe login again/ })
})

const { command: python, skip } = findPython('httpx')

t.test('the Python client acts for the same person, and renews the token too', { skip }, async (t) => {
  const service = await start(t, [await provide(t)])
  const program = `
import sys
from floe_client import Client, stored_login
url = sys.argv[1]
with Client(base_url=url, deployment="tiles", org="acme", auth=stored_login(url)) as floe:
    print(floe.repositories())
`
  const run = async () => {
    const env = { ...process.env, ...service.environment, PYTHONPATH: join(root, 'python') }
    const running = promisify(execFile)(python, ['-c', program, service.url], { env, timeout: 60_000 })
    return (await running).stdout.trim()
  }
  await t.rejects(run(), { message: /NotSignedInError: Nobody has signed in: run floe login --url/ })
  await signIn(service, {}, throughBrowser)
  t.equal(await run(), "['satellite']")
  const tokens = JSON.parse(await readFile(service.file, 'utf8'))
  const old = { ...tokens[service.url], expires_at: '2026-01-01T00:00:00.000Z' }
  await writeFile(service.file, JSON.stringify({ [service.url]: old }))
  t.equal(await run(), "['satellite']")
  const renewed = JSON.parse(await readFile(service.file, 'utf8'))[service.url]
  t.not(renewed.access_token, old.access_token)
  t.equal((await stat(service.file)).mode & 0o777, 0o600)
  t.match(await service.readTypes(), { code: 0, out: /satellite/ }, 'commands take what Python has written')
})
