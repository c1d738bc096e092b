/** Bytes of a secret. Standard Webhooks requires 24 to 64. */
const secretBytes = 32

/** `whsec_` and the base64 of random bytes, the format of Standard Webhooks. */
export function makeSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
