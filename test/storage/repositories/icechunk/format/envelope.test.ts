import { randomBytes } from 'node:crypto'
import { constants, zstdCompressSync } from 'node:zlib'
import { t } from 'tap'
import { openEnvelope } from '../../../../../storage/repositories/icechunk/format/envelope.ts'
import { defaultLimits } from '../../../../../storage/repositories/icechunk/index.ts'
import { buildObject } from '../build-object.ts'
import { matchExcess } from '../match-damage.ts'

const content = Buffer.from('some content')
const wrapBytes = (bytes: Uint8Array) => ({ repository: 'memory', key: 'repo', bytes })
const open = (bytes: Uint8Array, limits = {}) => openEnvelope(wrapBytes(bytes), 'repo', { ...defaultLimits, ...limits })

t.test('content is unpacked, compressed or not, small or large', async (t) => {
  for (const payload of [content, Buffer.alloc(0), randomBytes(1_000_000)]) {
    for (const compression of [0, 1]) {
      const envelope = await open(buildObject(payload, { kind: 6, version: 1, compression }))
      t.equal(envelope.formatVersion, 1)
      t.ok(payload.equals(envelope.payload))
    }
  }
})

t.test('a frame without the size of its content is unpacked', async (t) => {
  const header = buildObject(content, { kind: 6 }).subarray(0, 39)
  for (const payload of [content, Buffer.alloc(5_000_000, 'ice')]) {
    const body = zstdCompressSync(payload, { params: { [constants.ZSTD_c_contentSizeFlag]: 0 } })
    t.ok(payload.equals((await open(Buffer.concat([header, body]))).payload))
  }
})

t.test('each byte of the header is checked', async (t) => {
  const named = { name: 'DamagedObjectError', repository: 'memory', key: 'repo' }
  const whole = buildObject(content, { kind: 6 })
  await t.rejects(open(whole.with(3, 0)), { ...named, rule: /does not begin like an Icechunk object/ })
  await t.rejects(open(whole.with(37, 1)), { ...named, rule: /kind 1, not 6/ })
  await t.rejects(open(whole.with(38, 2)), { ...named, rule: /compression 2/ })
  for (const version of [0, 3, 255]) {
    const expected = { name: 'UnsupportedFormatError', key: 'repo', formatVersion: version }
    await t.rejects(open(whole.with(36, version)), expected)
  }
})

t.test('an object cut anywhere is damaged', async (t) => {
  const whole = buildObject(content, { kind: 6 })
  for (let length = 0; length < whole.length; length++) {
    await t.rejects(open(whole.subarray(0, length)), { name: 'DamagedObjectError' })
  }
})

t.test('content above the limit is refused, whether the frame says its size or not', async (t) => {
  const limits = { maxInflatedBytes: 1_000_000 }
  const excess = matchExcess('maxInflatedBytes', /decompresses to more than 1000000 bytes/)
  const bomb = Buffer.alloc(1_000_001)
  const header = buildObject(bomb, { kind: 6 }).subarray(0, 39)
  for (const contentSizeFlag of [0, 1]) {
    const body = zstdCompressSync(bomb, {
      params: { [constants.ZSTD_c_contentSizeFlag]: contentSizeFlag, [constants.ZSTD_c_windowLog]: 17 },
    })
    await t.rejects(open(Buffer.concat([header, body]), limits), excess)
  }
  const smallWindow = zstdCompressSync(content, { params: { [constants.ZSTD_c_contentSizeFlag]: 0 } })
  const largeWindow = Uint8Array.from(smallWindow).with(5, (24 - 10) << 3)
  await t.rejects(open(Buffer.concat([header, largeWindow]), limits), excess)
  await t.rejects(
    open(buildObject(bomb, { kind: 6, compression: 0 }), limits),
    matchExcess('maxInflatedBytes', /larger than 1000000 bytes/),
  )
})

t.test('a frame with broken content is damaged', async (t) => {
  const whole = buildObject(Buffer.from('content '.repeat(20)), { kind: 6 })
  const broken = whole.map((byte, index) => (index > 50 ? byte ^ 0x55 : byte))
  await t.rejects(open(broken), { name: 'DamagedObjectError' })
})
