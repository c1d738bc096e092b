// The codecs that zarr-python knows. It builds them when it opens an array, before it reads any chunk, so it cannot open an array with a
// codec that it cannot build. Source: `zarr/codecs/`, `__init__` and `from_dict` of each class.
import { JsonNumber, type JsonValue } from '@floe/storage/json'

/** The input and output of a codec. The codecs of a chain come in this order. */
export const places = ['array to array', 'array to bytes', 'bytes to bytes'] as const

/** What zarr-python requires of a codec. */
export type CodecRule = {
  readonly place: (typeof places)[number]
  readonly needsConfiguration?: boolean
  /** Checks of the members of its configuration. Other members are refused. Without this list, every member is accepted. */
  readonly members?: Readonly<Record<string, (value: JsonValue) => boolean>>
  /** The size of its output is known in advance, which the index of a shard needs. */
  readonly isFixedSize?: boolean
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

const ownCodecs: Readonly<Record<string, CodecRule>> = {
  bytes: { place: 'array to bytes', members: { endian: isAmong('little', 'big', null) }, isFixedSize: true },
  'vlen-utf8': { place: 'array to bytes', members: {} },
  'vlen-bytes': { place: 'array to bytes', members: {} },
  transpose: { place: 'array to array', needsConfiguration: true, members: { order: isAnything }, isFixedSize: true },
  scale_offset: { place: 'array to array', members: { offset: isAnything, scale: isAnything }, isFixedSize: true },
  gzip: { place: 'bytes to bytes', needsConfiguration: true, members: { level: isBetween(0, 9) } },
  zstd: {
    place: 'bytes to bytes',
    needsConfiguration: true,
    members: { level: isBetween(-Infinity, 22), checksum: isBoolean },
  },
  blosc: {
    place: 'bytes to bytes',
    needsConfiguration: true,
    members: {
      cname: isAmong('lz4', 'lz4hc', 'blosclz', 'snappy', 'zstd', 'zlib'),
      clevel: isInteger,
      shuffle: isAmong('noshuffle', 'shuffle', 'bitshuffle', null),
      blocksize: isInteger,
      typesize: (value) => value === null || isBetween(1, Infinity)(value),
    },
  },
  sharding_indexed: {
    place: 'array to bytes',
    needsConfiguration: true,
    members: {
      chunk_shape: isAnything,
      codecs: isAnything,
      index_codecs: isAnything,
      index_location: isAmong('start', 'end'),
      subchunk_write_order: isAmong('morton', 'unordered', 'lexicographic', 'colexicographic'),
    },
  },
  crc32c: { place: 'bytes to bytes', isFixedSize: true },
}

const numcodecs = {
  'array to array': ['delta', 'bitround', 'fixedscaleoffset', 'quantize', 'packbits', 'astype'],
  'array to bytes': ['pcodec', 'zfpy'],
  'bytes to bytes': ['blosc', 'lz4', 'zstd', 'zlib', 'gzip', 'bz2', 'lzma', 'shuffle'],
} as const
const checksums = ['crc32', 'crc32c', 'adler32', 'fletcher32', 'jenkins_lookup3']

function* listNumcodecs(): Generator<[string, CodecRule]> {
  for (const place of places) {
    for (const name of numcodecs[place]) yield [`numcodecs.${name}`, { place, needsConfiguration: true }]
  }
  for (const name of checksums) {
    yield [`numcodecs.${name}`, { place: 'bytes to bytes', needsConfiguration: true, isFixedSize: true }]
  }
}

/** By the name in the document. `cast_value` is missing: it needs a package that zarr-python does not install. */
export const codecRules: ReadonlyMap<string, CodecRule> = new Map([...Object.entries(ownCodecs), ...listNumcodecs()])
