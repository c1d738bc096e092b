// Conditional changes (RFC 9110, section 13.1.1): a caller can require that a record is still the version it has read.

/** Makes the strong entity tag of one version of a record. */
export function makeVersionTag(version: number): string {
  return `"${version}"`
}

/**
 * Reads the versions that an `If-Match` header allows; undefined when it allows any. Tags that are not ours are skipped, so a
 * header with no other tags allows no version. Weak tags count, because proxies that compress answers make tags weak.
 */
export function parseIfMatch(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  return ifMatch.split(',').flatMap((tag) => {
    const version = /^\s*(?:W\/)?"([1-9]\d{0,14})"\s*$/.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}

/** A reply that takes an entity tag, and other headers. */
export type Tagged = { header(name: string, value: string): unknown }
