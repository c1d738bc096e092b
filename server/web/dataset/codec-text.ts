// Codecs and data types as a person writes them: `blosc(zstd, 5, shuffle)`.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@floe/storage/json'
import { type NamedConfiguration } from '@floe/storage/zarr'
import { pythonStr } from '../../xarray/python/text.ts'
import { clipText } from '../page-budget.ts'

/** Parameters of well-known codecs whose values speak for themselves. Other codecs show every parameter by name. */
const tellingParameters: Readonly<Record<string, readonly string[]>> = {
  bytes: ['endian'],
  blosc: ['cname', 'clevel', 'shuffle'],
  crc32c: [],
  gzip: ['level'],
  transpose: ['order'],
  'vlen-bytes': [],
  'vlen-utf8': [],
  zstd: ['level'],
}

const maxTextLength = 200

/** A pipeline in the order in which a writer applies it. */
export function codecsText(codecs: readonly NamedConfiguration[]): string {
  return codecs.map(extensionText).join(' → ')
}

/** One extension point of Zarr with its parameters. */
export function extensionText({ name, configuration }: NamedConfiguration): string {
  if (name === 'sharding_indexed') return `${name}[${codecsText(innerCodecs(configuration))}]`
  const parameters = parameterTexts(name, configuration)
  const text = parameters.length === 0 ? name : `${name}(${parameters.join(', ')})`
  return clipText(text, maxTextLength)
}

function parameterTexts(name: string, configuration: JsonObject): string[] {
  const telling = Object.hasOwn(tellingParameters, name) ? tellingParameters[name] : undefined
  if (!telling) return [...configuration].map(([key, value]) => `${key}=${pythonStr(value)}`)
  return telling.flatMap((key) => {
    const value = configuration.get(key)
    return value === undefined ? [] : [pythonStr(value)]
  })
}

function innerCodecs(configuration: JsonObject): NamedConfiguration[] {
  const codecs = configuration.get('codecs')
  return codecs !== undefined && isJsonArray(codecs) ? codecs.flatMap(namedConfiguration) : []
}

/** The specification lets a codec without configuration stand as its bare name. */
function namedConfiguration(value: JsonValue): NamedConfiguration[] {
  if (typeof value === 'string') return [{ name: value, configuration: new Map() }]
  if (!isJsonObject(value)) return []
  const name = value.get('name')
  const configuration = value.get('configuration')
  if (typeof name !== 'string') return []
  return [
    { name, configuration: configuration !== undefined && isJsonObject(configuration) ? configuration : new Map() },
  ]
}
