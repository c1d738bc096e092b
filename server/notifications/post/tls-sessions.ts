import type { TLSSocket } from 'node:tls'
import { LRUCache } from 'lru-cache'
import type { Timing } from '../../timing.ts'

/** When the certificate of a receiver was checked, and for how long it was valid. */
type Check = {
  /** By the stopwatch, in milliseconds. */
  readonly checkedMs: number
  /** In milliseconds since 1970; NaN if the certificate does not tell. */
  readonly validToMs: number
}

type Session = Check & { readonly ticket: Buffer }

/** Number of sessions, of about 1 KB each. A handshake that resumes none takes twice as long. */
const maxSessions = 4_000

/** How long after the check of a certificate its sessions may be resumed, in milliseconds. */
const maxAgeMs = 3_600_000

/**
 * Keeps TLS sessions of receivers, by origin. A handshake that resumes a session does not check a certificate, but gets
 * a new ticket. The ticket therefore keeps the time of the last check; otherwise, a receiver could be reached for ever
 * with a certificate that has expired.
 */
export class TlsSessions {
  readonly #timing: Pick<Timing, 'now' | 'elapsed'>
  readonly #sessions = new LRUCache<string, Session>({ max: maxSessions })

  constructor(timing: Pick<Timing, 'now' | 'elapsed'>) {
    this.#timing = timing
  }

  /** Returns the session that a connection may resume. */
  find(origin: string): Session | undefined {
    const session = this.#sessions.get(origin)
    if (session === undefined) return undefined
    const isValid = this.#timing.now() < session.validToMs
    return isValid && this.#timing.elapsed() < session.checkedMs + maxAgeMs ? session : undefined
  }

  /** Keeps the tickets that a connection receives. `offered` is the session that it tried to resume. */
  keep(origin: string, socket: TLSSocket, offered: Session | undefined): void {
    const checkedMs = this.#timing.elapsed()
    let check: Check | undefined
    socket.on('session', (ticket) => {
      check ??=
        offered !== undefined && socket.isSessionReused()
          ? offered
          : { checkedMs, validToMs: Date.parse(socket.getPeerCertificate().valid_to) }
      this.#sessions.set(origin, { checkedMs: check.checkedMs, validToMs: check.validToMs, ticket })
    })
  }

  forget(origin: string): void {
    this.#sessions.delete(origin)
  }
}
