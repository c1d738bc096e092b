import type { ReaderLimits } from './limits.ts'

/**
 * Reads the stored, absolute path of a node: `/` and `/a/b` give `''` and `a/b`. Undefined when it is not absolute, has
 * an empty, `.` or `..` segment, or is longer or deeper than the limits.
 */
export function parseNodePath(stored: string, limits: ReaderLimits): string | undefined {
  if (stored === '/') return ''
  if (!stored.startsWith('/') || Buffer.byteLength(stored) > limits.maxPathBytes) return undefined
  const path = stored.slice(1)
  const segments = path.split('/')
  const isSound = segments.length <= limits.maxPathDepth && segments.every(isSoundSegment)
  return isSound ? path : undefined
}

function isSoundSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..'
}
