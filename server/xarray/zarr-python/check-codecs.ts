// Checks whether zarr-python can build the codecs of an array.
// Source: `zarr/core/metadata/v3.py` `parse_codecs`, `validate_codecs`; `zarr/core/codec_pipeline.py` `codecs_from_list`.
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import { type CodecRule, codecRules, places } from './codec-rules.ts'
import type { NumpyType } from '../data-types.ts'
import { isScalar } from './scalar-rules.ts'

/** The array, or the chunk inside a shard, that the codecs must fit. */
type Subject = { readonly type: NumpyType; readonly chunkShape: readonly bigint[] }
type Codec = { readonly name: string; readonly rule: CodecRule; readonly configuration: JsonObject }

export function checkCodecs(stored: JsonValue | undefined, subject: Subject): string | undefined {
  const codecs = readCodecs(stored)
  if (typeof codecs === 'string') return codecs
  for (const codec of codecs) {
    const reason = checkFit(codec, subject)
    if (reason !== undefined) return `codec ${codec.name}: ${reason}`
  }
  return checkChain(codecs, subject.type)
}

function readCodecs(stored: JsonValue | undefined): readonly Codec[] | string {
  if (!isJsonArray(stored)) return 'its codecs are not a list'
  const codecs: Codec[] = []
  for (const item of stored) {
    const codec = readCodec(item)
    if (typeof codec === 'string') return codec
    codecs.push(codec)
  }
  return codecs
}

function readCodec(stored: JsonValue): Codec | string {
  const name = isJsonObject(stored) ? stored.get('name') : undefined
  if (!isJsonObject(stored) || typeof name !== 'string') return 'a codec is not an object with a name'
  const rule = codecRules.get(name)
  if (rule === undefined) return `zarr-python has no codec ${name}`
  const configuration = stored.get('configuration')
  if (configuration === undefined && rule.needsConfiguration !== true) return { name, rule, configuration: new Map() }
  if (!isJsonObject(configuration)) return `codec ${name} has no configuration`
  const { members } = rule
  if (members === undefined) return { name, rule, configuration }
  const refused = [...configuration].find(
    ([member, value]) => !Object.hasOwn(members, member) || members[member]?.(value) !== true,
  )
  return refused === undefined ? { name, rule, configuration } : `codec ${name} cannot have this "${refused[0]}"`
}

function checkFit({ name, configuration }: Codec, subject: Subject): string | undefined {
  switch (name) {
    case 'bytes':
      return checkEndian(configuration, subject)
    case 'transpose':
      return checkOrder(configuration, subject)
    case 'scale_offset':
      return checkScaleOffset(configuration, subject)
    case 'sharding_indexed':
      return checkShards(configuration, subject)
    case 'numcodecs.packbits':
      return subject.type.kind === 'b' ? undefined : 'only booleans can be packed'
    default:
      return undefined
  }
}

function checkChain(codecs: readonly Codec[], type: NumpyType): string | undefined {
  const order = codecs.map(({ rule }) => places.indexOf(rule.place))
  if (order.some((place, index) => place < (order[index - 1] ?? 0))) return 'its codecs are in a wrong order'
  const serializers = codecs.filter(({ rule }) => rule.place === 'array to bytes')
  if (serializers.length !== 1) return 'not exactly one of its codecs turns an array into bytes'
  const [serializer] = serializers
  if (type.kind !== 'T' || serializer?.name === 'vlen-utf8' || serializer?.name === 'sharding_indexed') return undefined
  return 'strings need the codec vlen-utf8'
}

/** Source: `zarr/codecs/bytes.py` `BytesCodec.evolve_from_array_spec`. */
function checkEndian(configuration: JsonObject, { type }: Subject): string | undefined {
  const hasByteOrder = ['i', 'u', 'f', 'c', 'M', 'm', 'U'].includes(type.kind) && type.itemBytes > 1
  return hasByteOrder && (configuration.get('endian') ?? null) === null
    ? 'values of several bytes need "endian"'
    : undefined
}

/** Source: `zarr/codecs/transpose.py` `TransposeCodec.validate`. */
function checkOrder(configuration: JsonObject, { chunkShape }: Subject): string | undefined {
  const order = configuration.get('order')
  const axes = new Set(isJsonArray(order) ? order.map((axis) => (axis instanceof JsonNumber ? axis.text : '')) : [])
  const isComplete = isJsonArray(order) && order.length === chunkShape.length && axes.size === chunkShape.length
  const isNamed = isComplete && chunkShape.every((_, axis) => axes.has(String(axis)))
  return isNamed || (chunkShape.length === 0 && axes.size === 0)
    ? undefined
    : '"order" does not name every dimension once'
}

/** Source: `zarr/codecs/scale_offset.py` `ScaleOffset.validate`. */
function checkScaleOffset(configuration: JsonObject, { type }: Subject): string | undefined {
  if (!['i', 'u', 'f'].includes(type.kind)) return 'only integers and floats can be scaled'
  const scale = configuration.get('scale') ?? new JsonNumber('1')
  const offset = configuration.get('offset') ?? new JsonNumber('0')
  if (!isScalar(type, scale) || !isScalar(type, offset)) return `"scale" or "offset" is no ${type.name}`
  return scale instanceof JsonNumber && scale.value === 0 ? '"scale" is 0' : undefined
}

/** Source: `zarr/codecs/sharding.py` `ShardingCodec.__init__`, `validate`, `_validate_inner_codecs`. */
function checkShards(configuration: JsonObject, { type, chunkShape }: Subject): string | undefined {
  const innerShape = readInnerShape(configuration.get('chunk_shape'))
  if (innerShape.length !== chunkShape.length) return 'its chunks have another number of dimensions than the array'
  const isDivided = innerShape.every((size, index) => size > 0n && (chunkShape[index] ?? 0n) % size === 0n)
  if (!isDivided) return 'a shard does not hold a whole number of its chunks'
  const indexCodecs = configuration.has('index_codecs') ? readCodecs(configuration.get('index_codecs')) : []
  if (typeof indexCodecs === 'string') return indexCodecs
  if (indexCodecs.some(({ rule }) => rule.isFixedSize !== true)) return 'its index has no fixed size'
  if (!configuration.has('codecs')) return undefined
  return checkCodecs(configuration.get('codecs'), { type, chunkShape: innerShape })
}

/** Reads sizes. A value that is not a size, or has more than 64 bits, becomes 0, which divides nothing. */
function readInnerShape(stored: JsonValue | undefined): readonly bigint[] {
  if (!isJsonArray(stored)) return []
  return stored.map((size) => (size instanceof JsonNumber && /^[0-9]{1,20}$/.test(size.text) ? BigInt(size.text) : 0n))
}
