import { type DocumentAllowance, DocumentsTooLargeError } from '../json/document-allowance.ts'
import { JsonSyntaxError, type JsonText, readJsonText } from '../json/json-text.ts'
import { isJsonObject, type JsonObject } from '../json/json-value.ts'
import { parseJsonAt } from '../json/parse-json.ts'
import type { ArrayMetadata } from './array-metadata.ts'
import { refuseSyntaxErrors, ZarrDocumentError } from './document.ts'
import { parseArrayText } from './parse-array.ts'

/** The attributes of a document, and the position after them. */
type ParsedAttributes = { readonly attributes: JsonObject; readonly end: number }

const attributesName = /"attributes"[ \t\n\r]*:[ \t\n\r]*/g

/** Documents of more characters are parsed as a whole: most of their text is attributes. */
const maxLength = 64 * 1024

/** Maximum number of cached documents without attributes, and their maximum length in characters. */
const maxCached = 1000
const maxCachedLength = 4096

/**
 * Parses the documents of the arrays of one request. Most arrays of a group differ only in their attributes, so what
 * remains without these is parsed once and cached.
 */
export class ArrayParser {
  readonly #allowance: DocumentAllowance
  /** Parsed documents without attributes, by their text with `null` as attributes. */
  readonly #cached = new Map<string, ArrayMetadata>()

  constructor(allowance: DocumentAllowance) {
    this.#allowance = allowance
  }

  /**
   * @throws {@link MissingMemberError} when the document lacks `zarr_format` or `data_type`, even if it has other
   * faults.
   * @throws {@link ZarrDocumentError} when the document does not describe an array.
   * @throws {@link DocumentsTooLargeError} when the allowance is used up.
   */
  parse(bytes: Uint8Array): ArrayMetadata {
    const text = refuseSyntaxErrors(() => readJsonText(bytes, this.#allowance))
    return this.#parseInParts(text) ?? parseArrayText(text, this.#allowance)
  }

  /** Undefined when the attributes cannot be separated from the rest, or the document has a fault. */
  #parseInParts(document: JsonText): ArrayMetadata | undefined {
    const { text, isWide } = document
    attributesName.lastIndex = 0
    if (text.length > maxLength || !attributesName.test(text)) return undefined
    const start = attributesName.lastIndex
    const parsed = tryParse(() => readAttributesAt(document, start, this.#allowance))
    if (parsed === undefined) return undefined
    const rest = `${text.slice(0, start)}null${text.slice(parsed.end)}`
    const array = this.#cached.get(rest) ?? this.#parseRest({ text: rest, isWide })
    return array && { ...array, attributes: parsed.attributes }
  }

  /** Parses and caches a document without attributes. Undefined when the part that was cut out is something else. */
  #parseRest(rest: JsonText): ArrayMetadata | undefined {
    // If the name occurs once, and no escapes can spell it again, then what was cut out are the attributes.
    const isUnambiguous = !rest.text.includes('\\') && !rest.text.replace('"attributes"', '').includes('"attributes"')
    const array = isUnambiguous ? tryParse(() => parseArrayText(rest, this.#allowance)) : undefined
    if (array?.document.get('attributes') !== null) return undefined
    if (this.#cached.size < maxCached && rest.text.length <= maxCachedLength) {
      this.#allowance.takeBytes((rest.isWide ? 2 : 1) * rest.text.length)
      this.#cached.set(rest.text, array)
    }
    return array
  }
}

function readAttributesAt(text: JsonText, start: number, allowance: DocumentAllowance): ParsedAttributes | undefined {
  const { value, end } = parseJsonAt(text, start, 1, allowance)
  return isJsonObject(value) ? { attributes: value, end } : undefined
}

/** Undefined when a part of a document has a fault. Parsing the whole document then reports the first fault. */
function tryParse<Value>(parse: () => Value): Value | undefined {
  try {
    return parse()
  } catch (error) {
    const faults = [JsonSyntaxError, ZarrDocumentError, DocumentsTooLargeError]
    if (faults.some((Fault) => error instanceof Fault)) return undefined
    throw error
  }
}
