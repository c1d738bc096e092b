// Conditional requests (RFC 9110, sections 8.8.3 and 13.1.2).
import { hash } from 'node:crypto'
import manifest from '../../package.json' with { type: 'json' }

/**
 * Makes a strong entity tag from everything that the bytes of the answer depend on, besides the version of the program,
 * because another version can write them differently.
 */
export function makeEntityTag(...facts: readonly string[]): string {
  return tagBody(JSON.stringify([manifest.version, ...facts]))
}

/** Makes the strong entity tag of a body. */
export function tagBody(body: string | Uint8Array): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
}

/**
 * Finds a tag in an `If-None-Match` header by weak comparison, as the RFC requires.
 *
 * @returns the tag for the 304, which may be that of a compressed form; undefined if the header does not list the tag
 */
export function findEntityTag(ifNoneMatch: string | undefined, tag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch === tag || matchesAny(ifNoneMatch)) return tag
  const listed = ifNoneMatch.split(',').map((candidate) => candidate.trim().replace(/^W\//, ''))
  return listed.find((candidate) => dropEncoding(candidate) === tag)
}

/** Whether an `If-None-Match` header matches every answer that exists. */
export function matchesAny(ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.trim() === '*'
}

/** Removes the encoding from the tag of a compressed form. */
function dropEncoding(tag: string): string {
  return tag.replace(/-(br|gzip|zstd)"$/, '"')
}
