import { createHash, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'

/** A key for AES-256. The id tells keys apart and reveals nothing else about them. */
export type SecretKey = { readonly id: string; readonly key: KeyObject }

/** The keys in use. The first one seals new secrets; all of them open secrets. */
export type SecretKeys = readonly [SecretKey, ...SecretKey[]]

const keyBytes = 32

const keyForms = [
  { form: /^[0-9a-fA-F]{64}$/, encoding: 'hex' },
  // For 'base64', Node.js also accepts the base64url alphabet.
  { form: /^[A-Za-z0-9+/_-]{43}=?$/, encoding: 'base64' },
] as const

/**
 * Reads keys from text. Each key is 32 bytes, in base64 or as 64 hexadecimal digits. Commas or line ends separate keys.
 *
 * @returns undefined when the text is anything else
 */
export function parseSecretKeys(text: string): SecretKeys | undefined {
  const keys = text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map(parseKey)
  const [first, ...others] = keys.filter((key) => key !== undefined)
  return first === undefined || others.length + 1 < keys.length ? undefined : [first, ...others]
}

/** Generates a key in the form of a line of a key file. */
export function generateKeyText(): string {
  return randomBytes(keyBytes).toString('base64')
}

export function generateSecretKey(): SecretKey {
  return toSecretKey(randomBytes(keyBytes))
}

function parseKey(text: string): SecretKey | undefined {
  const encoding = keyForms.find(({ form }) => form.test(text))?.encoding
  if (encoding === undefined) return undefined
  return toSecretKey(Buffer.from(text, encoding))
}

function toSecretKey(bytes: Buffer): SecretKey {
  const id = createHash('sha256').update('id of a Floe key\0').update(bytes).digest('hex').slice(0, 8)
  return { id, key: createSecretKey(bytes) }
}
