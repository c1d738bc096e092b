import { DocumentAllowance } from './document-allowance.ts'
import { isJsonObject, type JsonObject } from './json-value.ts'
import { parseJson } from './parse-json.ts'

/**
 * Parses a text that a program has written, such as a library's answer or a stored record.
 *
 * @throws TypeError when the JSON is no object; JsonSyntaxError, DocumentsTooLargeError
 */
export function parseJsonObject(text: string): JsonObject {
  const value = parseJson(Buffer.from(text), new DocumentAllowance())
  if (!isJsonObject(value)) throw new TypeError('the JSON is no object')
  return value
}
