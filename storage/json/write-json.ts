import type { JsonValue } from './json-value.ts'
import { JsonWriter } from './json-writer.ts'

/** Writes a parsed value as a text; see {@link JsonWriter}. */
export function writeJson(value: JsonValue): string {
  return new JsonWriter().write<unknown>(value).toString('latin1')
}
