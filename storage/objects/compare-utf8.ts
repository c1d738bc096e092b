const surrogateOrAbove = /[\ud800-\uffff]/

/**
 * Compares two strings by their UTF-8 bytes. All lists in Floe are sorted this way. JavaScript compares UTF-16 code units,
 * which differs only when one string has a code point above U+FFFF where the other has one from U+E000 to U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  if (surrogateOrAbove.test(a) && surrogateOrAbove.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  if (a === b) return 0
  return a < b ? -1 : 1
}
