import { isAscii } from 'node:buffer'
import type { DocumentAllowance } from './document-allowance.ts'

/** The bytes are not JSON, or JSON that Python's `json` refuses. */
export class JsonSyntaxError extends Error {
  override name = 'JsonSyntaxError'
  /** Position of the fault, in UTF-16 code units from the start of the text; null when the bytes are not UTF-8. */
  readonly offset: number | null

  constructor(rule: string, offset: number | null) {
    super(offset === null ? `not JSON: ${rule}` : `not JSON at character ${offset}: ${rule}`)
    this.offset = offset
  }
}

/** The text of a document that is not parsed yet. */
export type JsonText = {
  readonly text: string
  /** Whether it has characters beyond ASCII, so that JavaScript may store its parts with two bytes per character. */
  readonly isWide: boolean
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Decodes bytes that should be JSON. Keeps a byte order mark, so that the parser refuses it.
 *
 * @throws {@link JsonSyntaxError} when the bytes are not UTF-8
 * @throws {@link DocumentsTooLargeError} when the allowance is used up
 */
export function readJsonText(bytes: Uint8Array, allowance: DocumentAllowance): JsonText {
  const isWide = !isAscii(bytes)
  allowance.takeBytes(isWide ? 2 * bytes.length : bytes.length)
  try {
    return { text: utf8.decode(bytes), isWide }
  } catch {
    throw new JsonSyntaxError('the bytes are not UTF-8', null)
  }
}
