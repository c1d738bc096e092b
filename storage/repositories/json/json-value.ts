// JSON values with the details that `JSON.parse` drops, but on which xarray's answers depend: the text of numbers (`2`
// is not `2.0`, and integers are exact at any length), the order of members whose names look like integers, and members
// called `__proto__`.

/** A number, as its text in the document. A parsed integer has at most 4,300 digits. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /**
   * Whether Python's `json` reads the number as an int: its text contains no `.`, `e` or `E`. Otherwise it is a float.
   */
  get isInteger(): boolean {
    return !/[.eE]/.test(this.text)
  }

  get value(): number {
    return Number(this.text)
  }
}

/** Members in document order. A repeated name keeps its first position and its last value, as in Python's dict. */
export type JsonObject = ReadonlyMap<string, JsonValue>

export type JsonValue = null | boolean | string | JsonNumber | readonly JsonValue[] | JsonObject

export const isJsonArray = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value)

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isJsonArray(value) && !(value instanceof JsonNumber)
