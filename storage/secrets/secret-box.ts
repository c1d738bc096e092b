// Encrypts stored secrets with AES-256-GCM. A sealed secret is the text `sealed:KEY:DATA`: the id of its key; and nonce, ciphertext and
// tag in base64url. Its context, such as the row and column, is authenticated, so that it cannot be moved to another place.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { SecretError, UnknownKeyError } from './errors.ts'
import type { SecretKey, SecretKeys } from './secret-key.ts'

const nonceBytes = 12
const tagBytes = 16
const sealedForm = /^sealed:(?<keyId>[0-9a-f]{8}):(?<data>[A-Za-z0-9_-]+)$/

/** Seals secrets before they are stored, and opens them where they are used. */
export class SecretBox {
  readonly #readKeys: () => SecretKeys
  #keys: SecretKeys

  /** @param readKeys asked before a secret is sealed, and when one was sealed under a key that is not known yet */
  constructor(readKeys: () => SecretKeys) {
    this.#readKeys = readKeys
    this.#keys = readKeys()
  }

  /** @param context names the place of the secret, such as `configuration/ID/url` */
  seal(secret: string, context: string): string {
    this.#keys = this.#readKeys()
    const [{ id, key }] = this.#keys
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    cipher.setAAD(Buffer.from(context))
    const data = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `sealed:${id}:${data.toString('base64url')}`
  }

  /**
   * @param context what it was sealed with
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

  /** Whether it is sealed under the key that seals now. */
  isCurrent(sealed: string): boolean {
    this.#keys = this.#readKeys()
    return sealedForm.exec(sealed)?.groups?.keyId === this.#keys[0].id
  }

  #find(id: string, context: string): SecretKey {
    const key = this.#keys.find((one) => one.id === id)
    if (key !== undefined) return key
    // Another process may have changed the keys.
    this.#keys = this.#readKeys()
    const found = this.#keys.find((one) => one.id === id)
    if (found === undefined) throw new UnknownKeyError(`${context} is sealed under the key ${id}, which is not at hand`)
    return found
  }
}
