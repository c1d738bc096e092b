// Conditional changes (RFC 9110, section 13.1.1): a caller can require that a record has not changed since it was read.

/** Makes the strong entity tag of one version of a record. */
export function makeVersionTag(version: number): string {
  return `"${version}"`
}

/**
 * Reads the versions that an `If-Match` header allows; undefined if it allows any. Skips tags that are not versions, so
 * a header without a version allows none. Accepts weak tags, because proxies that compress answers make tags weak.
 */
export function parseIfMatch(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  return ifMatch.split(',').flatMap((tag) => {
    const version = /^\s*(?:W\/)?"([1-9]\d{0,14})"\s*$/.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}
