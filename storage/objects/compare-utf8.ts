const surrogateOrAbove = /[\ud800-\uffff]/

/**
 * Orders two strings by their UTF-8 bytes, the order of every list in Floe. JavaScript's own order by UTF-16 code units
 * is the same unless one has a code point above U+FFFF where the other has one from U+E000 to U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  if (surrogateOrAbove.test(a) && surrogateOrAbove.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  if (a === b) return 0
  return a < b ? -1 : 1
}
