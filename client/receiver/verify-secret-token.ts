import { equalBytes } from './equal-bytes.ts'

/** A header as the Fetch API (null when missing) or Node (undefined when missing, several as an array) gives it. */
export type HeaderValue = string | readonly string[] | null | undefined

/**
 * Whether a request carries the secret token of the webhook. The time it takes tells nothing about the token.
 *
 * @param header - what came as `X-Secret-Token`; a missing one is false, and so are several
 * @param expected - the token that the webhook was given
 * @throws TypeError when the expected token is empty, as it is when a variable is not set
 */
export async function verifySecretToken(header: HeaderValue, expected: string): Promise<boolean> {
  if (expected === '') throw new TypeError('the expected secret token is empty')
  if (typeof header !== 'string') return false
  // Digests are equally long, so that not even the length of the token shows.
  return equalBytes(await digest(header), await digest(expected))
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
