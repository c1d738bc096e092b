import type { ReaderLimits } from '../limits.ts'

/** Matches an empty, `.` or `..` segment. Splitting would be slow: a hostile snapshot can hold 90 MB of paths. */
const unsoundSegment = /\/\.{0,2}(?:\/|$)/

/**
 * Converts the absolute path that a node is stored with: `/` becomes `''`, and `/a/b` becomes `a/b`. Returns undefined
 * when the path is not absolute, has an empty, `.` or `..` segment, or is longer or deeper than the limits.
 */
export function parseNodePath(stored: string, limits: ReaderLimits): string | undefined {
  if (stored === '/') return ''
  if (!stored.startsWith('/') || Buffer.byteLength(stored) > limits.maxPathBytes) return undefined
  return unsoundSegment.test(stored) || countSlashes(stored) > limits.maxPathDepth ? undefined : stored.slice(1)
}

function countSlashes(text: string): number {
  let count = 0
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) count++
  return count
}
