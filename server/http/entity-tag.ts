// Conditional requests (RFC 9110, section 8.8.3 and 13.1.2).
import { createHash } from 'node:crypto'

/** A strong entity tag over everything that decides a representation. */
export function entityTag(...facts: readonly string[]): string {
  return `"${createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 27)}"`
}

/**
 * Finds the tag in an `If-None-Match` header; weak comparison, as the RFC asks for this header.
 *
 * @returns the tag as the caller has it, perhaps of a compressed form, which is what a 304 repeats; undefined when it is not there
 */
export function findEntityTag(ifNoneMatch: string | undefined, tag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch.trim() === '*') return tag
  const known = ifNoneMatch.split(',').map((candidate) => candidate.trim().replace(/^W\//, ''))
  return known.find((candidate) => withoutEncoding(candidate) === tag)
}

/** A compressed form is tagged like the body it was made from, with its coding behind. */
function withoutEncoding(tag: string): string {
  return tag.replace(/-(br|gzip)"$/, '"')
}
