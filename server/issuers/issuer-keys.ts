// The public keys of an issuer. They are read again after some minutes, and when a token names an unknown one; while
// the issuer does not answer, old ones are used for an hour.
import type { createLocalJWKSet, errors, JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Timing } from '../timing.ts'
import { IssuerError, type ReadDocument } from './read-document.ts'

/** What the keys need of `jose`, which is loaded only if there are issuers. */
type Jose = { readonly createLocalJWKSet: typeof createLocalJWKSet; readonly errors: typeof errors }

type KeySet = { readonly find: JWTVerifyGetKey; readonly readAt: number }

/** After this time, keys are read again in the background, in milliseconds. */
const freshMs = 600_000

/** For how long keys are used that could not be read again, in milliseconds. */
const maxAgeMs = 3_600_000

/** Shortest time between two readings, with keys and without any, in milliseconds. */
const intervalMs = { withKeys: 60_000, withoutKeys: 5_000 } as const

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.string() })
const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) })

/** Reads the keys of an issuer. @throws IssuerError */
export async function readIssuerKeys(issuer: string, read: ReadDocument): Promise<z.infer<typeof Keys>> {
  const discovery = Discovery.safeParse(await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`))
  if (!discovery.success) throw new IssuerError(`${issuer} has no discovery document with issuer and jwks_uri`)
  const { issuer: named, jwks_uri: address } = discovery.data
  if (named !== issuer) throw new IssuerError(`${issuer} calls itself ${JSON.stringify(named.slice(0, 200))}`)
  const keys = Keys.safeParse(await read(address))
  if (!keys.success) throw new IssuerError(`${issuer} has no list of at most 100 keys`)
  return keys.data
}

export class IssuerKeys {
  readonly #issuer: string
  readonly #read: ReadDocument
  readonly #elapsed: Timing['elapsed']
  readonly #jose: Jose
  readonly #onError: (error: unknown) => void
  #kept: KeySet | undefined
  #reading: Promise<KeySet> | undefined
  #triedAt = -Infinity

  /** @param onError gets failures to read keys */
  constructor(
    issuer: string,
    parts: {
      readonly read: ReadDocument
      readonly elapsed: Timing['elapsed']
      readonly jose: Jose
      readonly onError: (error: unknown) => void
    },
  ) {
    this.#issuer = issuer
    this.#read = parts.read
    this.#elapsed = parts.elapsed
    this.#jose = parts.jose
    this.#onError = parts.onError
  }

  /**
   * Finds the key of a token.
   *
   * @throws IssuerError if there are no keys, JOSEError if the issuer has no such key
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const kept = await this.#keep()
    try {
      return await kept.find(header, token)
    } catch (error) {
      if (!(error instanceof this.#jose.errors.JWKSNoMatchingKey) || !this.#mayRead(intervalMs.withKeys)) throw error
      return (await this.#readAgain()).find(header, token)
    }
  }

  async #keep(): Promise<KeySet> {
    const age = this.#elapsed() - (this.#kept?.readAt ?? -Infinity)
    if (this.#kept === undefined || age > maxAgeMs) {
      if (this.#reading === undefined && !this.#mayRead(intervalMs.withoutKeys))
        throw new IssuerError(`${this.#issuer} could not be read a few seconds ago`)
      return this.#readAgain()
    }
    // No caller waits for it, so an issuer that hangs delays nobody. `#readNow` has reported the failure.
    if (age > freshMs && this.#mayRead(intervalMs.withKeys)) this.#readAgain().catch(() => {})
    return this.#kept
  }

  #mayRead(interval: number): boolean {
    return this.#elapsed() - this.#triedAt >= interval
  }

  #readAgain(): Promise<KeySet> {
    this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  async #readNow(): Promise<KeySet> {
    const readAt = this.#elapsed()
    this.#triedAt = readAt
    try {
      const keys = await readIssuerKeys(this.#issuer, this.#read)
      this.#kept = { find: this.#jose.createLocalJWKSet(keys), readAt }
      return this.#kept
    } catch (error) {
      this.#onError(error)
      throw error
    }
  }
}
