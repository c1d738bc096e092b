// The codecs that zarr-python can put together for an array. It builds them on opening, before any chunk is read.
// Source: `zarr/codecs/`, `from_dict` and `validate` of each class; `zarr/core/codec_pipeline.py` `codecs_from_list`.
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/zarr'
import type { NumpyType } from './dataset.ts'
import { isScalarOf } from './scalar-rules.ts'

/** What the codecs of an array have to fit. */
export type CodecSubject = { readonly type: NumpyType; readonly chunkShape: readonly bigint[] }

type Place = 'array to array' | 'array to bytes' | 'bytes to bytes'

type CodecRule = {
  readonly place: Place
  readonly needsConfiguration?: true
  /** The members that its configuration may have, and what they may be. */
  readonly members: Readonly<Record<string, (value: JsonValue, subject: CodecSubject) => boolean>>
  /** Members of any name and value. */
  readonly isOpen?: true
  readonly isFixedSize?: true
  readonly check?: (configuration: JsonObject, subject: CodecSubject) => string | undefined
}

const oneOf = (...values: readonly (string | null)[]) => (value: JsonValue) => values.some((known) => known === value)
const isInteger = (value: JsonValue): value is JsonNumber => value instanceof JsonNumber && value.isInteger
const isBetween = (low: number, high: number) => (value: JsonValue) =>
  isInteger(value) && value.value >= low && value.value <= high
const isAnything = () => true

const rules: ReadonlyMap<string, CodecRule> = new Map<string, CodecRule>([
  [
    'bytes',
    { place: 'array to bytes', members: { endian: oneOf('little', 'big', null) }, isFixedSize: true, check: needsEndian },
  ],
  ['vlen-utf8', { place: 'array to bytes', members: {} }],
  ['vlen-bytes', { place: 'array to bytes', members: {} }],
  [
    'sharding_indexed',
    {
      place: 'array to bytes',
      needsConfiguration: true,
      members: {
        chunk_shape: isAnything,
        codecs: isAnything,
        index_codecs: isAnything,
        index_location: oneOf('start', 'end'),
        subchunk_write_order: oneOf('morton', 'unordered', 'lexicographic', 'colexicographic'),
      },
      check: checkShards,
    },
  ],
  ['transpose', { place: 'array to array', needsConfiguration: true, members: { order: isAnything }, isFixedSize: true, check: checkOrder }],
  ['scale_offset', { place: 'array to array', members: { offset: isAnything, scale: isAnything }, isFixedSize: true, check: checkScale }],
  ['crc32c', { place: 'bytes to bytes', members: {}, isOpen: true, isFixedSize: true }],
  ['gzip', { place: 'bytes to bytes', needsConfiguration: true, members: { level: isBetween(0, 9) } }],
  [
    'zstd',
    {
      place: 'bytes to bytes',
      needsConfiguration: true,
      members: { level: isBetween(-Infinity, 22), checksum: (value) => typeof value === 'boolean' },
    },
  ],
])
