import { isUtf8 } from 'node:buffer'
import type { Allowance } from '../../encoding/allowance.ts'
import type { ReaderLimits } from '../../limits.ts'

const slash = 0x2f
const dot = 0x2e

/**
 * Checks the stored path of a node: it must be absolute, valid UTF-8 and without a `..` segment. Returns whether Zarr
 * readers can address the node. They cannot if the path has an empty or `.` segment; Icechunk stores such paths for
 * programs that join keys carelessly. Does not copy the bytes, because a snapshot can have hundreds of thousands of
 * paths, or 90 MB of hostile ones. Throws {@link DamagedObjectError}, and {@link LimitExceededError} when the path is
 * longer or deeper than the limits.
 */
export function checkNodePath(
  bytes: Buffer,
  start: number,
  end: number,
  { maxPathBytes, maxPathDepth }: Pick<ReaderLimits, 'maxPathBytes' | 'maxPathDepth'>,
  { damage, exceed }: Pick<Allowance, 'damage' | 'exceed'>,
): boolean {
  if (end - start > maxPathBytes) {
    throw exceed('maxPathBytes', `the path of a node has more than ${maxPathBytes} bytes`)
  }
  const isRoot = end - start === 1
  let depth = 0
  let isAscii = true
  let isSound = end > start && bytes[start] === slash
  let isReachable = true
  // The start of the current segment, and whether it has only dots so far.
  let segment = start + 1
  let hasOnlyDots = true
  for (let at = start + 1; at <= end; at++) {
    const byte = at === end ? slash : (bytes[at] ?? 0)
    if (byte === slash) {
      if (hasOnlyDots && at - segment === 2) isSound = false
      if (hasOnlyDots && at - segment < 2 && !isRoot) isReachable = false
      depth++
      segment = at + 1
      hasOnlyDots = true
    } else if (byte !== dot) {
      hasOnlyDots = false
      if (byte >= 0x80) isAscii = false
    }
  }
  if (!isAscii && !isUtf8(bytes.subarray(start, end))) throw damage('a text is not valid UTF-8')
  if (!isSound) {
    const shown = bytes.toString('utf8', start, end).slice(0, 200)
    throw damage(`${JSON.stringify(shown)} is not the path of a node`)
  }
  if (depth > maxPathDepth) {
    throw exceed('maxPathDepth', `the path of a node has more than ${maxPathDepth} segments`)
  }
  return isReachable
}
