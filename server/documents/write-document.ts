import { DocumentAllowance, isJsonObject, parseJson, writeBody, type Written } from '@floe/storage/json'

/** Writes a document that a library has built of objects whose types do not say that they are JSON. */
export function writeDocument(document: object): Written<Record<string, unknown>> {
  const json = parseJson(Buffer.from(JSON.stringify(document)), new DocumentAllowance())
  if (!isJsonObject(json)) throw new TypeError('a document is an object')
  return writeBody<Record<string, unknown>>(json)
}
