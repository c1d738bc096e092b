export { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from './json-value.ts'
export { JsonSyntaxError } from './json-text.ts'
export { maxIntegerDigits } from './json-scanner.ts'
export { parseJson, parseJsonObject, readMemberTexts } from './parse-json.ts'
export { type Cancellation, DocumentAllowance, DocumentsTooLargeError } from './document-allowance.ts'
export { formatPythonFloat, spellNumber, toJsonFloat } from './python-spelling.ts'
export {
  AnswerTooLargeError,
  defaultMaxAnswerBytes,
  encodeJson,
  keepStoredJson,
  takeJsonText,
  JsonWriter,
  writeBody,
  writeJson,
} from './json-writer.ts'
export {
  type AnyEncodable,
  type Encodable,
  Members,
  type PlainJson,
  readJsonBytes,
  receiveBuffer,
  type JsonBytes,
} from './json-bytes.ts'
