import { t } from 'tap'
import { createMetrics } from '../../../../server/observation/metrics.ts'
import { RequestProblem } from '../../../../server/problems/request-problem.ts'
import { type RequestKey, AnswerCache } from '../../../../server/metadata/answering/answer-cache.ts'

const requestKey = (text: string) => text as RequestKey
const makeSent = (isCurrent = () => true) => ({
  etag: '"a"',
  type: 'application/json',
  route: '/a',
  headers: { whole: [], unchanged: [] },
  isCurrent,
})

t.test('bodies and problems are found by their question until newer ones displace them', async (t) => {
  const cache = new AnswerCache(100_000, createMetrics())
  const problem = new RequestProblem('group-not-found', 'There is no such group')
  cache.set('problem', problem)
  t.equal(cache.find('problem'), problem)
  const body = Buffer.alloc(15_000)
  for (const key of ['a', 'b', 'c']) cache.set(key, Buffer.from(body))
  t.ok(cache.find('a'))
  cache.set('d', Buffer.from(body))
  t.strictSame(
    ['a', 'b', 'c', 'd'].map((key) => cache.find(key) !== undefined),
    [true, false, true, true],
  )
  cache.set('too large', Buffer.alloc(100_000))
  t.equal(cache.find('too large'), undefined)
  t.ok(cache.find('d'))
})

t.test('what was sent for a request is found only while it is current', async (t) => {
  const cache = new AnswerCache(1_000_000, createMetrics())
  let isCurrent = true
  const body = Buffer.from('body')
  cache.setSent(
    requestKey('a'),
    body,
    makeSent(() => isCurrent),
  )
  t.equal(cache.findSent(requestKey('a'))?.body, body)
  t.equal(cache.findSent(requestKey('b')), undefined)
  isCurrent = false
  t.equal(cache.findSent(requestKey('a')), undefined)
})

t.test('a request has no copy of a body, and only its tag without the body', async (t) => {
  const cache = new AnswerCache(100_000, createMetrics())
  const body = Buffer.alloc(15_000)
  cache.set('question', body)
  const { bytes } = cache.size
  for (const name of ['a', 'b', 'c']) cache.setSent(requestKey(name), body, makeSent())
  t.ok(cache.size.bytes - bytes < 3_000)
  for (const key of ['d', 'e', 'f']) cache.set(key, Buffer.alloc(15_000))
  t.equal(cache.find('question'), undefined)
  t.match(cache.findSent(requestKey('a')), { sent: { etag: '"a"' }, body: undefined })
})

t.test('two requests never share a body because their entity tags are equal', (t) => {
  const cache = new AnswerCache(1_000_000, createMetrics())
  const [own, foreign] = [Buffer.from('own'), Buffer.from('foreign')]
  cache.setSent(requestKey('a'), own, makeSent())
  cache.setSent(requestKey('b'), foreign, makeSent())
  t.equal(cache.findSent(requestKey('a'))?.body, own)
  t.equal(cache.findSent(requestKey('b'))?.body, foreign)
  t.end()
})
