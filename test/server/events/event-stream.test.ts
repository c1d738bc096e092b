import { text } from 'node:stream/consumers'
import { t } from 'tap'
import { EventStream } from '../../../server/events/event-stream.ts'

function open(stalledReaderMs = 30_000) {
  let now = 0
  const scope = { org: 'acme', key: null, repo: undefined }
  const stream = new EventStream(scope, 7, { elapsed: () => now, stalledReaderMs })
  const pass = (ms: number) => {
    now += ms
    stream.beat()
  }
  const event = (position: number) => ({ position, repo: 'weather', name: 'NewCommit' as const, payload: '{}' })
  return { stream, pass, event }
}

t.test('a sign of life comes after 15 seconds of silence, with the position that was reached', async (t) => {
  const { stream, pass, event } = open()
  let text = ''
  stream.body.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await new Promise(setImmediate)
  t.equal(text, 'retry: 1000\n: the record so far\nid: 7\n\n')
  text = ''
  pass(14_999)
  t.equal(text, '')
  pass(1)
  t.equal(text, ': still here\nid: 7\n\n')
  text = ''
  pass(10_000)
  stream.offer(event(8), () => Buffer.from('event'))
  pass(10_000)
  t.equal(text, 'event')
  pass(5_000)
  t.equal(text, 'event: still here\nid: 8\n\n')
})

t.test('an event that was sent is not sent again', async (t) => {
  const { stream, event } = open()
  const sent: string[] = []
  stream.body.setEncoding('utf8').on('data', (chunk: string) => sent.push(chunk))
  for (const position of [7, 8, 8, 3, 9]) stream.offer(event(position), () => Buffer.from(String(position)))
  await new Promise(setImmediate)
  t.strictSame(sent.slice(1), ['8', '9'])
})

t.test('half a megabyte may wait for a caller, and then the stream takes no more', async (t) => {
  const { stream, event } = open()
  const encode = () => Buffer.alloc(174_000)
  for (const position of [8, 9, 10]) t.equal(stream.offer(event(position), encode), true)
  t.equal(stream.offer(event(11), encode), false)
  t.equal(stream.position, 10)
  t.ok(stream.body.readableLength <= 524_288)
  stream.body.resume()
  await new Promise(setImmediate)
  t.equal(
    stream.offer(event(11), () => Buffer.alloc(600_000)),
    true,
    'one event goes in any case',
  )
})

t.test('a stream that was ended takes nothing more, and ends whole', async (t) => {
  const { stream, pass, event } = open()
  const ended = text(stream.body)
  await new Promise(setImmediate)
  stream.end()
  t.equal(stream.isEnded, true)
  pass(15_000)
  stream.offer(event(8), () => Buffer.from('event'))
  await stream.write({ events: [event(9)], through: 9 })
  t.equal(await ended, 'retry: 1000\n: the record so far\nid: 7\n\n')
})

t.test('signs of life do not keep a caller who reads nothing', async (t) => {
  const { stream, pass } = open()
  for (let second = 0; second <= 30; second++) {
    t.equal(stream.isEnded, false, `${second} s`)
    pass(1_000)
  }
  t.equal(stream.isEnded, true)
})
