// Conditional requests (RFC 9110, section 8.8.3 and 13.1.2).
import { createHash } from 'node:crypto'

/** A strong entity tag over everything that decides a representation. */
export function entityTag(...facts: readonly string[]): string {
  return `"${createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 27)}"`
}

/** Whether an `If-None-Match` header holds the tag; weak comparison, as the RFC asks for this header. */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => withoutEncoding(candidate.trim()) === tag)
}

/** A compressed form is tagged like the body it was made from, with its coding behind. */
function withoutEncoding(tag: string): string {
  return tag.replace(/^W\//, '').replace(/-(br|gzip)"$/, '"')
}
