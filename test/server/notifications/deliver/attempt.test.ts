import { generateSecretKey, SecretBox } from '@floe/storage/secrets'
import { t } from 'tap'
import { attempt } from '../../../../server/notifications/deliver/attempt.ts'
import { signMessage } from '../../../../server/notifications/deliver/write-request.ts'
import { PostError } from '../../../../server/notifications/post/explain-exchange.ts'
import { LifeEndedError, type PostRequest, type PostResponse } from '../../../../server/notifications/post/post.ts'
import { secrets as usualSecrets } from '../../../storage/sample-secrets.ts'
import { makeSampleClaim, signingSecret } from './sample-claim.ts'

const time = 1_700_000_000_999

/** Attempts a delivery; the exchange is an argument, as the clock is. */
async function attemptWith(
  claim: ReturnType<typeof makeSampleClaim>,
  answer: Partial<PostResponse> | Error,
  { now = (): number => time, secrets = usualSecrets } = {},
) {
  const sent: PostRequest[] = []
  const finished = await attempt(claim, {
    post: async (request) => {
      sent.push(request)
      if (answer instanceof Error) throw answer
      return { status: 200, retryAfter: undefined, start: Buffer.alloc(0), ...answer }
    },
    secrets,
    version: '1.2.3',
    timing: { now, dueNow: now, elapsed: () => time, random: () => 0.5 },
  })
  return { sent, ...finished }
}

t.test('a webhook gets the recorded bytes, signed, with its token', async (t) => {
  const claim = makeSampleClaim({ secretToken: 'open sesame' }, { attempt: 3 })
  const { sent, outcome, next } = await attemptWith(claim, { start: Buffer.from('thanks') })
  const signed = { id: 'msg_1', timestamp: 1_700_000_000, body: claim.event.payload }
  t.strictSame(sent, [
    {
      url: new URL('https://receiver.test/hook'),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Floe/1.2.3',
        'x-secret-token': 'open sesame',
        'webhook-id': 'msg_1',
        'webhook-timestamp': '1700000000',
        'webhook-signature': signMessage([signingSecret], signed),
        'webhook-attempt': '3',
        'webhook-sequence': '7',
      },
      body: '{"event":"NewCommit"}',
    },
  ])
  t.strictSame(outcome, {
    startedAt: new Date(time),
    durationMs: 0,
    status: 200,
    error: null,
    responseExcerpt: 'thanks',
  })
  t.strictSame(next, { kind: 'delivered' })
})

t.test('no attempt takes less than no time, even when the clock is set back', async (t) => {
  let now = time
  const { outcome } = await attemptWith(makeSampleClaim(), {}, { now: () => (now -= 60_000) })
  t.equal(outcome.durationMs, 0)
})

// Proves: `X-Secret-Token` is not sent when no token is set
t.test('a webhook without a token gets no header for it', async (t) => {
  const { sent } = await attemptWith(makeSampleClaim(), {})
  t.notOk('x-secret-token' in (sent[0]?.headers ?? {}))
})

// Proves: chats get no list of commits
t.test('a chat gets its line, and none of the secrets', async (t) => {
  const url = 'https://discord.com/api/webhooks/1/hush'
  const chat = makeSampleClaim({ kind: 'chat', service: 'discord', url, secretToken: 'open sesame' })
  const { sent } = await attemptWith(chat, {})
  t.strictSame(sent, [
    {
      url: new URL(`${url}?wait=true`),
      headers: { 'content-type': 'application/json', 'user-agent': 'Floe/1.2.3' },
      body:
        '{"content":"acme/weather branch main is now at P8: Add \\\\*it\\\\*",' +
        '"allowed_mentions":{"parse":[]},"flags":4}',
    },
  ])
})

t.test("a chat's service is the one that is set, or else its host's, or else Slack", async (t) => {
  const url = 'https://hooks.slack.com/services/T0/B0/hush'
  const sendLine = async (service: 'mattermost' | null) => {
    const { sent } = await attemptWith(makeSampleClaim({ kind: 'chat', service, url }), {})
    return JSON.parse(sent[0]?.body ?? '')
  }
  t.match(await sendLine(null), { mrkdwn: false })
  t.strictSame(Object.keys(await sendLine('mattermost')), ['text'])
  const { sent } = await attemptWith(makeSampleClaim({ kind: 'chat', url: 'https://chat.example.org/x' }), {})
  t.match(JSON.parse(sent[0]?.body ?? ''), { text: /^acme\/weather branch main is now at P8: /, mrkdwn: false })
})

t.test('every 2xx is success, and nothing else', async (t) => {
  for (const status of [200, 201, 202, 204, 299]) {
    t.strictSame((await attemptWith(makeSampleClaim(), { status })).next, { kind: 'delivered' }, String(status))
  }
  for (const status of [101, 300, 301, 302, 304, 307, 308, 400, 401, 404, 429, 500, 503, 999]) {
    const { outcome, next } = await attemptWith(makeSampleClaim(), { status })
    t.equal(outcome.status, status)
    t.strictSame(next, { kind: 'retry', dueAt: new Date(time + 5_000) }, String(status))
  }
})

t.test('a refusal says what a person can do, and contains no secret', async (t) => {
  const webhook = makeSampleClaim({ secretToken: 'open sesame' })
  const bare = makeSampleClaim()
  const headers = { Authorization: 'Bearer x', 'X-Key': 'x' }
  const gateway = makeSampleClaim({ secretToken: 'open sesame', headers })
  const chat = makeSampleClaim({ kind: 'chat', service: 'slack', url: 'https://hooks.slack.com/services/T0/B0/hush' })
  const cases = [
    [webhook, 307, /^answered 307: redirects are not followed; set the Webhook URL to where it leads$/],
    [webhook, 401, /^answered 401: .*; check the Secret Token, and the signing secret/],
    [gateway, 401, /; check the Secret Token, Authorization, X-Key, and the signing secret/],
    [bare, 401, /^answered 401: .*it may expect a Secret Token, and none is set/],
    [webhook, 403, /^answered 403: .*; check the Secret Token/],
    [webhook, 404, /^answered 404: .*; check the Webhook URL$/],
    [webhook, 405, /^answered 405: .*takes no POST.*; check the Webhook URL$/],
    [webhook, 410, /^answered 410: .*gone for good$/],
    [webhook, 413, /^answered 413: .*256,000 bytes$/],
    [webhook, 415, /^answered 415: .*application\/json$/],
    [webhook, 429, /^answered 429: .*fewer requests$/],
    [webhook, 503, /^answered 503: the receiver failed; its own log may say why$/],
    [webhook, 418, /^answered 418$/],
    [webhook, 999, /^answered 999$/],
    [chat, 404, /^answered 404: the chat does not know this Webhook URL/],
    [chat, 401, /^answered 401: the chat does not know this Webhook URL/],
    [chat, 429, /^answered 429: .*fewer requests$/],
    [chat, 400, /^answered 400$/],
  ] as const
  for (const [claim, status, error] of cases) {
    const { outcome } = await attemptWith(claim, { status })
    t.match(outcome.error, error)
    t.notMatch(outcome.error, /sesame|hush/)
  }
})

// What services answer when they show nothing, as their documents and public reports have it.
const refusals = [
  [
    'teams',
    'https://acme.webhook.office.com/webhookb2/x',
    'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId tcid=0',
  ],
  ['dingtalk', 'https://oapi.dingtalk.com/robot/send', '{"errcode":310000,"errmsg":"keywords not in content"}'],
  ['feishu', 'https://open.feishu.cn/open-apis/bot/v2/hook/x', '{"code":19024,"msg":"Key Words Not Found"}'],
  ['wecom', 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send', '{"errcode":93000,"errmsg":"invalid webhook url"}'],
  ['rocketchat', 'https://acme.rocket.chat/hooks/x', '{"success":false,"error":"Invalid integration id"}'],
  [null, 'https://chat.example.org/hooks/x', '{"ok":false,"error":"channel_not_found"}'],
  [null, 'https://chat.example.org/hooks/x', '{"errcode":-1,"errmsg":"system busy"}'],
  [null, 'https://chat.example.org/hooks/x', '{"code":"403","message":"forbidden"}'],
] as const

t.test('a chat that answers 200 and says that it shows nothing is tried again, with its reason', async (t) => {
  for (const [service, url, text] of refusals) {
    const answer = { start: Buffer.from(text) }
    const claim = makeSampleClaim({ kind: 'chat', service, url })
    const { outcome, next } = await attemptWith(claim, answer)
    const error = `answered 200, but says that the message is not shown: ${text}`
    t.match(outcome, { status: 200, error, responseExcerpt: text })
    t.strictSame(next, { kind: 'retry', dueAt: new Date(time + 5_000) }, text)
    t.strictSame((await attemptWith(makeSampleClaim({ url }), answer)).next, { kind: 'delivered' }, 'a webhook')
  }
})

t.test('what chats answer when they show the message is success', async (t) => {
  const answers = [
    ['slack', 'ok'],
    ['slack', '{"ok":true}'],
    ['mattermost', 'ok'],
    ['discord', ''],
    ['discord', '{"id":"1","type":0,"content":"HTTP error 429"}'],
    ['teams', '1'],
    ['teams', ''],
    ['googlechat', '{"name":"spaces/A/messages/B","sender":{"name":"users/1"},"cardsV2":[],"thread":{}}'],
    ['rocketchat', '{"success":true}'],
    ['dingtalk', '{"errcode":0,"errmsg":"ok"}'],
    ['feishu', '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}'],
    ['wecom', '{"errcode":0,"errmsg":"ok"}'],
    [null, '{"result":"success","msg":""}'],
    [null, '{"code":200,"message":"success"}'],
    [null, '{"code":"OK"}'],
    [null, '<html>errcode: 5</html>'],
    [null, '["errcode"]'],
    [null, 'null'],
    [null, '{"errcode":5,'],
  ] as const
  for (const [service, text] of answers) {
    const claim = makeSampleClaim({ kind: 'chat', service, url: 'https://chat.example.org/hooks/x' })
    const { outcome, next } = await attemptWith(claim, { start: Buffer.from(text) })
    t.strictSame([outcome.error, next], [null, { kind: 'delivered' }], `${service}: ${text}`)
  }
})

t.test('the reason of a chat is cut, and contains no secret', async (t) => {
  const claim = makeSampleClaim({ kind: 'chat', url: 'https://chat.example.org/hooks/hush-hush' })
  const text = JSON.stringify({ ok: false, error: `no /hooks/hush-hush ${'x'.repeat(300)}` })
  const { outcome } = await attemptWith(claim, { start: Buffer.from(text) })
  t.match(outcome.error, /: \{"ok":false,"error":"no \[redacted\] x{160,}…$/)
  t.ok((outcome.error ?? '').length < 260)
})

t.test('a redirect of Apps Script says that it ran, and to put a relay in front', async (t) => {
  const url = 'https://script.google.com/macros/s/hush/exec'
  const error = /^answered 302: Apps Script redirects after it has run, so each attempt runs it; put a relay in front/
  for (const claim of [makeSampleClaim({ url }), makeSampleClaim({ kind: 'chat', url })]) {
    const { outcome, next } = await attemptWith(claim, { status: 302 })
    t.match(outcome.error, error)
    t.match(next, { kind: 'retry' })
  }
})

t.test('a failed exchange is tried again', async (t) => {
  const { outcome, next } = await attemptWith(makeSampleClaim({}, { attempt: 2 }), new PostError('took too long', 200))
  t.match(outcome, { status: 200, error: 'took too long', responseExcerpt: null })
  t.strictSame(next, { kind: 'retry', dueAt: new Date(time + 30_000) })
  const later = await attemptWith(makeSampleClaim(), { status: 503, retryAfter: '120' })
  t.strictSame(later.next, { kind: 'retry', dueAt: new Date(time + 120_000) }, 'Retry-After is honoured')
})

t.test('410 is the end of the receiver, the twelfth failure of the delivery too', async (t) => {
  const gone = await attemptWith(makeSampleClaim(), { status: 410 })
  t.match(gone.next, { kind: 'gone', disableReason: /410/ })
  const dead = await attemptWith(makeSampleClaim({}, { attempt: 12 }), { status: 500 })
  t.match(dead.next, { kind: 'dead', disableReason: /^a delivery failed 12 times; the last error: answered 500/ })
})

t.test(
  'a delivery that an administrator sends again has one attempt, and only 410 disables its receiver',
  async (t) => {
    const requested = (attempt: number) => makeSampleClaim({}, { attempt, isRedelivery: true })
    for (const attempt of [1, 2, 13]) {
      t.strictSame((await attemptWith(requested(attempt), { status: 500 })).next, { kind: 'failed' })
      t.strictSame((await attemptWith(requested(attempt), new PostError('no answer'))).next, { kind: 'failed' })
    }
    t.match((await attemptWith(requested(2), { status: 410 })).next, { kind: 'gone' })
    t.strictSame((await attemptWith(requested(2), {})).next, { kind: 'delivered' })
  },
)

t.test('what cannot be sent is an outcome too, and does not repeat the token', async (t) => {
  const secretToken = 'open\nsesame'
  const { outcome } = await attemptWith(
    makeSampleClaim({ secretToken }),
    new TypeError(`Invalid value "${secretToken}"`),
  )
  t.equal(outcome.error, 'not sent: Invalid value "[redacted]"')
})

t.test('secrets that a receiver echoes are redacted', async (t) => {
  const secretToken = 'open "sesame" & more'
  const answerWith = (text: string) => ({ start: Buffer.from(text) })
  const webhook = makeSampleClaim({ secretToken, url: 'https://receiver.test/hook?key=in-the-url&n=1' })
  const echoes = {
    [`token: ${secretToken}!`]: 'token: [redacted]!',
    [JSON.stringify({ token: secretToken })]: '{"token":"[redacted]"}',
    [`/?t=${encodeURIComponent(secretToken)}`]: '/?t=[redacted]',
    [`Basic ${Buffer.from(secretToken).toString('base64')}`]: 'Basic [redacted]',
    [signingSecret]: '[redacted]',
    [`key ${signingSecret.slice('whsec_'.length)}`]: 'key [redacted]',
    'POST /hook?key=in-the-url&n=1': 'POST /hook?key=[redacted]&n=1',
    [`${'x'.repeat(100)}${secretToken.slice(0, 9)}`]: `${'x'.repeat(100)}[redacted]`,
    'open today': 'open today',
  }
  for (const [text, shown] of Object.entries(echoes)) {
    t.equal((await attemptWith(webhook, answerWith(text))).outcome.responseExcerpt, shown)
  }
  const withPath = makeSampleClaim({ url: 'https://receiver.test/notifications/hush-hush' })
  const { outcome: ofPath } = await attemptWith(withPath, answerWith('no POST /notifications/hush-hush'))
  t.equal(ofPath.responseExcerpt, 'no POST /[redacted]/[redacted]')
  const refused = await attemptWith(withPath, new PostError('see the setting notifications.extraCaFile'))
  t.match(refused.outcome, { error: 'see the setting notifications.extraCaFile' })
  const chat = makeSampleClaim({ kind: 'chat', service: 'slack', url: 'https://hooks.slack.com/services/T0/B0/hush' })
  const { outcome } = await attemptWith(chat, answerWith('no such hook: /services/T0/B0/hush'))
  t.equal(outcome.responseExcerpt, 'no such hook: [redacted]')
  const signed = makeSampleClaim({
    kind: 'chat',
    service: 'teams',
    url: 'https://example.webhook.office.com/x?sig=hush-hush',
  })
  const { outcome: ofSigned } = await attemptWith(signed, answerWith('wrong signature hush-hush'))
  t.equal(ofSigned.responseExcerpt, 'wrong signature [redacted]')
})

t.test('a delivery whose secrets cannot be opened is not sent, and the receiver is not blamed', async (t) => {
  const claim = makeSampleClaim({ secretToken: 'open sesame' })
  const otherKey = generateSecretKey()
  const finished = attemptWith(claim, new Error('it was sent'), { secrets: new SecretBox(() => [otherKey]) })
  await t.rejects(finished, { name: 'UnknownKeyError' })
})

t.test('a signing secret that was replaced stops signing in time', async (t) => {
  const claim = makeSampleClaim()
  const signingSecrets = claim.receiver.signingSecrets.map((one) => ({ ...one, until: new Date(time) }))
  const rotated = { ...claim, receiver: { ...claim.receiver, signingSecrets } }
  for (const [now, count] of [
    [time - 1, 1],
    [time, 0],
  ] as const) {
    const { sent } = await attemptWith(rotated, {}, { now: () => now })
    t.equal(sent[0]?.headers['webhook-signature']?.length === 0 ? 0 : 1, count)
  }
})

t.test('what is kept of an answer is text', async (t) => {
  const bytes = Buffer.concat([Buffer.from('a\0b\u001bc\tü\n'), Buffer.from([0xff]), Buffer.from('é').subarray(0, 1)])
  const { outcome } = await attemptWith(makeSampleClaim(), { start: bytes })
  t.equal(outcome.responseExcerpt, 'a\ufffdb\ufffdc\tü\n\ufffd')
})

t.test('what was given up, because others may send it, is no failure of the receiver', async (t) => {
  await t.rejects(attemptWith(makeSampleClaim(), new LifeEndedError()), { name: 'LifeEndedError' })
})
