// Python's `str.split()` and `str.strip()` know other spaces than JavaScript's `\s`.
const spaces = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/

/** Splits a text like `str.split()`. */
export function splitAtSpace(text: string): readonly string[] {
  return text.split(spaces).filter((word) => word !== '')
}
