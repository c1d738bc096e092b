import { parseJsonObject, writeBody, type Written } from '@floe/storage/json'

/** Writes a document that a library has built of objects whose types do not say that they are JSON. */
export function writeDocument(document: object): Written<Record<string, unknown>> {
  return writeBody<Record<string, unknown>>(parseJsonObject(JSON.stringify(document)))
}
