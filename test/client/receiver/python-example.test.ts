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

function start(t: Test, environment: Partial<typeof exampleEnvironment> = {}): Promise<ExampleProcess> {
  return startExample(t, python.command, [program, schema], { ...exampleEnvironment, ...environment })
}

const post = (text: string, headers: Record<string, string> = signHeaders(text)) => ({
  method: 'POST',
  headers,
  body: text,
})

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

  t.test('refuses a wrong and a missing secret token', async (t) => {
    const { send, printed } = await start(t)
    for (const headers of [
      { ...signHeaders(body), 'x-secret-token': 'another' },
      { ...signHeaders(body), 'x-secret-token': `${secretToken}x` },
      { ...signHeaders(body), 'x-secret-token': '' },
      omitHeader('x-secret-token'),
    ]) {
      t.match(await readDetail(t, await send(post(body, headers)), 401), /X-Secret-Token/)
    }
    t.equal((await send(post(body))).status, 204)
    t.equal(await printed(), line, 'nothing was handled before')
  })

  t.test('needs no secret token when the webhook has none', async (t) => {
    const { send, printed } = await start(t, { FLOE_SECRET_TOKEN: '' })
    t.equal((await send(post(body, omitHeader('x-secret-token')))).status, 204)
    t.equal(await printed(), line)
    t.equal((await send(post(body, { ...signHeaders(body), 'webhook-signature': 'v1,AAAA' }))).status, 401)
  })

  t.test('refuses a wrong, a missing and an expired signature', async (t) => {
    const { send, printed } = await start(t)
    const now = Math.floor(Date.now() / 1000)
    for (const headers of [
      { ...signHeaders(body), 'webhook-id': 'msg_2' },
      { ...signHeaders(body), 'webhook-signature': 'v1,AAAA' },
      { ...signHeaders(body), 'webhook-timestamp': `${now}.5` },
      { ...signHeaders(body), 'webhook-timestamp': '1'.repeat(5000) },
      signHeaders(`${body} `),
      signHeaders(body, { secrets: [otherSecret] }),
      signHeaders(body, { timestamp: now - 310 }),
      signHeaders(body, { timestamp: now + 310 }),
      omitHeader('webhook-id'),
      omitHeader('webhook-timestamp'),
      omitHeader('webhook-signature'),
    ]) {
      t.match(await readDetail(t, await send(post(body, headers)), 401), /signature.*clock/)
    }
    t.equal((await send(post(body))).status, 204)
    t.equal(await printed(), line, 'nothing was handled before')
  })

  t.test('refuses bodies that are not JSON or not a notification', async (t) => {
    const { send } = await start(t)
    for (const broken of ['{', '', '['.repeat(100_000), '\u{feff}{}']) {
      t.match(await readDetail(t, await send(post(broken)), 400), /not JSON/)
    }
    const { branch: _, ...details } = notification.details
    for (const [wrong, detail] of [
      [{ ...notification, details }, /'branch' is a required property/],
      [{ ...notification, details: { ...notification.details, repo_id: 7 } }, /^\$\.details\.repo_id: 7 is not/],
      [{ details: notification.details }, /event/],
      [{ ...notification, event: 1 }, /event/],
      [null, /None is not of type 'object'/],
      [[], /\[\] is not of type 'object'/],
    ] as const) {
      t.match(await readDetail(t, await send(post(JSON.stringify(wrong))), 400), detail)
    }
    const huge = JSON.stringify({ ...notification, details: { commits: 'x'.repeat(100_000) } })
    t.ok((await readDetail(t, await send(post(huge)), 400)).length <= 300, 'the answer stays short')
  })

  t.test('accepts events and members that it does not know', async (t) => {
    const { send, printed } = await start(t)
    t.equal((await send(post(JSON.stringify({ event: 'NewTag', details: { tag: 'v1' } })))).status, 204)
    t.equal(await printed(), "ignored the event 'NewTag'")
    const details = { ...notification.details, region: 'north' }
    t.equal((await send(post(JSON.stringify({ ...notification, details, version: 2 })))).status, 204)
    t.equal(await printed(), line)
  })

  t.test('refuses a long body, one without a length, and another method', async (t) => {
    const { send, printed } = await start(t)
    await refusesLong(t, send(post(' '.repeat(2_000_000))))
    const unknownLength = { ...post(body), body: new Blob([body]).stream(), duplex: 'half' }
    await readDetail(t, await send(unknownLength), 411)
    const read = await send({})
    t.equal(read.headers.get('allow'), 'POST')
    await readDetail(t, read, 405)
    t.equal((await send(post(body))).status, 204)
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
