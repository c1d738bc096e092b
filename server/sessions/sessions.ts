// The sessions of people in browsers: how they begin and end, and who is behind them.
import {
  type Database,
  deleteSession,
  identifySession,
  keepSessionTokens,
  leaseSession,
  namePerson,
  readSession,
  recordSessionCheck,
  releaseSession,
  type Session,
  startSession,
} from '@floe/storage/database'
import { type SecretBox, SecretError, UnknownKeyError } from '@floe/storage/secrets'
import type { Callers, SessionCheck } from '../http/access/authenticate.ts'
import type { Caller } from '../http/access/caller.ts'
import { makeCallers } from '../issuers/grants.ts'
import { IssuerError } from '../issuers/read-document.ts'
import { type KeptTokens, type SignedIn, type SignInIssuer, SignInRefused } from '../issuers/sign-in-issuer.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { Timing } from '../timing.ts'

export type SessionParts = {
  readonly db: Database
  readonly secrets: SecretBox
  readonly issuer: SignInIssuer
  readonly timing: Pick<Timing, 'now' | 'after'>
  /** Gets failures of the issuer. */
  readonly onError: (error: unknown) => void
}

/** Longest session, in milliseconds. */
export const longestMs = 12 * 3_600_000

/** After this time, the issuer is asked again whether the person still has the claims, in milliseconds. */
const checkMs = 300_000

/** Longer than a check, in milliseconds. If a process ends meanwhile, another checks after this time. */
const leaseMs = 30_000

/** How often a process looks whether another has made a check, in milliseconds. */
const waitMs = 250

export class Sessions implements SessionCheck {
  readonly #parts: SessionParts
  /** Running checks, by the ids of their sessions. */
  readonly #checks = new Map<string, Promise<Callers | undefined>>()

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /**
   * Starts a session, and ends the one that the browser had. Returns what the browser sends from now on.
   *
   * @throws RequestProblem `forbidden` if no rule lets the person in
   */
  async start({ claims, tokens }: SignedIn, previous: string | undefined): Promise<string> {
    const { db, issuer, timing } = this.#parts
    const createdAt = new Date(timing.now())
    const started = { issuer: issuer.issuer, claims, createdAt, expiresAt: new Date(createdAt.getTime() + longestMs) }
    const { email, subject } = namePerson(started)
    const callers = this.#listCallers({ ...started, checkedAt: createdAt })
    if (callers === undefined) throw new RequestProblem('forbidden', `No rule lets ${email ?? subject} in`)
    if (previous !== undefined) await deleteSession(db, identifySession(previous))
    return startSession(db, started, callers, (id) => this.#sealTokens(id, tokens))
  }

  /**
   * Finds those whom the secret of a browser stands for.
   *
   * @throws RequestProblem `unavailable` if the issuer must be asked, and does not answer
   */
  async find(secret: string): Promise<Callers | undefined> {
    const session = await this.#read(secret)
    if (session === undefined) return undefined
    const isFresh = this.#parts.timing.now() < session.checkedAt.getTime() + checkMs
    const callers = isFresh ? this.#listCallers(session) : undefined
    // Other roles than the last check has found mean that the rules have changed: those of before chose which claims
    // were kept, and which organisations list the session.
    if (callers !== undefined && haveRoles(callers, session.roles)) return callers
    const { id } = session
    const check = this.#checks.get(id) ?? this.#check(session).finally(() => this.#checks.delete(id))
    this.#checks.set(id, check)
    return check
  }

  /** Ends the session of a browser. Returns the address at which it signs out of the issuer too, if there is one. */
  async end(secret: string, afterwards: string): Promise<URL | undefined> {
    const { db, issuer, onError } = this.#parts
    const session = await this.#read(secret)
    if (session === undefined) return undefined
    await deleteSession(db, session.id)
    const tokens = this.#openTokens(session)
    if (tokens === undefined) return undefined
    await issuer.revoke(tokens).catch(onError)
    return issuer.findSignOut(tokens, afterwards).catch((error: unknown) => {
      onError(error)
      return undefined
    })
  }

  /** Reads the session of a browser. One of an issuer that was replaced has ended: no other may get its tokens. */
  async #read(secret: string) {
    const { db, issuer, timing } = this.#parts
    const session = await readSession(db, identifySession(secret), new Date(timing.now()))
    return session?.issuer === issuer.issuer ? session : undefined
  }

  /** Lists the person once for each organisation, until the next check; undefined if no rule fits. */
  #listCallers({ claims, checkedAt, expiresAt }: Pick<Session, 'claims' | 'checkedAt' | 'expiresAt'>) {
    const { issuer, rules } = this.#parts.issuer
    const until = Math.min(checkedAt.getTime() + checkMs, expiresAt.getTime())
    return makeCallers(issuer, claims, new Date(until), rules)
  }

  /** Asks the issuer. Issuers end a session of which two processes use the same refresh token, so only one does. */
  async #check(session: Session): Promise<Callers | undefined> {
    const { db, timing } = this.#parts
    const { id, checkedAt } = session
    const lease = () => leaseSession(db, session, { now: timing.now(), until: timing.now() + leaseMs })
    while (!(await lease())) {
      await new Promise<void>((resolve) => void timing.after(waitMs, resolve))
      const current = await readSession(db, id, new Date(timing.now()))
      if (current === undefined || current.checkedAt > checkedAt) return current && this.#listCallers(current)
    }
    try {
      const checked = await this.#ask(session)
      const callers = this.#listCallers(checked)
      if (callers === undefined) throw new SignInRefused()
      await recordSessionCheck(db, checked, callers)
      return callers
    } catch (cause) {
      if (cause instanceof SignInRefused) {
        await deleteSession(db, id)
        return undefined
      }
      await releaseSession(db, id)
      if (!(cause instanceof IssuerError)) throw cause
      this.#parts.onError(cause)
      const advice = 'try again later, or use an API key'
      throw new RequestProblem(
        'unavailable',
        `${session.issuer} does not say whether you may still sign in; ${advice}`,
        { cause },
      )
    }
  }

  /** Returns the session with what the issuer says now. @throws IssuerError, SignInRefused */
  async #ask(session: Session): Promise<Session> {
    const { db, issuer, timing } = this.#parts
    const checkedAt = new Date(timing.now())
    const kept = this.#openTokens(session)
    if (kept === undefined) throw new SignInRefused()
    const { tokens, readClaims } = await issuer.renew(session.claims.sub, kept)
    await keepSessionTokens(db, session.id, this.#sealTokens(session.id, tokens))
    return { ...session, claims: await readClaims(), checkedAt }
  }

  #sealTokens(id: string, tokens: KeptTokens): string {
    return this.#parts.secrets.seal(JSON.stringify(tokens), bindTokens(id))
  }

  /** Opens the tokens of a session; undefined if the key was changed, which ends the session at its next check. */
  #openTokens({ id, tokens }: Session): KeptTokens | undefined {
    try {
      return JSON.parse(this.#parts.secrets.open(tokens, bindTokens(id))) as KeptTokens // as they were sealed
    } catch (error) {
      if (error instanceof UnknownKeyError || error instanceof SecretError) return undefined
      throw error
    }
  }
}

type Roles = readonly Pick<Caller, 'org' | 'role'>[]

/** Whether callers have these roles, and no others. There is one for each organisation. */
function haveRoles(callers: Roles, roles: Roles): boolean {
  const has = ({ org, role }: Roles[number]) => roles.some((known) => known.org === org && known.role === role)
  return callers.length === roles.length && callers.every(has)
}

/** The record and column of the tokens of a session. */
const bindTokens = (id: string) => `session/${id}/tokens`
