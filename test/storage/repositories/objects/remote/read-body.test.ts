import { Readable } from 'node:stream'
import { t } from 'tap'
import { readBody } from '../../../../../storage/repositories/objects/remote/read-body.ts'

const { signal } = new AbortController()
const whole = { skip: 0, take: Infinity, length: undefined, maxBytes: 100, signal }

const streamChunks = (...chunks: readonly string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))

t.test('the requested part is cut out of chunks of any size', async (t) => {
  const digits = '0123456789'
  for (const size of [1, 3, 4, 10]) {
    const chunks = digits.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
    for (const [skip, take] of [
      [0, Infinity],
      [0, 4],
      [3, 4],
      [7, 10],
      [10, 1],
      [12, 1],
      [0, 0],
    ] as const) {
      const bytes = await readBody(streamChunks(...chunks), { ...whole, skip, take, length: 10 })
      t.strictSame(bytes, new Uint8Array(Buffer.from(digits.slice(skip, skip + take))), `${size}: ${skip}+${take}`)
    }
  }
})

t.test('the limit applies to the requested part, and an announced length is trusted', async (t) => {
  const limit = async (skip: number, take: number, length: number | undefined, maxBytes: number) => {
    const result = await readBody(streamChunks('01234', '56789'), { skip, take, length, maxBytes, signal })
    return typeof result === 'string' ? result : result.length
  }
  t.equal(await limit(0, Infinity, 10, 9), 'too large')
  t.equal(await limit(0, Infinity, undefined, 9), 'too large')
  t.equal(await limit(0, Infinity, undefined, 10), 10)
  t.equal(await limit(4, Infinity, 10, 6), 6)
  t.equal(await limit(2, 3, 10, 3), 3)
  t.equal(await limit(2, 3, 10, 2), 'too large')
})

t.test('a body that ends before its announced length is an error', async (t) => {
  await t.rejects(readBody(streamChunks('0123'), { ...whole, length: 5 }), { code: 'ENDED_EARLY', isTransient: true })
  const failing = new Readable({ read: () => failing.destroy(new Error('anything')) })
  await t.rejects(readBody(failing, whole), { code: 'ENDED_EARLY', isTransient: true })
})

t.test('the body is closed at the end and on abort', async (t) => {
  const enough = streamChunks('0123', '4567')
  await readBody(enough, { ...whole, take: 2 })
  t.equal(enough.destroyed, true)

  const reason = new Error('enough')
  const leave = new AbortController()
  const stalled = new Readable({ read: () => leave.abort(reason) })
  await t.rejects(readBody(stalled, { ...whole, signal: leave.signal }), reason)
  t.equal(stalled.destroyed, true)
})
