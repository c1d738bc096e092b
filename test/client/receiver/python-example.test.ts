// Runs the unchanged Python example and sends it the requests of a service, and invalid ones.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { t, type Test } from 'tap'
import { notification } from '../../contract/notifications.ts'
import { findPython } from '../../find-python.ts'
import { secretToken, signHeaders } from './sign-headers.ts'
import { type ExampleProcess, exampleEnvironment, refusesLong, startExample } from './start-example.ts'

const python = findPython('jsonschema')
const body = JSON.stringify(notification)
const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const line = 'msg_1: weather is now at P874YS3J196959RDHX7G'
const [program = '', schema = ''] = ['examples/python_receiver.py', '../contract/notification.schema.json'].map(
  (path) => fileURLToPath(new URL(path, new URL('../../../client/', import.meta.url))),
)

function start(
  t: Test,
  environment: { readonly [Name in keyof typeof exampleEnvironment]?: string | undefined } = {},
): Promise<ExampleProcess> {
  return startExample(t, python.command, [program, schema], { ...exampleEnvironment, ...environment })
}

const post = (body: string, headers: Record<string, string> = signHeaders(body)) => ({ method: 'POST', headers, body })

/** Checks that the answer is a problem with this status, and returns its detail. */
async function readDetail(t: Test, response: Response, status: number): Promise<string> {
  t.equal(response.status, status)
  t.equal(response.headers.get('content-type'), 'application/problem+json')
  const problem = Object(await response.json())
  t.match(problem, { type: 'about:blank', title: /^[A-Z]/, status, detail: /./ })
  return problem.detail
}

function omitHeader(name: keyof ReturnType<typeof signHeaders>): Record<string, string> {
  const { [name]: _, ...rest } = signHeaders(body)
  return rest
}

t.test('the Python example', { skip: python.skip }, async (t) => {
  t.test('accepts a notification, and does not act on a test', async (t) => {
    const { send, printed } = await start(t)
    t.equal((await send(post(body))).status, 204)
    t.equal(await printed(), line)
    t.equal((await send(post(body, { ...signHeaders(body), 'webhook-test': 'true' }))).status, 204)
    t.equal(await printed(), 'accepted a test')
  })

  t.test('refuses what is not genuine, not a notification or too long, and handles nothing of it', async (t) => {
    const { send, printed } = await start(t)
    const signed = signHeaders(body)
    const now = Math.floor(Date.now() / 1000)
    const forged = (header: string, value: string) => post(body, { ...signed, [header]: value })
    const without = (name: keyof typeof signed) => post(body, omitHeader(name))
    const { details } = notification
    const { branch: _, ...incomplete } = details
    const changed = (value: unknown) => post(JSON.stringify(value))
    const unknownLength = { ...post(body), body: new Blob([body]).stream(), duplex: 'half' }
    const refusals: readonly (readonly [status: number, detail: RegExp, requests: readonly RequestInit[]])[] = [
      [401, /X-Secret-Token/, ['another', `${secretToken}x`, ''].map((token) => forged('x-secret-token', token))],
      [401, /X-Secret-Token/, [without('x-secret-token')]],
      [401, /signature.*clock/, (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const).map(without)],
      [401, /signature.*clock/, [forged('webhook-id', 'msg_2'), forged('webhook-signature', 'v1,AAAA')]],
      [401, /signature.*clock/, [`${now}.5`, '1'.repeat(5000)].map((time) => forged('webhook-timestamp', time))],
      [
        401,
        /signature.*clock/,
        [now - 310, now + 310].map((timestamp) => post(body, signHeaders(body, { timestamp }))),
      ],
      [401, /signature.*clock/, [post(body, signHeaders(`${body} `))]],
      [401, /signature.*clock/, [post(body, signHeaders(body, { secrets: [otherSecret] }))]],
      [400, /not JSON/, ['{', '', '['.repeat(100_000), '\u{feff}{}'].map((text) => post(text))],
      [400, /'branch' is a required property/, [changed({ ...notification, details: incomplete })]],
      [400, /^\$\.details\.repo_id: 7 is not/, [changed({ ...notification, details: { ...details, repo_id: 7 } })]],
      [400, /names no event/, [{ details }, { ...notification, event: 1 }, null, []].map(changed)],
      [400, /^.{1,300}$/s, [changed({ ...notification, details: { commits: 'x'.repeat(100_000) } })]],
      [411, /./, [unknownLength]],
      [405, /./, [{}]],
    ]
    for (const [status, detail, requests] of refusals) {
      for (const request of requests) t.match(await readDetail(t, await send(request), status), detail)
    }
    t.equal((await send({})).headers.get('allow'), 'POST')
    await refusesLong(t, send(post(' '.repeat(2_000_000))))
    t.equal((await send(post(body))).status, 204)
    t.equal(await printed(), line, 'nothing was handled before')
  })

  t.test('needs no secret token when the webhook has none', async (t) => {
    const { send, printed } = await start(t, { FLOE_SECRET_TOKEN: undefined })
    t.equal((await send(post(body, omitHeader('x-secret-token')))).status, 204)
    t.equal(await printed(), line)
    t.equal((await send(post(body, { ...signHeaders(body), 'webhook-signature': 'v1,AAAA' }))).status, 401)
  })

  t.test('accepts events and members that it does not know', async (t) => {
    const { send, printed } = await start(t)
    t.equal((await send(post(JSON.stringify({ event: 'NewTag', details: { tag: 'v1' } })))).status, 204)
    t.equal(await printed(), "ignored the event 'NewTag'")
    const details = { ...notification.details, region: 'north' }
    t.equal((await send(post(JSON.stringify({ ...notification, details, version: 2 })))).status, 204)
    t.equal(await printed(), line)
  })

  t.test('ends on Ctrl-C without printing an error', async (t) => {
    const { child, printed } = await start(t)
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    t.equal(await printed(), 'stopped')
    t.strictSame(await ended, [0, null])
  })

  t.test('does not start without a signing secret', async (t) => {
    for (const environment of [{ FLOE_SIGNING_SECRET: '' }, { FLOE_SIGNING_SECRET: 'whsec_c2hvcnQ=' }]) {
      const { child, printed } = await start(t, environment)
      const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
      t.equal(code, 1)
      t.equal(await printed(), undefined)
    }
  })
})
