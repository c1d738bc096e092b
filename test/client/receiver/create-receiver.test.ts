import type { ReceiverOptions } from '@floe/client'
import { createNotificationSchema } from '@floe/contract'
import { expectationKindNames } from '@floe/contract/lists'
import { t } from 'tap'
import { z } from 'zod'
import { notification } from '../../contract/notifications.ts'
import { body, createTestReceiver, post, readProblem } from './test-receiver.ts'

t.test('the callback gets a notification with its id, attempt and sequence, and the answer is 204', async (t) => {
  const { receive, handled } = createTestReceiver()
  const response = await receive(
    post(body, { 'webhook-attempt': '12', 'content-type': 'application/json; charset=utf-8' }),
  )
  t.equal(response.status, 204)
  t.equal(await response.text(), '')
  t.strictSame(handled, [
    {
      details: notification.details,
      delivery: { id: 'msg_1', attempt: 12, sequence: 7, replayOf: undefined, isTest: false },
    },
  ])
})

t.test('a notification that an administrator sends as a test is marked', async (t) => {
  const { receive, handled } = createTestReceiver()
  t.equal((await receive(post(body, { 'webhook-test': 'true' }))).status, 204)
  t.match(handled, [{ delivery: { isTest: true } }])
})

t.test('a notification that is sent again as new names the earlier delivery', async (t) => {
  const { receive, handled } = createTestReceiver()
  t.equal((await receive(post(body, { 'webhook-replay-of': 'msg_0' }))).status, 204)
  t.match(handled, [{ delivery: { id: 'msg_1', replayOf: 'msg_0' } }])
})

t.test('members that this version does not know reach the callback', async (t) => {
  const { receive, handled } = createTestReceiver()
  const details = { ...notification.details, tags: ['v1.0'] }
  t.equal((await receive(post(JSON.stringify({ ...notification, details, spec: 2 })))).status, 204)
  t.match(handled, [{ details: { snapshot_id: notification.details.snapshot_id, tags: ['v1.0'] } }])
})

t.test('an event that this version does not know is accepted and goes to its own callback', async (t) => {
  const unknown = { event: 'NodeLocked', details: { path: 'wind' } }
  const { receive, handled } = createTestReceiver()
  t.equal((await receive(post(JSON.stringify(unknown)))).status, 204)
  t.strictSame(handled, [])
  const told: unknown[] = []
  const delivery = { id: 'msg_1', attempt: 1, sequence: 7, replayOf: undefined, isTest: false }
  const onUnknownEvent: ReceiverOptions['onUnknownEvent'] = (...told_) => void told.push(told_)
  t.equal((await createTestReceiver({ onUnknownEvent }).receive(post(JSON.stringify(unknown)))).status, 204)
  t.strictSame(told, [['NodeLocked', unknown, delivery]])
})

function nameCallback(event: string): string {
  if (/^(?:Branch|Tag)/.test(event)) return 'ref'
  if (event === 'SchemaChanged') return 'schema'
  if (event === 'CheckPosted') return 'check'
  if (event === 'GoodMoved') return 'good'
  if (event === 'NotePosted' || event === 'SnapshotRetracted') return 'remark'
  return event.startsWith('Expectation') ? 'expectation' : 'notice'
}

t.test('events of refs and notices go to callbacks of their own, and are accepted without them', async (t) => {
  const { examples } = createNotificationSchema()
  const others = z
    .array(z.looseObject({ event: z.string() }))
    .parse(examples)
    .slice(1)
  const called: string[] = []
  const { receive, handled } = createTestReceiver({
    onSchemaChanged: () => void called.push('schema SchemaChanged'),
    onRefEvent: ({ event }) => void called.push(`ref ${event}`),
    onExpectationEvent: ({ event }) => void called.push(`expectation ${event}`),
    onCheckPosted: ({ check }) => void called.push(`check ${check === 'quality' ? 'CheckPosted' : check}`),
    onGoodMoved: ({ behind }) => void called.push(`good ${behind === 0 ? 'GoodMoved' : behind}`),
    onRemarkEvent: ({ event }) => void called.push(`remark ${event}`),
    onNotice: ({ event }) => void called.push(`notice ${event}`),
  })
  for (const one of others) {
    t.equal((await receive(post(JSON.stringify(one)))).status, 204)
    t.equal((await createTestReceiver().receive(post(JSON.stringify(one)))).status, 204)
  }
  t.strictSame(handled, [])
  t.strictSame(
    called,
    others.map(({ event }) => `${nameCallback(event)} ${event}`),
  )
  t.equal(called.length, 13 + 2 * expectationKindNames.length)
})

t.test('other methods are refused, and `Allow` names the allowed one', async (t) => {
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

t.test('a request without an id, attempt or sequence is refused', async (t) => {
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

t.test('when a callback fails, the answer is 500, and the error is printed but not sent', async (t) => {
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
