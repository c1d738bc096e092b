// Reads the texts in which a dataset says what it is, by the Attribute Convention for Data Discovery 1.3 (ACDD).
import { isJsonArray, type JsonObject } from '@floe/storage/json'

/** The texts; null where none is stated. */
export type Texts = {
  readonly title: string | null
  readonly summary: string | null
  /** Separated by commas. */
  readonly keywords: string | null
}

/** Reads the stated texts, of any length. The texts of a list are joined. */
export function readTexts(attributes: JsonObject): Texts {
  return {
    title: readText(attributes, 'title'),
    summary: readText(attributes, 'summary'),
    keywords: readText(attributes, 'keywords'),
  }
}

/** Reads a text; null if there is none. The texts of a list are joined. */
export function readText(attributes: JsonObject, name: string): string | null {
  const value = attributes.get(name)
  const text = isJsonArray(value) ? value.filter((item) => typeof item === 'string').join(', ') : value
  return typeof text === 'string' && text.trim() !== '' ? text : null
}

/** Reads the texts of a list, or one text. */
export function readTextList(attributes: JsonObject, name: string): readonly string[] {
  const value = attributes.get(name)
  const values = isJsonArray(value) ? value : [value]
  return values.filter((item) => typeof item === 'string').filter((text) => text.trim() !== '')
}
