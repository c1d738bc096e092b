import { isUtf8 } from 'node:buffer'
import type { Allowance } from '../../encoding/allowance.ts'
import type { ReaderLimits } from '../../limits.ts'

const slash = 0x2f
const dot = 0x2e

/**
 * Whether the stored path of a node is surely sound: ASCII without empty segments and those that begin with a dot, and
 * within the limits. The others need {@link checkNodePath}, which takes several times as long.
 *
 * @param unchecked the position of the first byte that the path does not share with a path that is plain
 */
export function isPlainPath(
  bytes: Buffer,
  start: number,
  end: number,
  unchecked: number,
  { maxPathBytes, maxPathDepth }: Pick<ReaderLimits, 'maxPathBytes' | 'maxPathDepth'>,
): boolean {
  const length = end - start
  // Each segment has a slash and at least one more byte.
  if (length > maxPathBytes || length > 2 * maxPathDepth || bytes[start] !== slash) return false
  let previous = bytes[Math.max(start, unchecked - 1)]
  for (let at = Math.max(start + 1, unchecked); at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x80 || (previous === slash && (byte === slash || byte === dot))) return false
    previous = byte
  }
  return previous !== slash || length === 1
}

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
