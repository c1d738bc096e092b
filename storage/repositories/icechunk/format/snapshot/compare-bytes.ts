/** Compares two ranges of bytes. For paths, which are short, a loop is several times faster than `Buffer.compare`. */
export function compareBytes(
  left: Uint8Array,
  leftStart: number,
  leftEnd: number,
  right: Uint8Array,
  rightStart: number,
  rightEnd: number,
): number {
  const leftLength = leftEnd - leftStart
  const rightLength = rightEnd - rightStart
  const shared = Math.min(leftLength, rightLength)
  for (let at = 0; at < shared; at++) {
    const difference = (left[leftStart + at] ?? 0) - (right[rightStart + at] ?? 0)
    if (difference !== 0) return difference
  }
  return leftLength - rightLength
}
