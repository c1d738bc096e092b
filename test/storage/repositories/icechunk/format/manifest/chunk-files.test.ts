// The files of virtual chunks in manifests that no official library would write.
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { t } from 'tap'
import {
  type AskedFiles,
  type ChunkFile,
  decodeManifest,
  defaultLimits,
  FirstFiles,
  mergeRanges,
  type ReaderLimits,
} from '../../../../../../storage/repositories/icechunk/index.ts'
import { sortUtf8 } from '../../../../../../storage/repositories/objects/index.ts'
import { checkProperty } from '../../../../../check-property.ts'
import { anyDamage, readsOrRefuses } from '../../any-damage.ts'
import {
  buildManifest,
  buildManifestId,
  type DescribedReference,
  type DescribedReferences,
  listManifestFields,
} from '../../build-manifest.ts'
import { buildFlatBuffer, type TableDescription } from '../../build-object.ts'
import { matchDamage, matchExcess } from '../../match-damage.ts'

const asked: AskedFiles = { containers: [], limit: 100 }

type Options = { readonly files?: Partial<AskedFiles>; readonly limits?: Partial<ReaderLimits> }

async function decodeFiles(bytes: Uint8Array, { files, limits }: Options = {}): Promise<(readonly ChunkFile[])[]> {
  const file = { repository: 'memory', key: 'manifests/1', bytes }
  const options = { files: { ...asked, ...files } }
  const { arrays } = await decodeManifest(file, buildManifestId(1), { ...defaultLimits, ...limits }, options)
  return arrays.map((array) => array.files ?? [])
}

/** Lists the files of the arrays of a manifest with these references and further fields. */
function list(arrays: readonly DescribedReferences[], options: Options = {}, more: TableDescription = []) {
  return decodeFiles(buildManifest(buildFlatBuffer([...listManifestFields(arrays), ...more])), options)
}

const at = (location: string, ...index: number[]): DescribedReference => ({ index, length: 10n, location })
const count = (file: string, chunks: number) => ({ file, chunks, bytes: 10 * chunks, ranges: [], isCut: false })

const dictionary = Buffer.from('s3://open-data/runs/'.repeat(8))
const packed = (text: string | Buffer, ...index: number[]): DescribedReference => ({
  index,
  length: 10n,
  compressedLocation: zstdCompressSync(text, { dictionary }),
})

t.test('the files of each array are counted, and no others', async (t) => {
  const other = { index: [9], length: 10n }
  const arrays: DescribedReferences[] = [
    [1, [at('s3://a/2', 0), at('s3://a/1', 1), at('s3://a/2', 2), { ...other, chunk: 3 }]],
    [2, [{ ...other, inline: Buffer.alloc(3) }]],
    [3, [at('s3://a/1', 0)]],
  ]
  const found = await list(arrays)
  t.strictSame(found, [[count('s3://a/1', 1), count('s3://a/2', 2)], [], [count('s3://a/1', 1)]])
  const file = {
    repository: 'memory',
    key: 'manifests/1',
    bytes: buildManifest(buildFlatBuffer(listManifestFields(arrays))),
  }
  const { arrays: unasked } = await decodeManifest(file, buildManifestId(1))
  t.ok(unasked.every((array) => array.files === undefined))
})

t.test('compressed locations are read with the dictionary, and mixed with others', async (t) => {
  const references = [
    packed('s3://open-data/runs/7.nc', 0),
    at('s3://open-data/runs/7.nc', 1),
    packed('s3://b/größe', 2),
  ]
  const expected = [[count('s3://b/größe', 1), count('s3://open-data/runs/7.nc', 2)]]
  t.strictSame(await list([[1, references]], {}, [{ blob: dictionary }]), expected)
  t.strictSame(await list([[1, references]], {}, [{ blob: dictionary }, { u8: 1 }]), expected)
  const plain = { index: [0], length: 10n, compressedLocation: zstdCompressSync('s3://a/b') }
  t.strictSame(await list([[1, [plain]]]), [[count('s3://a/b', 1)]], 'without a dictionary')
})

t.test('locations that cannot be decompressed are damage', async (t) => {
  const broken = matchDamage('the compressed location of a chunk is broken')
  const one = (reference: DescribedReference, more: TableDescription = [{ blob: dictionary }]) =>
    list([[1, [reference]]], {}, more)
  await t.rejects(one({ index: [0], compressedLocation: Buffer.from('s3://a/b') }), broken)
  const cut = packed('s3://open-data/runs/7.nc', 0)
  await t.rejects(
    one({ ...cut, compressedLocation: cut.compressedLocation?.subarray(0, -1) ?? Buffer.alloc(0) }),
    broken,
  )
  await t.rejects(one(packed(Buffer.alloc(10_000_000), 0)), broken, 'a bomb')
  await t.rejects(one(packed('s3://open-data/runs/7.nc', 0), []), broken, 'its dictionary is missing')
  const unknown = matchDamage('its locations are compressed in an unknown way')
  await t.rejects(one(packed('s3://a/b', 0), [{ blob: dictionary }, { u8: 2 }]), unknown)
  await t.resolves(one(at('s3://a/b', 0), [{ blob: dictionary }, { u8: 2 }]), 'no location is compressed')
})

t.test('each limit has its name', async (t) => {
  const exceed = (
    references: readonly DescribedReference[],
    limits: Partial<ReaderLimits>,
    more: TableDescription = [],
  ) => list([[1, references]], { limits }, more)
  await t.rejects(exceed([at('s3://bucket', 0)], { maxLocationBytes: 10 }), matchExcess('maxLocationBytes'))
  await t.resolves(exceed([at('s3://bucket', 0)], { maxLocationBytes: 11 }))
  const large = [{ blob: Buffer.alloc(11) }]
  await t.rejects(exceed([], { maxLocationDictionaryBytes: 10 }, large), matchExcess('maxLocationDictionaryBytes'))
  const three = ['s3://a', 's3://b', 's3://a'].map((text, index) => packed(text, index))
  const most = matchExcess('maxCompressedLocations')
  await t.rejects(exceed(three, { maxCompressedLocations: 1 }, [{ blob: dictionary }]), most)
  await t.resolves(exceed(three, { maxCompressedLocations: 2 }, [{ blob: dictionary }]), 'equal ones count once')
  const files = ['s3://a', 's3://b'].map((text, index) => at(text, index))
  await t.rejects(exceed(files, { maxManifestFileBytes: 211 }), matchExcess('maxManifestFileBytes'))
  await t.resolves(exceed(files, { maxManifestFileBytes: 212 }))
})

t.test('a cancelled question stops among the locations', async (t) => {
  const bytes = buildManifest(
    buildFlatBuffer(
      listManifestFields([[1, Array.from({ length: 10_000 }, (_, index) => at(`s3://${index}`, index))]]),
    ),
  )
  let checks = 0
  const cancellation = {
    throwIfAborted: () => {
      checks += 1
      if (checks === 2) throw new RangeError('cancelled')
    },
  }
  const file = { repository: 'memory', key: 'manifests/1', bytes }
  const decoding = decodeManifest(file, buildManifestId(1), defaultLimits, { cancellation, files: asked })
  await t.rejects(decoding, new RangeError('cancelled'))
})

t.test('the first files are those of a sorted list', async () => {
  const file = fc.string({ unit: fc.constantFrom('a', 'b', '\u{ffff}', '\u{10000}'), maxLength: 3 })
  const cases = fc.tuple(
    fc.array(file, { maxLength: 60 }),
    fc.integer({ min: 1, max: 5 }),
    fc.option(file, { nil: undefined }),
  )
  const property = fc.property(cases, ([files, limit, after]) => {
    const first = new FirstFiles<{ chunks: number }>(limit, after)
    for (const name of files) {
      const found = first.find(name, () => ({ chunks: 0 }))
      if (found !== undefined) found.chunks++
    }
    const sorted = sortUtf8([...new Set(files)])
    const later =
      after === undefined
        ? sorted
        : sorted.slice(sortUtf8([...new Set([...files, after])]).indexOf(after) + (sorted.includes(after) ? 1 : 0))
    const expected = later.slice(0, limit).map((name) => [name, { chunks: files.filter((one) => one === name).length }])
    return JSON.stringify(first.list()) === JSON.stringify(expected)
  })
  await checkProperty(5_000, property)
})

t.test('the ranges of a file are the positions of its chunks, each once', async () => {
  const grid = [3, 4, 5]
  const places = Array.from({ length: 60 }, (_, place) => [
    Math.floor(place / 20),
    Math.floor(place / 5) % 4,
    place % 5,
  ])
  const property = fc.asyncProperty(fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), async (isInFile) => {
    const references = places.map((index, place) => at(isInFile[place] ? 's3://a' : 's3://b', ...index))
    const [[file] = []] = await list([[1, references]], { files: { file: 's3://a' } })
    const ranges = mergeRanges(file?.ranges ?? [])
    const covered = ranges.flatMap(({ first, last }) =>
      places.filter((place) =>
        place.every((position, axis) => position >= (first[axis] ?? 9) && position <= (last[axis] ?? 0)),
      ),
    )
    const expected = places.filter((_, place) => isInFile[place])
    return JSON.stringify(covered.map(String).sort()) === JSON.stringify(expected.map(String).sort())
  })
  await checkProperty(1_000, property)
  const all = places.map((index) => at('s3://a', ...index))
  const [[file] = []] = await list([[1, all]], { files: { file: 's3://a' } })
  const whole = [{ first: [0, 0, 0], last: grid.map((size) => size - 1) }]
  t.strictSame(mergeRanges(file?.ranges ?? []), whole, 'a full grid is one range')
})

t.test('a file with too many ranges is cut, and its chunks are all counted', async (t) => {
  const references = Array.from({ length: 10_002 }, (_, index) => at('s3://a', 2 * index))
  const [[file] = []] = await list([[1, references]], { files: { file: 's3://a' } })
  t.match(file, { chunks: 10_002, isCut: true, ranges: { length: 10_000 } })
})

t.test('any damage is read or refused', async () => {
  const arrays: DescribedReferences[] = [
    [1, [packed('s3://open-data/runs/7.nc', 0, 3), at('vcc://a/b', 1, 1), packed('s3://open-data/runs/8.nc', 2, 2)]],
  ]
  const content = buildFlatBuffer([...listManifestFields(arrays), { blob: dictionary }, { u8: 1 }])
  const read = (damaged: Uint8Array) =>
    decodeFiles(buildManifest(damaged, { compression: 0 }), { files: { file: 's3://a' } })
  await checkProperty(5_000, fc.asyncProperty(anyDamage(content), readsOrRefuses(read)))
})
