import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { DocumentAllowance } from '../json/document-allowance.ts'
import { JsonSyntaxError, type JsonText, readJsonText } from '../json/json-text.ts'
import { parseJsonText } from '../json/parse-json.ts'
import type { GroupMetadata } from './array-metadata.ts'

/** A `zarr.json` is not valid. `rule` says what is wrong, without the name of the node. */
export class ZarrDocumentError extends Error {
  override name = 'ZarrDocumentError'
  readonly rule: string

  constructor(rule: string, options?: { readonly cause?: unknown }) {
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

export function parseDocument(text: JsonText, nodeType: 'array' | 'group', allowance: DocumentAllowance): JsonObject {
  const document = refuseSyntaxErrors(() => parseJsonText(text, allowance))
  if (!isJsonObject(document)) throw new ZarrDocumentError('the document is not an object')
  const format = document.get('zarr_format')
  if (format === undefined) throw new MissingMemberError('zarr_format')
  if (!(format instanceof JsonNumber && format.text === '3')) throw new ZarrDocumentError('"zarr_format" is not 3')
  if (document.get('node_type') !== nodeType) throw new ZarrDocumentError(`"node_type" is not "${nodeType}"`)
  return document
}

/**
 * Reads a group's `zarr.json`. Ignores consolidated metadata in it, because the repository itself lists its nodes.
 * @throws {@link ZarrDocumentError}
 * @throws {@link DocumentsTooLargeError} when the allowance is used up.
 */
export function parseGroupDocument(bytes: Uint8Array, allowance: DocumentAllowance): GroupMetadata {
  const text = refuseSyntaxErrors(() => readJsonText(bytes, allowance))
  const document = parseDocument(text, 'group', allowance)
  return { attributes: readAttributes(document), document }
}

export function refuseSyntaxErrors<Value>(parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new ZarrDocumentError(error.message, { cause: error })
    throw error
  }
}

export function readAttributes(document: JsonObject): JsonObject {
  const attributes = document.get('attributes')
  if (attributes === undefined || attributes === null) return new Map()
  if (!isJsonObject(attributes)) throw new ZarrDocumentError('"attributes" is not an object')
  return attributes
}

/** Sizes are 64-bit integers without a sign, as in Icechunk. */
const maxSize = 2n ** 64n - 1n

export function readShape(shape: JsonValue | undefined, member: string): readonly bigint[] {
  if (!isJsonArray(shape)) throw new ZarrDocumentError(`"${member}" is not a list`)
  return shape.map((size) => {
    if (!(size instanceof JsonNumber && /^[0-9]+$/.test(size.text)))
      throw new ZarrDocumentError(`"${member}" holds something other than whole numbers from 0`)
    const count = BigInt(size.text)
    if (count > maxSize) throw new ZarrDocumentError(`"${member}" holds a number of more than 64 bits`)
    return count
  })
}
