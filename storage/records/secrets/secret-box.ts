// Encrypts stored secrets with AES-256-GCM. A sealed secret is the text `sealed:KEY:DATA`: KEY is the id of its key,
// DATA is the nonce, ciphertext and tag in base64url. The context, such as row and column, is authenticated: a sealed
// secret that was moved to another record cannot be opened.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SecretKey, SecretKeys } from './secret-key.ts'

/** A sealed secret cannot be opened: it was changed after it was sealed, or it belongs to another record. */
export class SecretError extends Error {
  override name = 'SecretError'
}

/** A secret is sealed with an unknown key. */
export class UnknownKeyError extends Error {
  override name = 'UnknownKeyError'
}

const nonceBytes = 12
const tagBytes = 16
const sealedForm = /^sealed:(?<keyId>[0-9a-f]{8}):(?<data>[A-Za-z0-9_-]+)$/

/** Lists the ids of the keys of all sealed secrets in a text, each once and in order. */
export function listKeyIds(text: string): readonly string[] {
  const found = text.matchAll(/\bsealed:([0-9a-f]{8}):/g)
  return [...new Set(Array.from(found, ([, id = '']) => id))].sort()
}

/** Seals secrets before they are stored, and opens them where they are used. */
export class SecretBox {
  readonly #readKeys: () => SecretKeys
  readonly #source: string
  #keys: SecretKeys

  /**
   * @param readKeys called before sealing a secret, and before refusing a secret with an unknown key
   * @param source where the keys come from, such as a file, for error messages
   */
  constructor(readKeys: () => SecretKeys, source = 'the keys in use') {
    this.#readKeys = readKeys
    this.#source = source
    this.#keys = readKeys()
  }

  /**
   * Encrypts a secret with the first key.
   *
   * @param context record and column of the secret, such as `receiver/ID/url`
   */
  seal(secret: string, context: string): string {
    this.#keys = this.#readKeys()
    return this.sealBriefly(secret, context)
  }

  /** Encrypts a text that is not stored. Unlike {@link SecretBox.seal}, uses the keys that were read last. */
  sealBriefly(secret: string, context: string): string {
    const [{ id, key }] = this.#keys
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    cipher.setAAD(Buffer.from(context))
    const data = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `sealed:${id}:${data.toString('base64url')}`
  }

  /**
   * Decrypts a sealed secret.
   *
   * @param context the same text that was passed to {@link SecretBox.seal}
   * @throws {@link UnknownKeyError}, {@link SecretError}
   */
  open(sealed: string, context: string): string {
    const { keyId, data } = sealedForm.exec(sealed)?.groups ?? {}
    if (keyId === undefined || data === undefined) throw new SecretError(`${context} is not sealed`)
    const bytes = Buffer.from(data, 'base64url')
    if (bytes.length < nonceBytes + tagBytes) throw new SecretError(`${context} is cut short`)
    const { key } = this.#find(keyId, context)
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(context))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const start = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
    try {
      return Buffer.concat([start, decipher.final()]).toString()
    } catch (cause) {
      throw new SecretError(`${context} was changed after it was sealed, or belongs to another record`, { cause })
    }
  }

  /** The id of the first key, the one that seals new secrets. */
  readCurrentKeyId(): string {
    this.#keys = this.#readKeys()
    return this.#keys[0].id
  }

  #find(id: string, context: string): SecretKey {
    const cached = this.#keys.find((key) => key.id === id)
    if (cached !== undefined) return cached
    // Another process may have added the key since the keys were read.
    this.#keys = this.#readKeys()
    const added = this.#keys.find((key) => key.id === id)
    if (added === undefined)
      throw new UnknownKeyError(`${context} is sealed with the key ${id}, which is not in ${this.#source}`)
    return added
  }
}
