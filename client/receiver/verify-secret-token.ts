/**
 * A header as the Fetch API (null when missing) or Node.js (undefined when missing, an array when repeated) returns it.
 */
export type HeaderValue = string | readonly string[] | null | undefined

/**
 * Whether a request has the secret token of the webhook. Compares in constant time.
 *
 * @param header - the received `X-Secret-Token`; a missing or repeated header gives false
 * @param expected - the secret token of the webhook
 * @throws TypeError when the expected token is empty, as it is when a variable is not set
 */
export async function verifySecretToken(header: HeaderValue, expected: string): Promise<boolean> {
  if (expected === '') throw new TypeError('the expected secret token is empty')
  if (typeof header !== 'string') return false
  // All digests have the same length, so the time of the comparison does not reveal the length of the token.
  return areBytesEqual(await digest(header), await digest(expected))
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

/** Whether two byte strings are equal. The time depends only on their lengths, not on where they differ. */
export function areBytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0)
  return difference === 0
}
