// The sign-ins that a browser has begun. Each lies sealed in a cookie of its own, named after its `state`: tabs that
// sign in at the same time do not disturb each other, and the service keeps nothing of those who do not come back.
import { type SecretBox, SecretError, UnknownKeyError } from '@floe/storage/secrets'
import { readCookie, writeCookie } from '../http/access/session-cookie.ts'
import type { Proof } from '../issuers/sign-in-issuer.ts'
import type { Clock } from '../timing.ts'

/** What a browser needs when it comes back from the issuer. `next` is the address that it goes to then. */
export type PendingSignIn = Proof & { readonly next: string }

type Headers = { readonly cookie?: string | undefined }

/** How long people have to sign in, in milliseconds. */
const pendingMs = 600_000

/**
 * Longest these cookies of a browser may be together, in characters. One has about 400, and proxies take 8 kB. A
 * further one takes the place of the oldest.
 */
const maxLength = 6_000

const prefix = '__Host-floe-sign-in-'
/** Begins only at the beginning of a pair, so that the time is linear. */
const cookieForm = new RegExp(`(?<![^; ])(${prefix}[\\w-]+)=[^;]*`, 'g')

export class PendingSignIns {
  readonly #secrets: SecretBox
  readonly #now: Clock

  constructor(secrets: SecretBox, now: Clock) {
    this.#secrets = secrets
    this.#now = now
  }

  /** Returns the cookies for one more sign-in, and those that make room for it. */
  add({ state, ...others }: PendingSignIn, { cookie = '' }: Headers): readonly string[] {
    const sealed = this.#secrets.sealBriefly(JSON.stringify({ ...others, until: this.#now() + pendingMs }), bind(state))
    const added = writeCookie(prefix + state, sealed, pendingMs / 1_000)
    let room = maxLength - added.length
    // Browsers send the oldest first (RFC 6265, section 5.4).
    const surplus = [...cookie.matchAll(cookieForm)].reverse().filter(([pair]) => {
      room -= pair.length
      return room < 0
    })
    return [added, ...surplus.map(([, name = '']) => writeCookie(name, '', 0))]
  }

  /** Finds the sign-in of a state; undefined if this browser has not begun it, or too long ago. */
  find(state: string, headers: Headers): PendingSignIn | undefined {
    const sealed = readCookie(headers, prefix + state)
    if (sealed === undefined) return undefined
    try {
      const text = this.#secrets.open(sealed, bind(state))
      const { until, ...others } = JSON.parse(text) as Omit<PendingSignIn, 'state'> & { until: number } // as sealed
      return this.#now() < until ? { state, ...others } : undefined
    } catch (error) {
      if (error instanceof SecretError || error instanceof UnknownKeyError) return undefined
      throw error
    }
  }

  /** Returns the cookie that ends a sign-in. */
  end({ state }: PendingSignIn): string {
    return writeCookie(prefix + state, '', 0)
  }
}

const bind = (state: string) => `sign-in/${state}`
