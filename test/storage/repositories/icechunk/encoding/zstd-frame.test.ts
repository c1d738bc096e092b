import { constants, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { t } from 'tap'
import { bindErrors } from '../../../../../storage/repositories/icechunk/errors.ts'
import { readZstdFrame } from '../../../../../storage/repositories/icechunk/encoding/zstd-frame.ts'
import { anyDamage, readsOrRefuses } from '../any-damage.ts'
import { matchDamage, matchExcess } from '../match-damage.ts'
import { checkProperty } from '../../../../check-property.ts'

const maxBlocks = 1_000_001
const errors = bindErrors('memory', 'object', { maxBlocks })
const read = (frame: Uint8Array) => readZstdFrame(frame, errors, maxBlocks)

/** Compresses without writing the size of the content, as older writers do. */
function compressUnsized(content: Uint8Array): Uint8Array {
  return zstdCompressSync(content, { params: { [constants.ZSTD_c_contentSizeFlag]: 0 } })
}

t.test('the size of the content is read in each of its widths', async (t) => {
  for (const size of [0, 1, 255, 256, 65_791, 65_792, 1_000_000]) {
    const frame = read(zstdCompressSync(Buffer.alloc(size, 'x')))
    t.equal(frame.contentBytes, size)
    t.equal(frame.maxContentBytes, size)
    t.ok(frame.windowBytes >= Math.min(size, 1024))
  }
})

t.test('without a size, the number of blocks bounds the content', async (t) => {
  for (const size of [1, 100_000, 300_000, 1_000_000]) {
    const frame = read(compressUnsized(Buffer.alloc(size, 'x')))
    t.equal(frame.contentBytes, undefined)
    t.ok(frame.maxContentBytes >= size && frame.maxContentBytes < size + 2 * 128 * 1024)
  }
})

t.test('a frame with a checksum is read to its end', async (t) => {
  const params = { [constants.ZSTD_c_checksumFlag]: 1 }
  const frame = zstdCompressSync(Buffer.from('content'), { params })
  t.match(read(frame), { contentBytes: 7 })
  t.throws(() => read(frame.subarray(0, -1)), matchDamage(/cut short/))
})

t.test('a frame that is cut, or followed by anything, is refused', async (t) => {
  for (const frame of [zstdCompressSync(Buffer.from('content '.repeat(99))), compressUnsized(Buffer.alloc(300_000))]) {
    for (let length = 0; length < frame.length; length++) {
      t.throws(() => read(frame.subarray(0, length)), { name: 'DamagedObjectError' })
    }
    t.throws(() => read(Buffer.concat([frame, Buffer.from([0])])), matchDamage(/after its zstd frame/))
    t.throws(() => read(Buffer.concat([frame, frame])), matchDamage(/after its zstd frame/))
  }
})

t.test('the outline of a frame with a million empty blocks is read', async (t) => {
  const head = Buffer.from('28b52ffd0000', 'hex')
  const frame = Buffer.concat([head, Buffer.alloc(3_000_000), Buffer.from('010000', 'hex')])
  t.match(read(frame), { contentBytes: undefined, maxContentBytes: 1_000_001 * 128 * 1024 })
})

t.test('a frame with more blocks than the limit is refused', async (t) => {
  const frame = Buffer.concat([Buffer.from('28b52ffd0000', 'hex'), Buffer.alloc(30), Buffer.from('010000', 'hex')])
  t.match(readZstdFrame(frame, errors, 11), { maxContentBytes: 11 * 128 * 1024 })
  t.throws(() => readZstdFrame(frame, errors, 10), matchExcess('maxBlocks', /more than 10 blocks/))
})

t.test('any bytes give an outline or a named error', async () => {
  const frame = zstdCompressSync(Buffer.from('some content, some content'))
  await checkProperty(2_000, fc.asyncProperty(anyDamage(frame), readsOrRefuses(read)))
})
