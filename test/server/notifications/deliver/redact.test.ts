import { t } from 'tap'
import { isWords, listUrlSecrets, makeRedactor } from '../../../../server/notifications/deliver/redact.ts'

const url = 'https://example.org/in/webhooks/0123456789abcdef/a%2Fb%20c%C3%BC-d/short?sig=x%2By%2Bz%2B1&SECRETNAME&n=1'
const redactUrl = (text: string) => makeRedactor(listUrlSecrets(url))(text)

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
  t.equal(makeRedactor(listUrlSecrets('https://example.org/?sig=x+y+z+1'))('(x y z 1)'), '([redacted])')
})

t.test('a text that ends with the beginning of a part does not show it', async (t) => {
  t.equal(redactUrl('no hook 01234567'), 'no hook [redacted]')
})

t.test('a URL that cannot be decoded is redacted as it is written', async (t) => {
  t.equal(makeRedactor(listUrlSecrets('https://example.org/100%-secret'))('at /100%-secret'), 'at /[redacted]')
})

t.test('words of our own sentences are told from secrets', async (t) => {
  for (const part of ['notifications', 'Webhooks', 'incoming-hook']) t.ok(isWords(part), part)
  for (const part of ['0123456789abcdef', 'xYzXyZxYz', 'T0/B0', 'B01ABCDEF']) t.notOk(isWords(part), part)
})
