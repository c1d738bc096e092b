// Reads the structure of an array from its `zarr.json`. Accepts what only some readers refuse, such as unknown codecs,
// or extensions that a reader must understand, so that such arrays can still be described.
import type { ArrayMetadata, NamedConfiguration } from './array-metadata.ts'
import type { DocumentAllowance } from '../json/document-allowance.ts'
import { MissingMemberError, parseDocument, readAttributes, readShape, ZarrDocumentError } from './document.ts'
import type { JsonText } from '../json/json-text.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'

export function parseArrayText(text: JsonText, allowance: DocumentAllowance): ArrayMetadata {
  const document = parseDocument(text, 'array', allowance)
  if (!document.has('data_type')) throw new MissingMemberError('data_type')
  const chunkGrid = readNamed(document.get('chunk_grid'), 'chunk_grid')
  const codecs = readCodecs(document.get('codecs'))
  const gridShape = readGridShape(chunkGrid)
  const innerShape = readInnerShape(codecs)
  return {
    shape: readShape(document.get('shape'), 'shape'),
    dataType: readNamed(document.get('data_type'), 'data_type'),
    dimensionNames: readDimensionNames(document.get('dimension_names')),
    attributes: readAttributes(document),
    chunkShape: innerShape ?? gridShape,
    shardShape: innerShape === null ? null : gridShape,
    codecs,
    chunkGrid,
    fillValue: document.get('fill_value') ?? null,
    document,
  }
}

/** Reads `{ "name": ... }`, or a plain name, which the specification allows when there is no configuration. */
function readNamed(value: JsonValue | undefined, member: string): NamedConfiguration {
  if (typeof value === 'string') return { name: value, configuration: new Map() }
  const name = isJsonObject(value) ? value.get('name') : undefined
  if (!isJsonObject(value) || typeof name !== 'string') throw new ZarrDocumentError(`"${member}" has no name`)
  const configuration = value.get('configuration')
  return { name, configuration: isJsonObject(configuration) ? configuration : new Map() }
}

function readCodecs(codecs: JsonValue | undefined): readonly NamedConfiguration[] {
  if (codecs === undefined) return []
  if (!isJsonArray(codecs)) throw new ZarrDocumentError('"codecs" is not a list')
  return codecs.map((codec) => readNamed(codec, 'codecs'))
}

function readDimensionNames(names: JsonValue | undefined): readonly (string | null)[] | null {
  if (names === undefined || names === null) return null
  if (!isJsonArray(names)) throw new ZarrDocumentError('"dimension_names" is not a list')
  return names.map((name) => {
    if (name === null || typeof name === 'string') return name
    throw new ZarrDocumentError('"dimension_names" holds something other than names and null')
  })
}

function readGridShape({ name, configuration }: NamedConfiguration): readonly bigint[] | null {
  return name === 'regular' ? readOptionalShape(configuration) : null
}

function readInnerShape(codecs: readonly NamedConfiguration[]): readonly bigint[] | null {
  const sharding = codecs.find(({ name }) => name === 'sharding_indexed')
  return sharding === undefined ? null : readOptionalShape(sharding.configuration)
}

function readOptionalShape(configuration: JsonObject): readonly bigint[] | null {
  const shape = configuration.get('chunk_shape')
  return shape === undefined ? null : readShape(shape, 'chunk_shape')
}
