// Conditional changes (RFC 9110, section 13.1.1): whoever changes something has seen how it stands.

/** The strong entity tag of one version of a record. */
export function versionTag(version: number): string {
  return `"${version}"`
}

/**
 * The versions that an `If-Match` header lets a change meet; undefined when it may meet any. What is no tag of ours is no
 * version, so a header of nothing else lets it meet none. Proxies that compress make tags weak; a version is still meant.
 */
export function parseIfMatch(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  return ifMatch.split(',').flatMap((tag) => {
    const version = /^\s*(?:W\/)?"([1-9]\d{0,14})"\s*$/.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}

/** An answer that can be tagged. */
export type Tagged = { header(name: 'etag', tag: string): unknown }
