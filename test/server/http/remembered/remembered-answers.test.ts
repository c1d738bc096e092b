import { t } from 'tap'
import type { ApiKey } from '@floe/storage/database'
import { createMetrics } from '../../../../server/http/observation/metrics.ts'
import { RememberedAnswers } from '../../../../server/http/remembered/remembered-answers.ts'

const reader: ApiKey = {
  id: '0123456789abcdef',
  org: 'acme',
  role: 'reader',
  repos: null,
  isDeclared: false,
  createdAt: new Date(0),
  createdBy: null,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
}
const question = { url: '/a', headers: { accept: '*/*' }, caller: reader }
const makeAnswer = (body: Buffer | string = 'body', isCurrent = () => true) => ({
  status: 200,
  headers: ['etag', '"a"'],
  body,
  isCurrent,
  labels: { method: 'GET', route: '/a', status: 200 },
})

t.test('an answer is found again by callers who would get the same', async (t) => {
  const answers = new RememberedAnswers(1_000_000, createMetrics())
  const answer = makeAnswer()
  answers.remember(question, answer)
  t.equal(answers.find(question), answer)
  const other = { ...reader, id: 'fedcba9876543210', lastUsedAt: new Date() }
  t.equal(answers.find({ ...question, caller: other }), answer, 'another key that may read as much')
})

t.test('an answer is not found by whoever may get another one', async (t) => {
  const answers = new RememberedAnswers(1_000_000, createMetrics())
  answers.remember(question, makeAnswer())
  for (const caller of [
    null,
    { ...reader, org: 'other' },
    { ...reader, role: 'admin' as const },
    { ...reader, repos: ['weather'] },
    { ...reader, repos: [] },
  ]) {
    t.equal(answers.find({ ...question, caller }), undefined, JSON.stringify(caller))
  }
  t.equal(answers.find({ ...question, url: '/a?' }), undefined)
  for (const headers of [
    {},
    { accept: '' },
    { accept: 'text/html' },
    { accept: '*/*', 'accept-encoding': 'br' },
    { accept: '*/*', 'if-none-match': '"a"' },
    { accept: '*/*', origin: 'https://app.example.org' },
  ]) {
    t.equal(answers.find({ ...question, headers }), undefined, JSON.stringify(headers))
  }
})

t.test('a header that is empty is told from one that is missing', async (t) => {
  const answers = new RememberedAnswers(1_000_000, createMetrics())
  answers.remember({ ...question, headers: {} }, makeAnswer())
  t.ok(answers.find({ ...question, headers: {} }))
  for (const name of ['accept', 'accept-encoding', 'if-none-match', 'origin'])
    for (const value of ['', 'undefined'])
      t.equal(answers.find({ ...question, headers: { [name]: value } }), undefined, name)
})

t.test('an answer is found only while it is current', async (t) => {
  const answers = new RememberedAnswers(1_000_000, createMetrics())
  let isCurrent = true
  answers.remember(
    question,
    makeAnswer('body', () => isCurrent),
  )
  t.ok(answers.find(question))
  isCurrent = false
  t.equal(answers.find(question), undefined)
  answers.remember(
    question,
    makeAnswer('overtaken', () => isCurrent),
  )
  isCurrent = true
  t.equal(answers.find(question)?.body, 'body', 'one that was overtaken before it was sent is not remembered')
})

t.test('those that were not asked for longest make way, and one that is too large is not remembered', async (t) => {
  const answers = new RememberedAnswers(50_000, createMetrics())
  const ask = (url: string) => answers.find({ ...question, url })
  for (const url of ['/a', '/b', '/c']) answers.remember({ ...question, url }, makeAnswer(Buffer.alloc(15_000)))
  t.ok(ask('/a'))
  answers.remember({ ...question, url: '/d' }, makeAnswer(Buffer.alloc(15_000)))
  t.strictSame(
    ['/a', '/b', '/c', '/d'].map((url) => ask(url) !== undefined),
    [true, false, true, true],
  )
  answers.remember({ ...question, url: '/e' }, makeAnswer(Buffer.alloc(60_000)))
  t.equal(ask('/e'), undefined)
  t.ok(ask('/d'))
})
