const surrogateOrAbove = /[\ud800-\uffff]/

/**
 * Compares two strings by their UTF-8 bytes. All lists in Floe are sorted this way. JavaScript compares UTF-16 code
 * units, which differs only when one string has a code point above U+FFFF where the other has one from U+E000 to
 * U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0
  if (!surrogateOrAbove.test(a) || !surrogateOrAbove.test(b)) return a < b ? -1 : 1
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return rankCodeUnit(left) - rankCodeUnit(right)
  }
  return a.length - b.length
}

/** Ranks surrogates, which encode code points above U+FFFF, after all other code units. */
function rankCodeUnit(code: number): number {
  return code >= 0xd800 && code < 0xe000 ? code + 0x10000 : code
}

/** Sorts names like {@link compareUtf8}, and fast even if many long names differ only at their end. */
export function sortUtf8(names: readonly string[]): string[] {
  if (!names.some((name) => surrogateOrAbove.test(name))) return names.toSorted()
  // Texts with one character for each byte are compared faster than the bytes themselves.
  return names
    .map((name) => ({ name, bytes: Buffer.from(name).toString('latin1') }))
    .sort((a, b) => (a.bytes < b.bytes ? -1 : a.bytes > b.bytes ? 1 : 0))
    .map(({ name }) => name)
}
