// Callers who ask for events and read nothing.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { t, type Test } from 'tap'
import { measureMemory } from '../../measure-memory.ts'
import { basic, type RunningServer, startServer } from '../../start-server.ts'
import { follow, moveHeads } from './follow.ts'
import { waitUntil } from '../../wait-until.ts'

/** Nearly the largest event. */
const padding = 'x'.repeat(242_000)

/** More events of this size than the buffers of a connection have room for. */
const manyEvents = 60

/** An answer as the server has it. It does not keep what the server has dropped from being collected. */
class Answer {
  isOpen = true
  readonly #response: WeakRef<ServerResponse>

  constructor(response: ServerResponse) {
    this.#response = new WeakRef(response)
    response.once('close', () => (this.isOpen = false))
  }

  /** Whether something waits to be read. */
  get waits(): boolean {
    return this.isOpen && (this.#response.deref()?.writableLength ?? 0) > 0
  }
}

/** Asks for the events after each of these positions, from ten addresses, and reads nothing. */
async function askWithoutReading(t: Test, { http, publicMeta }: RunningServer, positions: readonly number[]) {
  const { hostname: host, port, pathname } = new URL(publicMeta)
  const answers: Answer[] = []
  for (const [index, after] of positions.entries()) {
    // One after the other: a busy machine drops what comes all at once.
    const asked = once(http, 'request')
    const socket = connect({ host, port: Number(port), localAddress: `127.0.0.${10 + (index % 10)}` })
    socket.on('error', () => {})
    t.teardown(() => socket.destroy())
    socket.pause().write(`GET ${pathname}/events?after=${after} HTTP/1.1\r\nhost: x\r\n\r\n`)
    const [, response] = (await asked) as [unknown, ServerResponse] // as Node.js documents this event
    answers.push(new Answer(response))
  }
  return answers
}

t.test('callers who ask for the same old events and read nothing cost little more than one', async (t) => {
  const server = await startServer(t, { stalledCallerMs: 600_000 })
  const heads = Array.from({ length: manyEvents }, (_, index) => `head-${index}`)
  await moveHeads(server.db, 'weather', heads, padding)
  const live = await follow(t, `${server.publicMeta}/events`, null)
  const before = measureMemory()
  const answers = await askWithoutReading(
    t,
    server,
    Array.from({ length: 1_000 }, () => 0),
  )
  await waitUntil(() => answers.every(({ isOpen, waits }) => waits || !isOpen))
  const open = answers.filter(({ isOpen }) => isOpen)
  t.ok(
    open.length >= 200 && open.length < 250,
    `${open.length}: anonymous callers have half of the organisation's half`,
  )
  const added = measureMemory() - before
  t.ok(added < 100_000_000, `${added} bytes`)
  await moveHeads(server.db, 'weather', ['live'])
  await live.until(({ heads }) => heads.at(-1) === 'live')
  t.ok(open.every(({ isOpen }) => isOpen))
})

t.test('beyond the limit of unsent bytes the slowest are dropped, and can resume', async (t) => {
  const streamBytes = 6_000_000
  const server = await startServer(t, { stalledCallerMs: 600_000, streamLimits: { streamBytes } })
  const readUnsent = async () => {
    const headers = { authorization: basic('acme', server.adminKey) }
    const response = await fetch(`${server.origin}/metrics`, { headers })
    return Number(/^floe_streams_unsent_bytes (\d+)$/m.exec(await response.text())?.[1])
  }
  const heads = Array.from({ length: 4 * manyEvents }, (_, index) => `head-${index}`)
  await moveHeads(server.db, 'weather', heads, padding)
  const live = await follow(t, `${server.publicMeta}/events`, null)
  const slow = await follow(t, `${server.publicMeta}/events?after=0`, null)
  slow.response.pause()
  // Each begins elsewhere, so that they have few events in common.
  const before = measureMemory()
  const answers = await askWithoutReading(
    t,
    server,
    Array.from({ length: 20 }, (_, index) => 8 * index),
  )
  const seen: number[] = []
  await waitUntil(async () => {
    seen.push(await readUnsent())
    return answers.every(({ isOpen, waits }) => waits || !isOpen) && answers.some(({ isOpen }) => !isOpen)
  })
  const most = Math.max(...seen)
  t.ok(most > 1_000_000 && most <= streamBytes, `${most} bytes`)
  // The memory of the dropped streams is collected a moment later.
  await waitUntil(() => measureMemory() - before < streamBytes + 4_000_000)
  await moveHeads(server.db, 'weather', ['live'], padding)
  await live.until(({ heads }) => heads.at(-1) === 'live')
  slow.response.resume()
  await slow.untilClosed()
  const resumed = await follow(t, `${server.publicMeta}/events`, null, {
    'last-event-id': slow.messages.at(-1)?.id ?? '0',
  })
  await resumed.until(({ messages }) => slow.messages.length + messages.length === heads.length + 1)
  t.strictSame([...slow.heads, ...resumed.heads], [...heads, 'live'])
})
