import { t } from 'tap'
import { secretToken, signHeaders } from './sign-headers.ts'
import { body, createTestReceiver, post, readProblem, trusted } from './test-receiver.ts'

t.test('a receiver with one proof needs only that one, and a receiver with two needs both', async (t) => {
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

t.test('a receiver without a valid secret cannot be created', async (t) => {
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

t.test('a wrong token is refused before the body is read', async (t) => {
  const { receive, handled } = createTestReceiver()
  for (const token of ['', 'another', `${secretToken}x`]) {
    const request = post(body, { 'x-secret-token': token })
    t.match(await readProblem(t, await receive(request), 401), { detail: /x-secret-token/ })
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
