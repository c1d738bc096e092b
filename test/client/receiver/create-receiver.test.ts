import { createReceiver, type ReceivedDelivery, type ReceiverOptions } from '@floe/client'
import type { NewCommitDetails } from '@floe/contract'
import t, { type Test } from 'tap'
import { notification } from '../../contract/notifications.ts'
import { secretToken, signHeaders, signingSecret } from './sign-headers.ts'

const body = JSON.stringify(notification)
const trusted = { secretToken, signingSecrets: [signingSecret] }

type Handled = { readonly details: NewCommitDetails; readonly delivery: ReceivedDelivery }

/** A receiver that keeps what it was told. */
function createTestReceiver(options: Partial<ReceiverOptions> = {}) {
  const handled: Handled[] = []
  const onNewCommit = (details: NewCommitDetails, delivery: ReceivedDelivery) =>
    void handled.push({ details, delivery })
  return { receive: createReceiver({ ...trusted, onNewCommit, ...options }), handled }
}

function post(text: BodyInit, headers: Record<string, string | undefined> = {}): Request {
  const sent = { ...signHeaders(typeof text === 'string' ? text : body), ...headers }
  const present = Object.entries(sent).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  )
  const init = { method: 'POST', headers: present, body: text, duplex: 'half' }
  return new Request('https://receiver.example.org/floe', init)
}

/** The answer is a problem of this status; gives its body. */
async function readProblem(t: Test, response: Response, status: number): Promise<unknown> {
  t.equal(response.status, status)
  t.equal(response.headers.get('content-type'), 'application/problem+json')
  const problem: unknown = await response.json()
  t.match(problem, { type: 'about:blank', title: /^[A-Z]/, status, detail: /./ })
  return problem
}

t.test('a notification is handed over with its id, attempt and number, and answered with 204', async (t) => {
  const { receive, handled } = createTestReceiver()
  const response = await receive(
    post(body, { 'webhook-attempt': '12', 'content-type': 'application/json; charset=utf-8' }),
  )
  t.equal(response.status, 204)
  t.equal(await response.text(), '')
  t.strictSame(handled, [
    { details: notification.details, delivery: { id: 'msg_1', attempt: 12, sequence: 7, isTest: false } },
  ])
})

t.test('a notification that an administrator sends as a test is marked', async (t) => {
  const { receive, handled } = createTestReceiver()
  t.equal((await receive(post(body, { 'webhook-test': 'true' }))).status, 204)
  t.match(handled, [{ delivery: { isTest: true } }])
})

t.test('members that this version does not know are handed over', async (t) => {
  const { receive, handled } = createTestReceiver()
  const details = { ...notification.details, tags: ['v1.0'] }
  t.equal((await receive(post(JSON.stringify({ ...notification, details, spec: 2 })))).status, 204)
  t.match(handled, [{ details: { snapshot_id: notification.details.snapshot_id, tags: ['v1.0'] } }])
})

t.test('an event that this version does not know is accepted and handed over apart', async (t) => {
  const unknown = { event: 'TagCreated', details: { tag: 'v1.0' } }
  const { receive, handled } = createTestReceiver()
  t.equal((await receive(post(JSON.stringify(unknown)))).status, 204)
  t.strictSame(handled, [])
  const told: unknown[] = []
  const onUnknownEvent: ReceiverOptions['onUnknownEvent'] = (...told_) => void told.push(told_)
  t.equal((await createTestReceiver({ onUnknownEvent }).receive(post(JSON.stringify(unknown)))).status, 204)
  t.strictSame(told, [['TagCreated', unknown, { id: 'msg_1', attempt: 1, sequence: 7, isTest: false }]])
})

t.test('an unknown event needs the same proofs, and its handler may fail', async (t) => {
  const unknown = JSON.stringify({ event: 'TagCreated' })
  const { receive } = createTestReceiver()
  await readProblem(t, await receive(post(unknown, { 'x-secret-token': 'wrong' })), 401)
  await readProblem(t, await receive(post(unknown, { 'webhook-signature': 'v1,AAAA' })), 401)
  t.capture(console, 'error')
  const onUnknownEvent = () => Promise.reject(new Error('no queue'))
  await readProblem(t, await createTestReceiver({ onUnknownEvent }).receive(post(unknown)), 500)
})

t.test('the answer waits for the handler', async (t) => {
  let isDone = false
  const onNewCommit = async () => {
    await new Promise(setImmediate)
    isDone = true
  }
  t.equal((await createTestReceiver({ onNewCommit }).receive(post(body))).status, 204)
  t.ok(isDone)
})

t.test('either proof is enough when only one is asked for, and both are needed when both are', async (t) => {
  const unsigned = { 'webhook-signature': undefined, 'webhook-timestamp': undefined }
  const untold = { 'x-secret-token': undefined }
  t.equal((await createTestReceiver({ signingSecrets: undefined }).receive(post(body, unsigned))).status, 204)
  t.equal((await createTestReceiver({ secretToken: undefined }).receive(post(body, untold))).status, 204)
  for (const missing of [unsigned, untold]) {
    const { receive, handled } = createTestReceiver()
    await readProblem(t, await receive(post(body, missing)), 401)
    t.strictSame(handled, [])
  }
})

t.test('a receiver that would believe everybody cannot be made', async (t) => {
  const nothing = { secretToken: undefined, signingSecrets: undefined }
  for (const options of [
    nothing,
    { ...nothing, secretToken: '' },
    { ...nothing, signingSecrets: [] },
    { ...trusted, secretToken: '' },
    { ...trusted, signingSecrets: [''] },
    { ...trusted, maxBytes: 0 },
    { ...trusted, maxBytes: Number.NaN },
  ]) {
    t.throws(() => createTestReceiver(options), { name: 'TypeError' }, JSON.stringify(options))
  }
})

t.test('another method is refused with the one that is allowed', async (t) => {
  const { receive } = createTestReceiver()
  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
    const response = await receive(new Request('https://receiver.example.org/floe', { method }))
    t.equal(response.headers.get('allow'), 'POST')
    await readProblem(t, response, 405)
  }
})

t.test('another media type is refused', async (t) => {
  const { receive, handled } = createTestReceiver()
  for (const type of ['text/plain', 'application/json-seq', 'application/problem+json', 'x; application/json', '']) {
    await readProblem(t, await receive(post(body, { 'content-type': type })), 415)
  }
  t.strictSame(handled, [])
})

t.test('a wrong token is refused before the body is read', async (t) => {
  const { receive, handled } = createTestReceiver()
  for (const token of ['', 'another', `${secretToken}x`]) {
    const request = post(body, { 'x-secret-token': token })
    t.match(await readProblem(t, await receive(request), 401), { detail: /X-Secret-Token/ })
    t.equal(request.bodyUsed, false)
  }
  t.strictSame(handled, [])
})

t.test('a wrong, an old and a future signature are refused', async (t) => {
  const { receive, handled } = createTestReceiver()
  const now = Date.now() / 1000
  const other = `whsec_${Buffer.alloc(32).toString('base64')}`
  for (const headers of [
    signHeaders(`${body} `),
    signHeaders(body, { timestamp: Math.floor(now - 310) }),
    signHeaders(body, { timestamp: Math.floor(now + 310) }),
    signHeaders(body, { secrets: [other] }),
    { 'webhook-id': 'msg_2' },
  ]) {
    t.match(await readProblem(t, await receive(post(body, headers)), 401), { detail: /signature.*clock/ })
  }
  t.strictSame(handled, [])
})

t.test('the clock is the one that was given', async (t) => {
  const timestamp = 1_614_265_330
  const headers = signHeaders(body, { timestamp })
  t.equal((await createTestReceiver({ now: () => timestamp * 1000 }).receive(post(body, headers))).status, 204)
  t.equal((await createTestReceiver().receive(post(body, headers))).status, 401)
})

t.test('a body that is too long is refused, unread when its length is told', async (t) => {
  const { receive, handled } = createTestReceiver({ maxBytes: body.length })
  const told = post(body, { 'content-length': String(body.length + 1000) })
  t.match(await readProblem(t, await receive(told), 413), { detail: new RegExp(`${body.length} bytes`) })
  t.equal(told.bodyUsed, false)
  await readProblem(t, await receive(post(`${body}${' '.repeat(100)}`)), 413)
  t.strictSame(handled, [])
})

t.test('the limit counts bytes, and a body of just this length passes', async (t) => {
  const maxBytes = new TextEncoder().encode(body).length
  t.ok(maxBytes > body.length)
  t.equal((await createTestReceiver({ maxBytes }).receive(post(body))).status, 204)
  t.equal((await createTestReceiver({ maxBytes: maxBytes - 1 }).receive(post(body))).status, 413)
})

t.test('an endless body is given up at the limit, whatever length it claims', async (t) => {
  for (const length of [undefined, '10', 'many']) {
    let given = 0
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          given += 1000
          controller.enqueue(new Uint8Array(1000))
        },
        cancel() {
          isCancelled = true
        },
      },
      { highWaterMark: 0 },
    )
    const response = await createTestReceiver({ maxBytes: 10_000 }).receive(post(endless, { 'content-length': length }))
    await readProblem(t, response, 413)
    t.equal(given, 11_000)
    t.ok(isCancelled)
  }
})

t.test('a body in many pieces is put together', async (t) => {
  const pieces = new ReadableStream({
    start(controller) {
      for (const byte of new TextEncoder().encode(body)) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  t.equal((await createTestReceiver().receive(post(pieces))).status, 204)
})

t.test('a body that breaks off is refused', async (t) => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
  t.match(await readProblem(t, await createTestReceiver().receive(post(broken)), 400), { detail: /broke off/ })
})

t.test('a body that was read before is a mistake of the caller', async (t) => {
  const request = post(body)
  await request.text()
  await t.rejects(createTestReceiver().receive(request), { name: 'TypeError', message: /has been read/ })
})

t.test('what is no notification is refused with its wrong places', async (t) => {
  const { receive, handled } = createTestReceiver()
  const details = { ...notification.details, written_at: 'today', branch: '' }
  t.match(await readProblem(t, await receive(post(JSON.stringify({ ...notification, details }))), 400), {
    detail: /^Not a notification: /,
    errors: [{ pointer: '/details/branch' }, { pointer: '/details/written_at' }],
  })
  for (const text of ['', '{', 'null', '[]', '"NewCommit"']) {
    t.match(await readProblem(t, await receive(post(text)), 400), { errors: [{ pointer: '' }] })
  }
  for (const text of ['{}', '{"event":7}', '{"event":""}', '{"event":null,"details":{}}']) {
    t.match(await readProblem(t, await receive(post(text)), 400), { errors: [{ pointer: '/event' }] })
  }
  t.strictSame(handled, [])
})

t.test('a body that is wrong all over is answered with a few of its wrong places', async (t) => {
  const details = { ...notification.details, commits: Array.from({ length: 1000 }, () => 0) }
  const problem = await readProblem(
    t,
    await createTestReceiver().receive(post(JSON.stringify({ ...notification, details }))),
    400,
  )
  t.equal(Object(problem).errors.length, 20)
})

t.test('a request without an id, or without the number of its attempt or its move, is refused', async (t) => {
  const { receive, handled } = createTestReceiver({ signingSecrets: undefined })
  for (const headers of [
    { 'webhook-id': undefined },
    { 'webhook-id': '' },
    { 'webhook-attempt': undefined },
    { 'webhook-attempt': '0' },
    { 'webhook-attempt': '1.5' },
    { 'webhook-attempt': '1, 2' },
    { 'webhook-attempt': '0x1' },
    { 'webhook-sequence': undefined },
    { 'webhook-sequence': '-1' },
    { 'webhook-sequence': '9007199254740993' },
  ]) {
    t.match(await readProblem(t, await receive(post(body, headers)), 400), {
      detail: /webhook-id, webhook-attempt or webhook-sequence/,
    })
  }
  t.strictSame(handled, [])
})

t.test('a handler that fails is answered with 500, and its error printed but not sent', async (t) => {
  const printed = t.capture(console, 'error')
  const error = new Error('database password wrong')
  const failing: ReceiverOptions['onNewCommit'][] = [
    () => {
      throw error
    },
    () => Promise.reject(error),
  ]
  for (const onNewCommit of failing) {
    const problem = await readProblem(t, await createTestReceiver({ onNewCommit }).receive(post(body)), 500)
    t.notMatch(JSON.stringify(problem), /password/)
    t.match(printed(), [{ args: [error] }])
  }
})
