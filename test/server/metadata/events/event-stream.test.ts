import { defaultFilter } from '@floe/contract/lists'
import { t } from 'tap'
import { EventStream } from '../../../../server/metadata/events/event-stream.ts'
import type { SharedEvent } from '../../../../server/metadata/events/shared-events.ts'

const event = {
  repo: 'weather',
  name: 'NewCommit' as const,
  branch: 'main',
  expectationKind: undefined,
  check: null,
  verdict: null,
}

function open() {
  let now = 0
  const scope = {
    org: 'acme',
    deployment: 'tiles',
    reader: null,
    served: { isWhole: true, serves: () => true, patterns: ['**'] },
    repo: undefined,
    filter: defaultFilter,
    caller: { tenant: 'acme', caller: 'address 127.0.0.1', isAnonymous: true },
    response: { writableLength: 0 },
  }
  const retained = new Set<number>()
  const shared = {
    retain: ({ position }: SharedEvent) => void retained.add(position),
    release: ({ position }: SharedEvent) => void retained.delete(position),
  }
  const stream = new EventStream(scope, 7, {
    elapsed: () => now,
    shared,
    positions: { write: String },
    onRoom: () => {},
  })
  const pass = (ms: number) => {
    now += ms
    stream.beat(30_000)
  }
  const send = (position: number, text = 'event') =>
    stream.send([{ ...event, id: `acme ${position}`, position, bytes: Buffer.from(text), streams: 0 }], position)
  return { stream, pass, send, retained, response: scope.response }
}

t.test('a heartbeat comes after 15 seconds of silence, with the position that was reached', async (t) => {
  const { stream, pass, send } = open()
  let text = ''
  stream.body.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await new Promise(setImmediate)
  t.equal(text, 'retry: 1000\n: connected\nid: 7\n\n')
  text = ''
  pass(14_999)
  t.equal(text, '')
  pass(1)
  t.equal(text, ': still here\nid: 7\n\n')
  text = ''
  pass(10_000)
  send(8)
  pass(10_000)
  t.equal(text, 'id: 8\nevent')
  pass(5_000)
  t.equal(text, 'id: 8\nevent: still here\nid: 8\n\n')
})

t.test('heartbeats do not keep the stream of a caller who reads nothing', async (t) => {
  const { stream, pass } = open()
  for (let second = 0; second <= 30; second++) {
    t.equal(stream.body.destroyed, false, `${second} s`)
    pass(1_000)
  }
  t.equal(stream.body.destroyed, true)
})

t.test('a stream retains an event until its last byte has left the answer', async (t) => {
  const { stream, send, retained, response } = open()
  stream.body.resume()
  await new Promise(setImmediate)
  response.writableLength = 2_000
  send(8, 'x'.repeat(1_000))
  send(9, 'x'.repeat(1_000))
  await new Promise(setImmediate)
  for (const [waiting, positions] of [
    [2_000, [8, 9]],
    [1_007, [8, 9]],
    [1_006, [9]],
    [1, [9]],
    [0, []],
  ] as const) {
    response.writableLength = waiting
    stream.measure()
    t.strictSame([...retained], positions, `${waiting} bytes`)
  }
  send(10)
  stream.drop()
  t.equal(retained.size, 0)
})
