// Checks whether zarr-python can build the codecs of an array. Readers can install codecs that it does not have: such a
// codec is accepted, and what depends on it is not checked.
// Source: `zarr/core/metadata/v3.py` `parse_codecs`, `validate_codecs`; `zarr/core/codec_pipeline.py`
// `codecs_from_list`.
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '@floe/storage/json'
import { type CodecRule, codecRules, retiredName, stages } from './codec-rules.ts'
import type { NumpyType } from '../data-types.ts'
import { parseDataType } from './parse-data-type.ts'
import { isScalar } from './scalar-rules.ts'

/**
 * What a codec must fit: an array, or a shard, whose chunks have codecs of their own. What follows an unknown codec has
 * an unknown type, and an unknown number of dimensions.
 */
type Subject = {
  readonly type: NumpyType | undefined
  /** The different sizes of its chunks in each dimension; undefined if they are unknown. */
  readonly chunkSizes: readonly (readonly bigint[])[] | undefined
}
/** `rule` is undefined for a codec that zarr-python does not have. */
type Codec = { readonly name: string; readonly rule: CodecRule | undefined; readonly configuration: JsonObject }

/** Explains why zarr-python cannot build the codecs; undefined if it can. */
export function checkCodecs(stored: JsonValue | undefined, subject: Subject): string | undefined {
  const codecs = readCodecs(stored)
  if (typeof codecs === 'string') return codecs
  let current = subject
  for (const codec of codecs) {
    const reason = checkFit(codec, current)
    if (reason !== undefined) return `codec ${codec.name}: ${reason}`
    current = apply(codec, current)
  }
  return checkChain(codecs, subject.type)
}

/** What the next codec must fit. */
function apply({ name, rule, configuration }: Codec, subject: Subject): Subject {
  if (rule === undefined) return { type: undefined, chunkSizes: undefined }
  return name === 'cast_value' ? { ...subject, type: parseDataType(configuration.get('data_type')) } : subject
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
  if (name === retiredName) return `codec ${name} has been renamed to bytes`
  const rule = codecRules.get(name)
  const configuration = stored.get('configuration')
  if (configuration === undefined && rule?.needsConfiguration !== true) return { name, rule, configuration: new Map() }
  if (!isJsonObject(configuration)) return `codec ${name} has no configuration`
  const members = rule?.members
  if (members === undefined) return { name, rule, configuration }
  const refused = [...configuration].find(
    ([member, value]) => !Object.hasOwn(members, member) || members[member]?.(value) !== true,
  )
  return refused === undefined ? { name, rule, configuration } : `codec ${name} cannot have this "${refused[0]}"`
}

function checkFit({ name, configuration }: Codec, subject: Subject): string | undefined {
  const { type } = subject
  switch (name) {
    case 'bytes':
      return type && checkEndian(configuration, type)
    case 'transpose':
      return subject.chunkSizes && checkOrder(configuration, subject.chunkSizes.length)
    case 'scale_offset':
      return type && checkScaleOffset(configuration, type)
    case 'cast_value':
      return checkCast(configuration, type)
    case 'sharding_indexed':
      return checkShards(configuration, subject)
    case 'numcodecs.packbits':
      return type === undefined || type.kind === 'b' ? undefined : 'only booleans can be packed'
    default:
      return undefined
  }
}

/** An unknown codec can stand at each stage that its neighbours allow. */
function checkChain(codecs: readonly Codec[], type: NumpyType | undefined): string | undefined {
  const known = codecs.flatMap(({ rule }) => rule?.stage ?? []).map((stage) => stages.indexOf(stage))
  if (known.some((stage, index) => stage < (known[index - 1] ?? 0))) return 'its codecs are in a wrong order'
  const lastOnArrays = codecs.findLastIndex(({ rule }) => rule?.stage === 'array to array')
  const firstOnBytes = codecs.findIndex(({ rule }) => rule?.stage === 'bytes to bytes')
  const between = codecs.slice(lastOnArrays + 1, firstOnBytes === -1 ? undefined : firstOnBytes)
  const serializers = between.filter(({ rule }) => rule !== undefined)
  if (between.length === 0 || serializers.length > 1) {
    return 'not exactly one of its codecs turns an array into bytes'
  }
  const [serializer] = serializers
  if (type?.kind !== 'T' || serializer?.name === 'vlen-utf8' || serializer?.name === 'sharding_indexed')
    return undefined
  return 'strings need the codec vlen-utf8'
}

/** Source: `zarr/codecs/bytes.py` `BytesCodec.evolve_from_array_spec`. */
function checkEndian(configuration: JsonObject, type: NumpyType): string | undefined {
  const hasByteOrder = ['i', 'u', 'f', 'c', 'M', 'm', 'U'].includes(type.kind) && type.itemBytes > 1
  return hasByteOrder && (configuration.get('endian') ?? null) === null
    ? 'values of several bytes need "endian"'
    : undefined
}

/** Source: `zarr/codecs/transpose.py` `TransposeCodec.validate`. */
function checkOrder(configuration: JsonObject, rank: number): string | undefined {
  const order = configuration.get('order')
  const axes = new Set(isJsonArray(order) ? order.map((axis) => (axis instanceof JsonNumber ? axis.text : '')) : [])
  const isComplete = isJsonArray(order) && order.length === rank && axes.size === rank
  const isNamed = isComplete && Array.from({ length: rank }, (_, axis) => String(axis)).every((axis) => axes.has(axis))
  return isNamed || (rank === 0 && axes.size === 0) ? undefined : '"order" does not name every dimension once'
}

/** Source: `zarr/codecs/scale_offset.py` `ScaleOffset.validate`. */
function checkScaleOffset(configuration: JsonObject, type: NumpyType): string | undefined {
  if (!['i', 'u', 'f'].includes(type.kind)) return 'only integers and floats can be scaled'
  const scale = configuration.get('scale') ?? new JsonNumber('1')
  const offset = configuration.get('offset') ?? new JsonNumber('0')
  if (!isScalar(type, scale) || !isScalar(type, offset)) return `"scale" or "offset" is no ${type.name}`
  return scale instanceof JsonNumber && scale.value === 0 ? '"scale" is 0' : undefined
}

/**
 * Whether the type can be cast; whether the fill value can be, is not checked. Source: `zarr/codecs/cast_value.py`
 * `CastValue.validate`.
 */
function checkCast(configuration: JsonObject, type: NumpyType | undefined): string | undefined {
  const isNumber = (kind: string | undefined) => kind !== undefined && ['i', 'u', 'f'].includes(kind)
  const target = configuration.get('data_type')
  const kind = typeof target === 'string' ? parseDataType(target)?.kind : undefined
  if (!isNumber(kind) || (type !== undefined && !isNumber(type.kind))) return 'only integers and floats can be cast'
  return configuration.get('out_of_range') === 'wrap' && kind === 'f' ? 'floats cannot wrap' : undefined
}

/** Source: `zarr/codecs/sharding.py` `ShardingCodec.__init__`, `validate`, `_validate_inner_codecs`. */
function checkShards(configuration: JsonObject, { type, chunkSizes }: Subject): string | undefined {
  const innerShape = readInnerShape(configuration.get('chunk_shape'))
  if (chunkSizes !== undefined && innerShape.length !== chunkSizes.length) {
    return 'its chunks have another number of dimensions than the array'
  }
  const isDivided = innerShape.every(
    (inner, axis) => inner > 0n && (chunkSizes?.[axis] ?? []).every((size) => size % inner === 0n),
  )
  if (!isDivided) return 'a shard does not contain a whole number of its chunks'
  const indexCodecs = configuration.has('index_codecs') ? readCodecs(configuration.get('index_codecs')) : []
  if (typeof indexCodecs === 'string') return indexCodecs
  if (indexCodecs.some(({ rule }) => rule !== undefined && rule.isFixedSize !== true)) {
    return 'its index has no fixed size'
  }
  if (!configuration.has('codecs')) return undefined
  return checkCodecs(configuration.get('codecs'), { type, chunkSizes: innerShape.map((size) => [size]) })
}

/** Reads sizes. A value that is not a size, or has more than 64 bits, becomes 0, which divides nothing. */
function readInnerShape(stored: JsonValue | undefined): readonly bigint[] {
  if (!isJsonArray(stored)) return []
  return stored.map((size) => (size instanceof JsonNumber && /^[0-9]{1,20}$/.test(size.text) ? BigInt(size.text) : 0n))
}
