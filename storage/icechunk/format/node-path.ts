import type { Excess } from '../errors.ts'
import type { ReaderLimits } from '../limits.ts'

/** Matches an empty, `.` or `..` segment. Splitting would be slow: a hostile snapshot can hold 90 MB of paths. */
const unsoundSegment = /\/\.{0,2}(?:\/|$)/

/**
 * Converts the absolute path that a node is stored with: `/` becomes `''`, and `/a/b` becomes `a/b`. Returns undefined
 * when the path is not absolute or has an empty, `.` or `..` segment. Throws the error that `exceed` creates when it is
 * longer or deeper than the limits.
 */
export function parseNodePath(
  stored: string,
  { maxPathBytes, maxPathDepth }: Pick<ReaderLimits, 'maxPathBytes' | 'maxPathDepth'>,
  exceed: Excess,
): string | undefined {
  if (stored === '/') return ''
  if (!stored.startsWith('/')) return undefined
  if (Buffer.byteLength(stored) > maxPathBytes) {
    throw exceed('maxPathBytes', `the path of a node has more than ${maxPathBytes} bytes`)
  }
  if (unsoundSegment.test(stored)) return undefined
  if (countSlashes(stored) > maxPathDepth) {
    throw exceed('maxPathDepth', `the path of a node has more than ${maxPathDepth} segments`)
  }
  return stored.slice(1)
}

function countSlashes(text: string): number {
  let count = 0
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) count++
  return count
}
