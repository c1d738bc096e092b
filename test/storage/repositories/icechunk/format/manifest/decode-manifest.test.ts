// Manifests that no official library would write: which are read, and which are refused.
import fc from 'fast-check'
import { t } from 'tap'
import {
  decodeManifest,
  defaultLimits,
  type ManifestChunks,
  type ReaderLimits,
} from '../../../../../../storage/repositories/icechunk/index.ts'
import { checkProperty } from '../../../../../check-property.ts'
import { anyDamage, readsOrRefuses } from '../../any-damage.ts'
import { buildNodeId } from '../../build-log.ts'
import {
  buildManifest,
  buildManifestContent,
  buildManifestId,
  type DescribedReference,
  type DescribedReferences,
  listManifestFields,
} from '../../build-manifest.ts'
import { buildFlatBuffer, type TableDescription } from '../../build-object.ts'
import { matchDamage, matchExcess } from '../../match-damage.ts'
import { listPositions } from './list-positions.ts'

const id = buildManifestId(1)

function decodeBytes(bytes: Uint8Array, limits: Partial<ReaderLimits> = {}): Promise<ManifestChunks> {
  return decodeManifest({ repository: 'memory', key: 'manifests/1', bytes }, id, { ...defaultLimits, ...limits })
}

function decode(arrays: readonly DescribedReferences[], limits: Partial<ReaderLimits> = {}): Promise<ManifestChunks> {
  return decodeBytes(buildManifest(buildManifestContent(arrays)), limits)
}

/** Decodes a manifest with one array. */
function decodeOne(references: readonly DescribedReference[], limits: Partial<ReaderLimits> = {}) {
  return decode([[1, references]], limits)
}

const native = (...index: number[]): DescribedReference => ({ index, length: 10n, chunk: 7 })
const nodeText = (number: number) => Buffer.from(buildNodeId(number)).toString('latin1')

t.test('the positions of an array are bits in the box around them', async (t) => {
  const references = [native(3, 20), native(3, 22), native(4, 21), native(6, 20)]
  const { arrays } = await decodeOne(references)
  t.equal(arrays.length, 1)
  const [array] = arrays
  t.strictSame({ first: array?.first, size: array?.size }, { first: [3, 20], size: [4, 3] })
  // Places 0, 2, 4 and 9 of 12.
  t.strictSame([...(array?.bits ?? [])], [0b0001_0101, 0b10])
  t.strictSame(array && listPositions(array), [
    [3, 20],
    [3, 22],
    [4, 21],
    [6, 20],
  ])
  t.equal(array?.node, nodeText(1))
})

t.test('chunks and bytes are counted by kind', async (t) => {
  const { arrays } = await decodeOne([
    { index: [0], length: 7n, chunk: 3 },
    { index: [1], offset: 100n, length: 20n, chunk: 3 },
    { index: [2], inline: Buffer.alloc(5) },
    { index: [3], inline: Buffer.alloc(0) },
    { index: [4], offset: 2n ** 52n, length: 2n ** 50n, location: 's3://a/b' },
    { index: [5], offset: 1n, length: 3n, compressedLocation: Buffer.alloc(9) },
    { index: [6], length: 1n, location: 's3://a/b', compressedLocation: Buffer.alloc(9) },
  ])
  const [array] = arrays
  t.strictSame(
    [array?.native, array?.inline, array?.virtual],
    [
      { chunks: 2, bytes: 27 },
      { chunks: 2, bytes: 5 },
      { chunks: 3, bytes: 2 ** 50 + 4 },
    ],
  )
})

t.test('one manifest can have several arrays, scalars and arrays without references', async (t) => {
  const { arrays, sizeBytes } = await decode([
    [1, [native()]],
    [2, []],
    [4, [native(2 ** 32 - 1, 0)]],
  ])
  t.strictSame(
    arrays.map(({ node, first, size, bits }) => ({ node, first, size, bits: [...bits] })),
    [
      { node: nodeText(1), first: [], size: [], bits: [1] },
      { node: nodeText(4), first: [2 ** 32 - 1, 0], size: [1, 1], bits: [1] },
    ],
  )
  t.ok(sizeBytes > 2 * 200 && sizeBytes < 2 * 2_000)
  t.strictSame(await decode([]), { arrays: [], sizeBytes: 0 })
})

for (const version of [1, 2])
  t.test(`any positions are found again, in version ${version}`, async () => {
    const dimensions = fc.integer({ min: 0, max: 4 })
    const positions = dimensions.chain((length) => {
      const position = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
      return fc.uniqueArray(position, { minLength: 1, maxLength: 60, selector: String })
    })
    const property = fc.asyncProperty(positions, async (unsorted) => {
      // One digit each, so that texts sort like numbers.
      const sorted = unsorted.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
      const content = buildManifestContent([[1, sorted.map((position) => native(...position))]])
      const { arrays } = await decodeBytes(buildManifest(content, { version, compression: 0 }))
      return JSON.stringify(arrays.map(listPositions)) === JSON.stringify([sorted])
    })
    await checkProperty(2_000, property)
  })

t.test('references that are not in order, or twice, are damage', async (t) => {
  const damage = matchDamage('the references of an array are not in order')
  await t.rejects(decodeOne([native(1), native(0)]), damage)
  await t.rejects(decodeOne([native(0, 1), native(0, 1)]), damage)
  await t.rejects(decodeOne([native(0, 1), native(1, 0), native(0, 2)]), damage)
  await t.rejects(decodeOne([native(), native()]), damage, 'a scalar has one chunk')
  const other = matchDamage('the references of an array have different numbers of dimensions')
  await t.rejects(decodeOne([native(0), native(0, 1)]), other)
})

t.test('arrays that are not in order, or twice, are damage', async (t) => {
  const damage = matchDamage('its arrays are not in order')
  await t.rejects(
    decode([
      [2, [native(0)]],
      [1, [native(0)]],
    ]),
    damage,
  )
  await t.rejects(
    decode([
      [1, [native(0)]],
      [1, [native(1)]],
    ]),
    damage,
  )
  await t.rejects(
    decode([
      [1, []],
      [1, [native(1)]],
    ]),
    damage,
  )
})

t.test('a reference has exactly one kind', async (t) => {
  const damage = matchDamage('a reference does not say clearly where its chunk is')
  const inline = Buffer.from('abc')
  const parts = [{ chunk: 1 }, { inline }, { location: 'a' }, { compressedLocation: inline }]
  await t.rejects(decodeOne([{ index: [0], length: 1n }]), damage)
  for (const part of parts) await t.resolves(decodeOne([{ index: [0], ...part }]))
  await t.rejects(decodeOne([{ index: [0], chunk: 1, inline }]), damage)
  await t.rejects(decodeOne([{ index: [0], chunk: 1, location: 'a' }]), damage)
  await t.rejects(decodeOne([{ index: [0], inline, compressedLocation: inline }]), damage)
  await t.rejects(decodeOne([{ index: [0], inline, location: 'a', chunk: 1 }]), damage)
})

t.test('counts and places beyond 2^53 are damage', async (t) => {
  const damage = matchDamage('a chunk lies beyond 2^53 bytes')
  const chunk = (offset: bigint, length: bigint) => decodeOne([{ index: [0], offset, length, location: 'a' }])
  await t.rejects(chunk(2n ** 62n, 1n), damage)
  await t.rejects(chunk(1n, 2n ** 62n), damage)
  await t.rejects(chunk(2n ** 64n - 1n, 2n ** 64n - 1n), damage)
  await t.rejects(chunk(2n ** 53n - 1n, 1n), damage)
  await t.resolves(chunk(2n ** 53n - 2n, 1n))
  const large = (index: number) => ({ index: [index], length: 2n ** 52n, location: 'a' })
  await t.rejects(decodeOne([large(0), large(1)]), matchDamage('the chunks of an array have more than 2^53 bytes'))
})

t.test('vectors that leave the object are damage', async (t) => {
  const damage = matchDamage('an offset points outside the object')
  const content = buildManifestContent([[1, [{ index: [0x11223344], inline: Buffer.from('in the manifest') }]]])
  const marks = { index: Buffer.from('44332211', 'hex'), inline: Buffer.from('in the manifest') }
  for (const [name, mark] of Object.entries(marks))
    for (const length of [2 ** 32 - 1, 2 ** 30, content.length]) {
      const damaged = Buffer.from(content)
      damaged.writeUInt32LE(length, damaged.indexOf(mark) - 4)
      await t.rejects(decodeBytes(buildManifest(damaged)), damage, `${length} in place of the length of ${name}`)
    }
  const [ownId] = listManifestFields([])
  const withReferences = (vector: TableDescription[number]) =>
    decodeBytes(buildManifest(buildFlatBuffer([ownId, { tables: [[{ struct: buildNodeId(1) }, vector]] }])))
  await t.rejects(withReferences({ blob: Buffer.alloc(50, 255) }), damage, 'fewer references than it says')
})

t.test('chunks inside of a manifest that overlap are damage', async (t) => {
  const inline = [Buffer.from('first'), Buffer.from('second'), Buffer.alloc(2_000, 'x')]
  const content = Buffer.from(
    buildManifestContent([[1, inline.map((bytes, index) => ({ index: [index], inline: bytes }))]]),
  )
  await t.resolves(decodeBytes(buildManifest(content)))
  const positions = inline.map((bytes) => content.indexOf(bytes) - 4)
  const largest = positions[2] ?? 0
  for (const position of positions.slice(0, 2)) {
    const field = content.findIndex((_, at) => at <= position - 4 && at + content.readUInt32LE(at) === position)
    content.writeUInt32LE(largest - field, field)
  }
  await t.rejects(decodeBytes(buildManifest(content)), matchDamage('chunks inside of it overlap'))
})

t.test('what a manifest must have is damage when it is missing', async (t) => {
  const [ownId, arrays] = listManifestFields([[1, [native(0)]]])
  const build = (...fields: TableDescription) => decodeBytes(buildManifest(buildFlatBuffer(fields)))
  await t.resolves(build(ownId, arrays))
  await t.rejects(build(undefined, arrays), matchDamage('it has the id of another manifest'))
  await t.rejects(build(ownId), matchDamage('it has no list of arrays'))
  const lacks = matchDamage('an array lacks its id or its references')
  await t.rejects(build(ownId, { tables: [[undefined, { tables: [] }]] }), lacks)
  await t.rejects(build(ownId, { tables: [[{ struct: buildNodeId(1) }]] }), lacks)
  const noIndex = matchDamage('a reference does not say of which chunk it is')
  await t.rejects(decodeOne([{ index: undefined, length: 1n, chunk: 1 }]), noIndex)
  await t.rejects(decodeOne([native(0), { index: undefined, length: 1n, chunk: 1 }]), noIndex)
})

t.test('an object that is no manifest, or another one, is damage', async (t) => {
  const other = buildManifest(buildManifestContent([], 2))
  await t.rejects(decodeBytes(other), matchDamage('it has the id of another manifest'))
  const content = buildManifestContent([])
  const kind = matchDamage('its header says kind 1, not 2 (manifest)')
  await t.rejects(decodeBytes(buildManifest(content, { kind: 1 })), kind)
  await t.rejects(decodeBytes(buildManifest(content, { version: 3 })), { name: 'UnsupportedFormatError' })
})

t.test('each limit has its name', async (t) => {
  const row = [native(0), native(1), native(9)]
  await t.resolves(decodeOne(row, { maxManifestReferences: 3, maxManifestPositions: 10 }))
  await t.rejects(decodeOne(row, { maxManifestReferences: 2 }), matchExcess('maxManifestReferences'))
  await t.rejects(decodeOne(row, { maxManifestPositions: 9 }), matchExcess('maxManifestPositions'))
  const two = [1, 2].map((node) => [node, row] as const)
  await t.rejects(decode(two, { maxManifestReferences: 5 }), matchExcess('maxManifestReferences'))
  await t.rejects(decode(two, { maxManifestPositions: 19 }), matchExcess('maxManifestPositions'))
  await t.rejects(decode(two, { maxManifestArrays: 1 }), matchExcess('maxManifestArrays'))
  const corners = [native(0, 0), native(2 ** 32 - 1, 2 ** 32 - 1)]
  await t.rejects(decodeOne(corners), matchExcess('maxManifestPositions', /more than 134217728 positions/))
  await t.resolves(decodeOne([native(...Array.from({ length: 64 }, () => 1))]))
  await t.rejects(decodeOne([native(...Array.from({ length: 65 }, () => 1))]), matchExcess('maxChunkDimensions'))
})

t.test('a manifest has a size limit of its own', async (t) => {
  const content = buildManifestContent([[1, [{ index: [0], inline: Buffer.alloc(5_000) }]]])
  for (const compression of [0, 1]) {
    const bytes = buildManifest(content, { compression })
    const excess = matchExcess('maxInflatedManifestBytes', /than 4000 bytes/)
    await t.rejects(decodeBytes(bytes, { maxInflatedManifestBytes: 4_000 }), excess)
    await t.resolves(decodeBytes(bytes, { maxInflatedBytes: 4_000 }))
  }
})

t.test('a cancelled question stops among the references', async (t) => {
  const bytes = buildManifest(buildManifestContent([[1, Array.from({ length: 10_000 }, (_, at) => native(at))]]))
  let checks = 0
  const cancellation = {
    throwIfAborted: () => {
      checks += 1
      if (checks === 3) throw new RangeError('cancelled')
    },
  }
  const file = { repository: 'memory', key: 'manifests/1', bytes }
  await t.rejects(decodeManifest(file, id, defaultLimits, { cancellation }), new RangeError('cancelled'))
  t.equal(checks, 3)
})

t.test('any damage is read or refused', async () => {
  const content = buildManifestContent([
    [1, [native(0, 3), native(2, 1), { index: [2, 2], inline: Buffer.from('inside') }]],
    [3, [{ index: [5], offset: 3n, length: 9n, location: 's3://a/b' }]],
  ])
  const read = (damaged: Uint8Array) => decodeBytes(buildManifest(damaged, { compression: 0 }))
  await checkProperty(10_000, fc.asyncProperty(anyDamage(content), readsOrRefuses(read)))
})
