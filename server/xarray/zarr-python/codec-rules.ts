// The codecs that zarr-python knows. It builds them when it opens an array, before it reads any chunk, so it cannot open an array with a
// codec that it cannot build. Source: `zarr/codecs/`, `__init__` and `from_dict` of each class.
import { JsonNumber, type JsonValue } from '@floe/storage/json'

/** What zarr-python requires of a codec. */
export type CodecRule = {
  /** What the codec converts to what. The codecs of a chain come in this order. */
  readonly place: 'array to array' | 'array to bytes' | 'bytes to bytes'
  readonly needsConfiguration?: true
  /** Checks of the members of its configuration. Other members are refused. Without this list, every member is accepted. */
  readonly members?: ReadonlyMap<string, (value: JsonValue) => boolean>
  /** The size of its output is known in advance, which the index of a shard needs. */
  readonly isFixedSize?: true
}

const isAnything = () => true
const isInteger = (value: JsonValue) => value instanceof JsonNumber && value.isInteger
const isBoolean = (value: JsonValue) => typeof value === 'boolean'

function isBetween(low: number, high: number) {
  return (value: JsonValue) =>
    value instanceof JsonNumber && value.isInteger && value.value >= low && value.value <= high
}

function isAmong(...known: readonly JsonValue[]) {
  return (value: JsonValue) => known.includes(value)
}

const blosc: CodecRule = {
  place: 'bytes to bytes',
  needsConfiguration: true,
  members: new Map([
    ['cname', isAmong('lz4', 'lz4hc', 'blosclz', 'snappy', 'zstd', 'zlib')],
    ['clevel', isInteger],
    ['shuffle', isAmong('noshuffle', 'shuffle', 'bitshuffle', null)],
    ['blocksize', isInteger],
    ['typesize', (value) => value === null || isBetween(1, Infinity)(value)],
  ]),
}

const sharding: CodecRule = {
  place: 'array to bytes',
  needsConfiguration: true,
  members: new Map([
    ['chunk_shape', isAnything],
    ['codecs', isAnything],
    ['index_codecs', isAnything],
    ['index_location', isAmong('start', 'end')],
    ['subchunk_write_order', isAmong('morton', 'unordered', 'lexicographic', 'colexicographic')],
  ]),
}

const numcodecs = {
  'array to array': ['delta', 'bitround', 'fixedscaleoffset', 'quantize', 'packbits', 'astype'],
  'array to bytes': ['pcodec', 'zfpy'],
  'bytes to bytes': ['blosc', 'lz4', 'zstd', 'zlib', 'gzip', 'bz2', 'lzma', 'shuffle'],
} as const
const checksums = ['crc32', 'crc32c', 'adler32', 'fletcher32', 'jenkins_lookup3']

function* listNumcodecs(): Generator<[string, CodecRule]> {
  for (const place of ['array to array', 'array to bytes', 'bytes to bytes'] as const) {
    for (const name of numcodecs[place]) yield [`numcodecs.${name}`, { place, needsConfiguration: true }]
  }
  for (const name of checksums) {
    yield [`numcodecs.${name}`, { place: 'bytes to bytes', needsConfiguration: true, isFixedSize: true }]
  }
}

const bytes: CodecRule = {
  place: 'array to bytes',
  members: new Map([['endian', isAmong('little', 'big', null)]]),
  isFixedSize: true,
}

const transpose: CodecRule = {
  place: 'array to array',
  needsConfiguration: true,
  members: new Map([['order', isAnything]]),
  isFixedSize: true,
}

const scaleOffset: CodecRule = {
  place: 'array to array',
  members: new Map([
    ['offset', isAnything],
    ['scale', isAnything],
  ]),
  isFixedSize: true,
}

const gzip: CodecRule = {
  place: 'bytes to bytes',
  needsConfiguration: true,
  members: new Map([['level', isBetween(0, 9)]]),
}

const zstd: CodecRule = {
  place: 'bytes to bytes',
  needsConfiguration: true,
  members: new Map([
    ['level', isBetween(-Infinity, 22)],
    ['checksum', isBoolean],
  ]),
}

/** By the name in the document. `cast_value` is missing: it needs a package that zarr-python does not install. */
export const codecRules: ReadonlyMap<string, CodecRule> = new Map<string, CodecRule>([
  ['bytes', bytes],
  ['vlen-utf8', { place: 'array to bytes', members: new Map() }],
  ['vlen-bytes', { place: 'array to bytes', members: new Map() }],
  ['sharding_indexed', sharding],
  ['transpose', transpose],
  ['scale_offset', scaleOffset],
  ['blosc', blosc],
  ['gzip', gzip],
  ['zstd', zstd],
  ['crc32c', { place: 'bytes to bytes', isFixedSize: true }],
  ...listNumcodecs(),
])
