// Conditional requests (RFC 9110, section 8.8.3 and 13.1.2).
import { hash } from 'node:crypto'

/** Makes a strong entity tag. `facts` are everything that the bytes of the answer depend on. */
export function makeEntityTag(...facts: readonly string[]): string {
  return tagBody(JSON.stringify(facts))
}

/** Makes the strong entity tag of a body. */
export function tagBody(body: string | Uint8Array): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
}

/**
 * Finds a tag in an `If-None-Match` header by weak comparison, which the RFC requires there.
 *
 * @returns the tag as the caller sent it, which may be that of a compressed form, for the 304 to repeat; undefined if there is none
 */
export function findEntityTag(ifNoneMatch: string | undefined, tag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch.trim() === '*') return tag
  const known = ifNoneMatch.split(',').map((candidate) => candidate.trim().replace(/^W\//, ''))
  return known.find((candidate) => dropEncoding(candidate) === tag)
}

/** Removes the coding, which is appended to the tag of a compressed form. */
function dropEncoding(tag: string): string {
  return tag.replace(/-(br|gzip|zstd)"$/, '"')
}
