// Whether a login lasts when the issuer does not renew its token.
import { execFile } from 'node:child_process'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t, type Test } from 'tap'
import { findLogin } from '../../../../../server/main/commands/login/stored-login.ts'
import { findTokenFile, keepToken } from '../../../../../server/main/commands/login/token-file.ts'
import { findPython } from '../../../../find-python.ts'
import { startIssuer } from '../../../issuers/start-issuer.ts'

const url = 'https://floe.example.org/v1'

/** Keeps a token that has expired, of an issuer that gives one answer after the other when the token is renewed. */
async function start(t: Test, answers: readonly RequestListener[]) {
  const { issuer, documents } = await startIssuer(t, [])
  const token_endpoint = `${issuer}/token`
  documents['/realms/acme/.well-known/openid-configuration'] = { issuer, token_endpoint }
  const left = [...answers]
  const renew: RequestListener = (request, response) => left.shift()?.(request, response)
  documents['/realms/acme/token'] = renew
  const environment = { XDG_CONFIG_HOME: t.testdir() }
  const keep = (access_token: string, expires_at: string | null) => {
    const token = { issuer, client_id: 'floe', access_token, refresh_token: 'refresh', expires_at }
    return keepToken(findTokenFile(environment), url, token)
  }
  await keep('old', '2026-01-01T00:00:00.000Z')
  return { environment, keep }
}

const breakOff: RequestListener = (request) => void request.socket.destroy()
const answerJson =
  (status: number, body: object): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const failures = [breakOff, answerJson(503, {}), answerJson(400, { error: 'temporarily_unavailable' })]
const refuse = answerJson(400, { error: 'invalid_grant' })
const give = answerJson(200, { access_token: 'new', token_type: 'bearer' })

t.test('an issuer that fails does not end a login', async (t) => {
  const { environment } = await start(t, [...failures, give])
  const read = await findLogin(url, environment)
  for (const _ of failures) {
    const error = await t.rejects(async () => read?.(), /the token cannot be renewed/)
    t.notMatch(error, /run floe login/)
  }
  t.equal(await read?.(), 'new')
})

t.test('an issuer that refuses the token ends a login, until the person signs in again', async (t) => {
  const { environment, keep } = await start(t, [refuse])
  const read = await findLogin(url, environment)
  await t.rejects(async () => read?.(), /the token cannot be renewed; run floe login again/)
  await keep('of the next login', null)
  t.equal(await read?.(), 'of the next login')
})

t.test('two requests at the same time renew the token once', async (t) => {
  const { environment } = await start(t, [give, refuse])
  const read = await findLogin(url, environment)
  t.strictSame(await Promise.all([read?.(), read?.()]), ['new', 'new'])
})

const { command: python, skip } = findPython('httpx')

t.test('nor does it for the Python client, which names what only a login mends', { skip }, async (t) => {
  const { environment } = await start(t, [...failures, refuse, give])
  const program = `
import sys
from floe_client import stored_login
for _ in range(5):
    try:
        print(stored_login(sys.argv[1])())
    except Exception as error:
        print(type(error).__name__)
`
  const root = fileURLToPath(new URL('../../../../../', import.meta.url))
  const env = { ...process.env, ...environment, PYTHONPATH: join(root, 'python') }
  const { stdout } = await promisify(execFile)(python, ['-c', program, url], { env, timeout: 60_000 })
  const failed = ['RemoteProtocolError', 'UnexpectedResponseError', 'UnexpectedResponseError']
  t.strictSame(stdout.trim().split('\n'), [...failed, 'NotSignedInError', 'new'])
})
