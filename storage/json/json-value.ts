// JSON that keeps what JavaScript's own loses and what decides xarray's answers: the text of numbers (`2` is not `2.0`,
// integers are exact at any length), the order of members that look like integers, members called `__proto__`.

/** A number as its document spells it. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Python's `json` reads a number as int when its text has none of `.`, `e`, `E`, else as float. */
  get isInteger(): boolean {
    return !/[.eE]/.test(this.text)
  }

  /** The nearest double. */
  get value(): number {
    return Number(this.text)
  }
}

/** Members in document order; of a repeated name, the first's place and the last's value, as in Python's dict. */
export type JsonObject = ReadonlyMap<string, JsonValue>

/** Any JSON value. */
export type JsonValue = null | boolean | string | JsonNumber | readonly JsonValue[] | JsonObject

export const isJsonArray = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value)

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject => value instanceof Map
