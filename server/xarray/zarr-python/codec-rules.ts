// The codecs that zarr-python has. It builds the codecs of an array when it opens the array, before it reads any
// chunk, so it cannot open an array with a codec that it cannot build. Source: `zarr/codecs/`, `__init__` and
// `from_dict` of each class.
import { JsonNumber, type JsonValue } from '@floe/storage/json'

/** The input and output of a codec. The codecs of an array come in this order. */
export const stages = ['array to array', 'array to bytes', 'bytes to bytes'] as const

/** What zarr-python requires of a codec. */
export type CodecRule = {
  readonly stage: (typeof stages)[number]
  readonly needsConfiguration?: boolean
  /** Checks of the members of the configuration, which has no others. Without `members`, it can have any. */
  readonly members?: Readonly<Record<string, (value: JsonValue) => boolean>>
  /** Whether the size of its output is known in advance. The codecs of a shard's index need this. */
  readonly isFixedSize?: boolean
}

const isAnything = () => true
const isInteger = (value: JsonValue) => value instanceof JsonNumber && value.isInteger
const isBoolean = (value: JsonValue) => typeof value === 'boolean'

function isBetween(low: number, high: number) {
  return (value: JsonValue) =>
    value instanceof JsonNumber && value.isInteger && value.value >= low && value.value <= high
}

function isAmong(...allowed: readonly JsonValue[]) {
  return (value: JsonValue) => allowed.includes(value)
}

const zarrCodecs: Readonly<Record<string, CodecRule>> = {
  bytes: { stage: 'array to bytes', members: { endian: isAmong('little', 'big', null) }, isFixedSize: true },
  'vlen-utf8': { stage: 'array to bytes', members: {} },
  'vlen-bytes': { stage: 'array to bytes', members: {} },
  transpose: { stage: 'array to array', needsConfiguration: true, members: { order: isAnything }, isFixedSize: true },
  scale_offset: { stage: 'array to array', members: { offset: isAnything, scale: isAnything }, isFixedSize: true },
  gzip: { stage: 'bytes to bytes', needsConfiguration: true, members: { level: isBetween(0, 9) } },
  zstd: {
    stage: 'bytes to bytes',
    needsConfiguration: true,
    members: { level: isBetween(-Infinity, 22), checksum: isBoolean },
  },
  blosc: {
    stage: 'bytes to bytes',
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
    stage: 'array to bytes',
    needsConfiguration: true,
    members: {
      chunk_shape: isAnything,
      codecs: isAnything,
      index_codecs: isAnything,
      index_location: isAmong('start', 'end'),
      subchunk_write_order: isAmong('morton', 'unordered', 'lexicographic', 'colexicographic'),
    },
  },
  crc32c: { stage: 'bytes to bytes', isFixedSize: true },
  cast_value: {
    stage: 'array to array',
    needsConfiguration: true,
    members: {
      data_type: isAnything,
      rounding: isAmong('nearest-even', 'towards-zero', 'towards-positive', 'towards-negative', 'nearest-away'),
      out_of_range: isAmong('clamp', 'wrap', null),
      scalar_map: isAnything,
    },
    isFixedSize: true,
  },
}

/** zarr-python finds `bytes` by this older name too, and then refuses the name. */
export const retiredName = 'endian'

const numcodecs = {
  'array to array': ['delta', 'bitround', 'fixedscaleoffset', 'quantize', 'packbits', 'astype'],
  'array to bytes': ['pcodec', 'zfpy'],
  'bytes to bytes': ['blosc', 'lz4', 'zstd', 'zlib', 'gzip', 'bz2', 'lzma', 'shuffle'],
} as const
const checksums = ['crc32', 'crc32c', 'adler32', 'fletcher32', 'jenkins_lookup3']

function* listNumcodecs(): Generator<[string, CodecRule]> {
  for (const stage of stages) {
    for (const name of numcodecs[stage]) yield [`numcodecs.${name}`, { stage, needsConfiguration: true }]
  }
  for (const name of checksums) {
    yield [`numcodecs.${name}`, { stage: 'bytes to bytes', needsConfiguration: true, isFixedSize: true }]
  }
}

/** By the name in the document. */
export const codecRules: ReadonlyMap<string, CodecRule> = new Map([...Object.entries(zarrCodecs), ...listNumcodecs()])
