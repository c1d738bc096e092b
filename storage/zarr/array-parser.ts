import { type DocumentAllowance, DocumentsTooLargeError } from '../json/document-allowance.ts'
import { JsonSyntaxError, type JsonText, readJsonText } from '../json/json-text.ts'
import { isJsonObject, type JsonObject } from '../json/json-value.ts'
import { parseJsonAt } from '../json/parse-json.ts'
import type { ArrayMetadata } from './array-metadata.ts'
import { refuseSyntaxErrors, ZarrDocumentError } from './document.ts'
import { parseArrayText } from './parse-array.ts'

type FoundAttributes = { readonly attributes: JsonObject; readonly end: number }

const attributesName = /"attributes"[ \t\n\r]*:[ \t\n\r]*/g

/** Longer documents, in characters, are parsed as a whole: most of their text is attributes. */
const maxLength = 64 * 1024

/** Maximum number of cached documents, and their maximum length in characters. */
const maxForms = 1000
const maxFormLength = 4096

/** Parses the documents of the arrays of one request. Most arrays of a group differ only in their attributes; the rest is parsed once. */
export class ArrayParser {
  readonly #allowance: DocumentAllowance
  /** By the text of the document with `null` as its attributes. */
  readonly #forms = new Map<string, ArrayMetadata>()

  constructor(allowance: DocumentAllowance) {
    this.#allowance = allowance
  }

  /**
   * @throws {@link MissingMemberError} when the document lacks `zarr_format` or `data_type`, even if it has other faults.
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
    const found = tryParse(() => readAttributesAt(document, start, this.#allowance))
    if (found === undefined) return undefined
    const rest = `${text.slice(0, start)}null${text.slice(found.end)}`
    const form = this.#forms.get(rest) ?? this.#addForm({ text: rest, isWide })
    return form && { ...form, attributes: found.attributes }
  }

  /** Parses a document without its attributes; undefined when the part that was cut out is not its attributes. */
  #addForm(rest: JsonText): ArrayMetadata | undefined {
    // The name occurs once and there are no escapes, so it cannot be that of another member.
    const isSureName = !rest.text.includes('\\') && !rest.text.replace('"attributes"', '').includes('"attributes"')
    const form = isSureName ? tryParse(() => parseArrayText(rest, this.#allowance)) : undefined
    if (form?.document.get('attributes') !== null) return undefined
    if (this.#forms.size < maxForms && rest.text.length <= maxFormLength) {
      this.#allowance.takeBytes((rest.isWide ? 2 : 1) * rest.text.length)
      this.#forms.set(rest.text, form)
    }
    return form
  }
}

function readAttributesAt(text: JsonText, start: number, allowance: DocumentAllowance): FoundAttributes | undefined {
  const { value, end } = parseJsonAt(text, start, 1, allowance)
  return isJsonObject(value) ? { attributes: value, end } : undefined
}

/** Undefined when a part of a document has a fault. Parsing the whole document then finds the first fault. */
function tryParse<Value>(parse: () => Value): Value | undefined {
  try {
    return parse()
  } catch (error) {
    const faults = [JsonSyntaxError, ZarrDocumentError, DocumentsTooLargeError]
    if (faults.some((fault) => error instanceof fault)) return undefined
    throw error
  }
}
