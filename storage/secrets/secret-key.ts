import { createHash, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'

/** A key for AES-256. Its id tells it from others and says nothing else about it. */
export type SecretKey = { readonly id: string; readonly key: KeyObject }

/** The keys at hand. The first one seals, each opens. */
export type SecretKeys = readonly [SecretKey, ...SecretKey[]]

/** Bytes of a key. */
const keyBytes = 32

const keyForms = [
  { form: /^[0-9a-fA-F]{64}$/, encoding: 'hex' },
  // Node.js reads both alphabets as either.
  { form: /^[A-Za-z0-9+/_-]{43}=?$/, encoding: 'base64' },
] as const

/**
 * Keys from text: each is 32 bytes in base64 or 64 hexadecimal digits; several are separated by commas or line ends.
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

/** The text of a new key, as {@link parseSecretKeys} reads it. */
export function newKeyText(): string {
  return randomBytes(keyBytes).toString('base64')
}

/** A new key that is nowhere written down. */
export function newSecretKey(): SecretKey {
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
