import { type SignedRequest, verifySignature } from '@floe/client'
import { t } from 'tap'
import { signHeaders, signingSecret } from './sign-headers.ts'

const timestamp = 1_614_265_330
const otherSecret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`

/** A request signed at `timestamp`, which is also now. */
function signed(body: string | Uint8Array, secrets?: readonly string[]) {
  const headers = signHeaders(body, { timestamp, ...(secrets && { secrets }) })
  return {
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
    body,
    secrets: [signingSecret],
    now: () => timestamp * 1000,
  } satisfies SignedRequest
}

t.test('the published example of Standard Webhooks is accepted', async (t) => {
  const example: SignedRequest = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: '1614265330',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    now: () => timestamp * 1000,
  }
  t.equal(await verifySignature(example), true)
  t.equal(await verifySignature({ ...example, body: '{"test":2432232314}' }), false)
})

t.test('a signed body is accepted as text and as bytes, and refused after any change', async (t) => {
  const body = '{"commit_message":"größer 🛰️"}'
  const request = signed(body)
  const bytes = new TextEncoder().encode(body)
  for (const same of [body, bytes, bytes.buffer, Buffer.from(body)]) {
    t.equal(await verifySignature({ ...request, body: same }), true)
  }
  for (const change of [
    { body: `${body}\n` },
    { body: '' },
    { id: 'msg_2' },
    { id: '' },
    { timestamp: String(timestamp + 1) },
    { secrets: [otherSecret] },
    { signature: '' },
  ]) {
    t.equal(await verifySignature({ ...request, ...change }), false, JSON.stringify(change))
  }
})

t.test('a clock or a tolerance that is not a number accepts nothing', async (t) => {
  const request = signed('{}')
  t.equal(await verifySignature({ ...request, toleranceSeconds: Number.NaN }), false)
  t.equal(await verifySignature({ ...request, now: () => Number.NaN }), false)
  t.equal(await verifySignature({ ...request, now: () => Number(undefined), toleranceSeconds: 300 }), false)
})

t.test('one valid signature among several is enough', async (t) => {
  const request = signed('{}')
  const wrong = signed('{}', [otherSecret]).signature
  for (const signature of [
    `${request.signature} ${wrong}`,
    `${wrong} ${request.signature}`,
    `v1a,AAAA  ${request.signature} v2,x`,
  ]) {
    t.equal(await verifySignature({ ...request, signature }), true, signature)
  }
})

t.test('a signature of another form or version is refused', async (t) => {
  const request = signed('{}')
  const base64 = request.signature.slice('v1,'.length)
  for (const prefix of ['', 'v1', 'V1,', 'v1=', 'v1a,', 'v2,']) {
    t.equal(await verifySignature({ ...request, signature: prefix + base64 }), false, prefix)
  }
  for (const signature of ['v1,', ' ', `v1,${base64.slice(0, -1)}`, `v1, ${base64}`]) {
    t.equal(await verifySignature({ ...request, signature }), false, signature)
  }
})

t.test('during a rotation, a signature with either secret is accepted', async (t) => {
  const secrets = [signingSecret, otherSecret]
  for (const secret of secrets) t.equal(await verifySignature({ ...signed('{}', [secret]), secrets }), true)
  t.equal(await verifySignature({ ...signed('{}', secrets), secrets: [otherSecret] }), true)
  const third = `whsec_${Buffer.alloc(64, 2).toString('base64')}`
  t.equal(await verifySignature({ ...signed('{}', [third]), secrets }), false)
})

t.test('the timestamp may be five minutes away in either direction, or as far as allowed', async (t) => {
  const request = signed('{}')
  const verdictAt = (seconds: number, toleranceSeconds?: number) =>
    verifySignature({ ...request, now: () => (timestamp + seconds) * 1000, toleranceSeconds })
  for (const seconds of [-300, -1, 0, 299.999, 300]) t.equal(await verdictAt(seconds), true, String(seconds))
  for (const seconds of [-301, 300.001, 86_400]) t.equal(await verdictAt(seconds), false, String(seconds))
  t.equal(await verdictAt(10, 10), true)
  t.equal(await verdictAt(11, 10), false)
  t.equal(await verifySignature({ ...request, now: undefined }), false)
  const fresh = signHeaders('{}')
  t.equal(await verifySignature({ ...request, now: undefined, ...named(fresh) }), true)
})

t.test('a timestamp that is not a whole number of seconds is refused, although it is signed', async (t) => {
  for (const odd of [Number.NaN, timestamp + 0.5, -timestamp, Infinity, 1e21]) {
    const headers = signHeaders('{}', { timestamp: odd })
    t.equal(await verifySignature({ ...signed('{}'), ...named(headers), toleranceSeconds: Infinity }), false, `${odd}`)
  }
})

t.test('a missing or repeated header is refused', async (t) => {
  for (const name of ['id', 'timestamp', 'signature'] as const) {
    for (const value of [null, undefined, [], [signed('{}')[name]]]) {
      t.equal(await verifySignature({ ...signed('{}'), [name]: value }), false, name)
    }
  }
})

t.test('malformed secrets are refused without repeating them', async (t) => {
  const base64 = (length: number) => Buffer.alloc(length, 3).toString('base64')
  await t.rejects(verifySignature({ ...signed('{}'), secrets: [] }), {
    name: 'TypeError',
    message: /no signing secret/,
  })
  for (const secret of [
    '',
    'whsec_',
    base64(32),
    `whsec_${base64(23)}`,
    `whsec_${base64(65)}`,
    `whsec_${base64(32).slice(0, -1)}`,
    `whsec_${base64(32)}\n`,
    `whsec_${'_-'.repeat(16)}`,
    `WHSEC_${base64(32)}`,
  ]) {
    const refused = verifySignature({ ...signed('{}'), id: null, secrets: [signingSecret, secret] })
    await t.rejects(refused, { name: 'TypeError', message: /^a signing secret must be "whsec_" and [\w ]+$/ }, secret)
  }
})

function named(headers: Record<string, string>) {
  return { timestamp: headers['webhook-timestamp'], signature: headers['webhook-signature'] }
}
