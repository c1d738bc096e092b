import { revokeApiKey } from '@floe/storage/database'
import type { FloeError, RecordedEvent } from '@floe/client'
import { t } from 'tap'
import { notification } from '../contract/notifications.ts'
import { startServer } from '../server/start-server.ts'
import { createTestClient } from './create-test-client.ts'
import { recordEvent } from './record-event.ts'
import { startPlainServer } from './start-plain-server.ts'

const message = ({ value }: IteratorResult<RecordedEvent<'NewCommit'>>) =>
  `${value.id} ${value.notification.details.commit_message}`

/** A stream as the service writes it. */
const write = (id: number) =>
  `id: ${id}\nevent: NewCommit\ndata: ${JSON.stringify({ ...notification, details: { ...notification.details, commit_message: `${id}` } })}\n\n`

t.test('events come as they are recorded, of all repositories or of one', async (t) => {
  const server = await startServer(t)
  const floe = createTestClient(server)
  await recordEvent(server.db, 'weather', 'A')
  const end = new AbortController()
  const all = floe.events({ after: '0' }, { signal: end.signal })
  const one = floe.events({ repo: 'satellite', after: '0' }, { signal: end.signal })
  t.equal(message(await all.next()), '1 A')
  await recordEvent(server.db, 'satellite', 'B')
  t.equal(message(await all.next()), '2 B')
  t.equal(message(await one.next()), '2 B')
  const [first, second] = [all.next(), one.next()]
  end.abort(new Error('changed my mind'))
  await t.rejects(first, { message: 'changed my mind' })
  await t.rejects(second, { message: 'changed my mind' })
})

t.test('what waiting does not help against is thrown', async (t) => {
  const server = await startServer(t)
  const { weatherKey, db } = server
  const floe = createTestClient(server, { apiKey: weatherKey })
  await t.rejects(floe.events({ after: '9' }).next(), { name: 'ProblemResponseError', message: /^Events gone/ })
  await t.rejects(floe.events({ repo: 'satellite' }).next(), { name: 'ProblemResponseError', message: /^Not allowed/ })
  const events = floe.events({ after: '0' })
  await recordEvent(db, 'weather', 'A')
  t.match(message(await events.next()), /^sealed:.* A$/)
  await revokeApiKey(db, weatherKey.slice(5, 21), { now: new Date(), keepsDescendants: false })
  await t.rejects(events.next(), { name: 'ProblemResponseError', message: /^Credentials needed/ })
})

t.test('a connection that is lost is replaced, and continues after the last event', async (t) => {
  const asked: (string | undefined)[] = []
  let breakOff = () => {}
  const origin = await startPlainServer(t, (request, response) => {
    asked.push(request.headers['last-event-id'] as string | undefined)
    const send = () => response.writeHead(200, { 'content-type': 'text/event-stream' })
    switch (asked.length) {
      case 1:
        return void send().end('retry: 1000\n: connected\nid: 4\n\n')
      case 2:
        // In the middle of an event.
        send().write(write(5) + write(6).slice(0, 40))
        return void (breakOff = () => response.destroy())
      case 3:
        return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>')
      default:
        return void send().write(write(6) + ': still here\nid: 9\n\n' + write(10))
    }
  })
  const floe = createTestClient({ origin })
  const seen: string[] = []
  for await (const { id, notification } of floe.events()) {
    seen.push(`${id} ${notification.details.commit_message}`)
    // Not before: with a connection that breaks off, what has arrived and is still unread may be lost.
    if (id === '5') breakOff()
    if (id === '10') break
  }
  t.strictSame(seen, ['5 5', '6 6', '10 10'])
  t.strictSame(asked, [undefined, '4', '5', '5'])
})

t.test('an aborted iteration throws at once, although more events have arrived', async (t) => {
  const origin = await startPlainServer(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(write(1) + write(2) + write(3))
  })
  const end = new AbortController()
  const floe = createTestClient({ origin })
  const events = floe.events({}, { signal: end.signal })
  t.equal(message(await events.next()), '1 1')
  end.abort(new Error('changed my mind'))
  await t.rejects(events.next(), { message: 'changed my mind' })
})

t.test('events that a newer service has added are passed over, and not asked for again', async (t) => {
  const asked: (string | undefined)[] = []
  const added = 'id: 2\nevent: NodeLocked\ndata: {"event":"NodeLocked","details":{}}\n\n'
  const bodies = [write(1) + added, write(3)]
  const origin = await startPlainServer(t, (request, response) => {
    const body = bodies[asked.push(request.headers['last-event-id'] as string | undefined) - 1]
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)
  })
  const events = createTestClient({ origin }).events()
  t.equal(message(await events.next()), '1 1')
  t.equal(message(await events.next()), '3 3')
  t.strictSame(asked, [undefined, '2'])
})

t.test('an answer that is no stream, or no notification, is refused', async (t) => {
  const bodies = ['{}', 'id: 1\nevent: NewCommit\ndata: {"event":"Other"}\n\n', 'id: 1\ndata: nonsense\n\n']
  for (const [index, body] of bodies.entries()) {
    const origin = await startPlainServer(t, (_, response) => {
      response.writeHead(200, { 'content-type': index === 0 ? 'application/json' : 'text/event-stream' }).end(body)
    })
    const floe = createTestClient({ origin })
    const name = index === 0 ? 'UnexpectedResponseError' : 'ContractViolationError'
    await t.rejects(floe.events().next(), { name }, body)
  }
})

t.test('`onReconnect` is told why, how often, and how long each wait is before it begins', async (t) => {
  let requests = 0
  const code = 'too-many-requests'
  const problem = { type: `/problems/${code}`, code, title: 'Busy', status: 429, detail: 'Wait', instance: 'a' }
  const origin = await startPlainServer(t, (_, response) => {
    switch (++requests) {
      case 1:
        return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(write(1))
      case 2:
        return void response
          .writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': '1' })
          .end(JSON.stringify(problem))
      case 3:
        return void response.destroy()
      default:
        return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(write(2))
    }
  })
  const told: unknown[] = []
  const delays: number[] = []
  const onReconnect = async (error: FloeError, { attempt, delayMs }: { attempt: number; delayMs: number }) => {
    told.push([requests, error.name, attempt])
    delays.push(delayMs)
  }
  const events = createTestClient({ origin }).events({}, { onReconnect })
  t.equal(message(await events.next()), '1 1')
  t.equal(message(await events.next()), '2 2')
  t.strictSame(told, [
    [1, 'NetworkError', 1],
    [2, 'ProblemResponseError', 2],
    [3, 'NetworkError', 3],
  ])
  const ranges = [
    [125, 375],
    // The answer asks for a second.
    [1250, 1750],
    [500, 1500],
  ]
  for (const [index, [shortest = NaN, longest = NaN]] of ranges.entries()) {
    const delayMs = delays[index] ?? NaN
    t.ok(Number.isInteger(delayMs) && delayMs >= shortest && delayMs <= longest, `wait ${index + 1}: ${delayMs} ms`)
  }
})

t.test('an unknown host is told, and an error of `onReconnect` ends the iteration', async (t) => {
  const cause = Object.assign(new Error('getaddrinfo ENOTFOUND floe.example.org'), { code: 'ENOTFOUND' })
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
  const floe = createTestClient({ origin: 'http://floe.example.org' }, { fetch })
  let reason = ''
  const onReconnect = (error: FloeError) => {
    reason = error.message
    throw new Error('enough')
  }
  await t.rejects(floe.events({}, { onReconnect }).next(), { message: 'enough' })
  t.match(reason, /^No answer from http:\/\/floe\.example\.org.*: the host name is unknown/)
  await t.rejects(floe.events({}, { onReconnect: () => Promise.reject(new Error('late')) }).next(), { message: 'late' })
})
