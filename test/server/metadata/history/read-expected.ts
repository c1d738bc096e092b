// What official Icechunk says of the fixtures, with the numbers as it spells them.
import { readFile } from 'node:fs/promises'
import {
  DocumentAllowance,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '@floe/storage/json'

/** Reads the expected file of a fixture. */
export async function readExpected(name: string): Promise<JsonObject> {
  const file = new URL(`../../../fixtures/expected/${name}.json`, import.meta.url)
  return requireObject(parseJson(await readFile(file), new DocumentAllowance()))
}

export function requireObject(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new TypeError('an object is expected')
  return value
}

export function requireList(value: JsonValue | undefined): readonly JsonValue[] {
  if (!isJsonArray(value)) throw new TypeError('a list is expected')
  return value
}

export function requireText(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError('a text is expected')
  return value
}
