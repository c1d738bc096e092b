import { defaultFilter } from '@floe/contract/lists'
import { t } from 'tap'
import { redactAnswer, redactFailure } from '../../../../server/notifications/deliver/redact.ts'

const url = 'https://example.org/in/webhooks/0123456789abcdef/a%2Fb%20c%C3%BC-d/short?sig=x%2By%2Bz%2B1&SECRETNAME&n=1'
const noSecrets = { secretToken: null, headers: {}, signingSecrets: [] }
const webhook = { kind: 'webhook', service: null, filter: defaultFilter, ...noSecrets } as const
const redactUrl = (text: string, from = url) => redactAnswer(text, { ...webhook, url: from })

t.test('every long part of a URL is redacted, and no short one', async (t) => {
  const texts = {
    'POST /in/webhooks/0123456789abcdef/a%2Fb%20c%C3%BC-d/short?sig=x%2By%2Bz%2B1&SECRETNAME&n=1':
      'POST /in/[redacted]/[redacted]/[redacted]/short?sig=[redacted]&[redacted]&n=1',
    'no hook 0123456789abcdef here, in short': 'no hook [redacted] here, in short',
    'n=1': 'n=1',
  }
  for (const [text, shown] of Object.entries(texts)) t.equal(redactUrl(text), shown)
})

t.test('a part is redacted in every spelling', async (t) => {
  const path = ['a%2Fb%20c%C3%BC-d', 'a%2fb%20c%c3%bc-d', 'a/b cü-d', 'a%2Fb+c%C3%BC-d']
  const query = ['x%2By%2Bz%2B1', 'x%2by%2bz%2b1', 'x+y+z+1']
  const encoded = ['a/b cü-d', 'x+y+z+1'].flatMap((text) => [
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('base64url'),
  ])
  for (const spelling of [...path, ...query, ...encoded]) {
    t.match(redactUrl(`(${spelling})`), /^\(\[redacted\]\)$/, spelling)
  }
  t.equal(redactUrl('(x y z 1)', 'https://example.org/?sig=x+y+z+1'), '([redacted])')
})

t.test('a URL that cannot be decoded is redacted as it is written', async (t) => {
  t.equal(redactUrl('at /100%-secret', 'https://example.org/100%-secret'), 'at /[redacted]')
})

t.test('the headers of a webhook are redacted, with the credentials in them', async (t) => {
  const basic = `Basic ${Buffer.from('user:a-password').toString('base64')}`
  const headers = { Authorization: basic, Other: 'Bearer a-long-token', Mode: 'yes' }
  const redact = (text: string) => redactAnswer(text, { ...webhook, url, headers })
  const texts = [basic, basic.slice(6), 'user:a-password', 'a-password', 'Bearer a-long-token', 'a-long-token']
  for (const text of texts) t.equal(redact(`(${text})`), '([redacted])', text)
  t.equal(redact('yes, Basic and Bearer, or not'), 'yes, Basic and Bearer, or not', 'too short for a secret')
})

t.test('words of our own sentences are not taken for secrets', async (t) => {
  const redact = (part: string) => redactFailure(`(${part})`, { ...webhook, url: `https://example.org/${part}` })
  for (const part of ['notifications', 'Webhooks', 'incoming-hook']) t.equal(redact(part), `(${part})`)
  for (const part of ['0123456789abcdef', 'xYzXyZxYz', 'B01ABCDEF']) t.equal(redact(part), '([redacted])')
})
