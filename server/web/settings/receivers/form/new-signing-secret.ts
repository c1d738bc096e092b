/** Standard Webhooks asks for 24 to 64. */
const secretBytes = 32

/** `whsec_` and the base64 of random bytes, as Standard Webhooks has it. */
export function newSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
