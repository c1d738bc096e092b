// The rules that the documents of arrays and groups share.
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { JsonSyntaxError, parseJson } from '../json/parse-json.ts'

/** A `zarr.json` that cannot be understood at all; `rule` says what is wrong in words, without the node's name. */
export class ZarrDocumentError extends Error {
  override name = 'ZarrDocumentError'
  readonly rule: string

  constructor(rule: string, options?: ErrorOptions) {
    super(`invalid zarr.json: ${rule}`, options)
    this.rule = rule
  }
}

/** A document lacks a member that is needed to know what it describes. */
export class MissingMemberError extends ZarrDocumentError {
  override name = 'MissingMemberError'

  constructor(member: string) {
    super(`"${member}" is missing`)
  }
}

// Where Python's `json` gives up: no xarray opens what is nested deeper.
const maxNesting = 1000

/** The members of a Zarr version 3 document of the given kind. */
export function parseDocument(bytes: Uint8Array, nodeType: 'array' | 'group'): JsonObject {
  const document = parseJsonOrRefuse(bytes)
  if (!isJsonObject(document)) throw new ZarrDocumentError('the document is not an object')
  const format = document.get('zarr_format')
  if (format === undefined) throw new MissingMemberError('zarr_format')
  if (!(format instanceof JsonNumber && format.text === '3')) throw new ZarrDocumentError('"zarr_format" is not 3')
  if (document.get('node_type') !== nodeType) throw new ZarrDocumentError(`"node_type" is not "${nodeType}"`)
  return document
}

function parseJsonOrRefuse(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(bytes, { maxNesting })
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new ZarrDocumentError(error.message, { cause: error })
    throw error
  }
}

/** The user's attributes; a document may leave them out. */
export function readAttributes(document: JsonObject): JsonObject {
  const attributes = document.get('attributes')
  if (attributes === undefined || attributes === null) return new Map()
  if (!isJsonObject(attributes)) throw new ZarrDocumentError('"attributes" is not an object')
  return attributes
}

/** A list of element counts. */
export function readShape(shape: JsonValue | undefined, member: string): readonly bigint[] {
  if (!isJsonArray(shape)) throw new ZarrDocumentError(`"${member}" is not a list`)
  return shape.map((size) => {
    if (size instanceof JsonNumber && /^[0-9]+$/.test(size.text)) return BigInt(size.text)
    throw new ZarrDocumentError(`"${member}" holds something other than whole numbers from 0`)
  })
}
