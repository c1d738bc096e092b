// Authenticates callers: HTTP Basic (organisation and API key), a Bearer API key, a Bearer token of an issuer, or the
// cookie of somebody who has signed in.
import { responseHeaders } from '@floe/contract'
import { type Database, findApiKey, findAuthorizedKey, isExpired, recordApiKeyUse } from '@floe/storage/database'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { FaultLog } from '../../observation/fault-log.ts'
import { hideSecrets } from '../../observation/hide-secrets.ts'
import type { Timing } from '../../timing.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { type Caller, toCaller } from './caller.ts'
import type { FailedLogins } from './failed-logins.ts'
import { challengeBearer, type TokenIssuers } from './protected-resource.ts'
import { readCookie, sessionCookie } from './session-cookie.ts'

/** How long a valid key is cached, in milliseconds. A revocation takes effect after at most this time. */
const keyMaxAgeMs = 1_000

/**
 * How long a valid token is cached, in milliseconds, unless it expires before. A key that its issuer withdraws counts
 * for this time.
 */
const tokenMaxAgeMs = 60_000

/** Maximum length of all cached credentials together, in characters. A token can have kilobytes. */
const maxCachedLength = 10_000_000

/** The last use of a key is recorded at most this often, in milliseconds. */
const useIntervalMs = 60_000

const advice =
  'send the organisation as user name and one of its API keys as password (HTTP Basic), or the key as Bearer'

/** The members of a request that authentication reads. */
type Login = Pick<FastifyRequest, 'ip' | 'originalUrl'> & {
  readonly headers: Pick<FastifyRequest['headers'], 'authorization' | 'cookie' | 'sec-fetch-site'>
}

/** Texts of a refusal: the realm that a browser shows, and why credentials are needed. */
type Refusal = { readonly realm?: string; readonly whenMissing?: string | undefined }

/** One caller as each organisation sees it. */
export type Callers = readonly [Caller, ...Caller[]]

/** Checks the tokens of issuers. Finds no caller for a token that is wrong, or that no rule fits. */
export type TokenCheck = TokenIssuers & { readonly check: (token: string) => Promise<Callers | undefined> }

/** Finds who has signed in, by the secret in the cookie of a browser. */
export type SessionCheck = { readonly find: (secret: string) => Promise<Callers | undefined> }

type AuthenticatorParts = {
  readonly db: Database
  readonly failedLogins: FailedLogins
  /** Whether an organisation is served. The database may have keys of others, which are refused. */
  readonly serves: (org: string) => boolean
  /** Undefined unless the configuration names issuers, or makes the service one. */
  readonly tokens: TokenCheck | undefined
  /** Undefined if nobody can sign in. */
  readonly sessions?: SessionCheck | undefined
  readonly timing: Pick<Timing, 'now' | 'elapsed'>
  readonly faults: Pick<FaultLog, 'note'>
}

/** Checks credentials against the keys in the database, and tokens of issuers. */
export class Authenticator {
  readonly #parts: AuthenticatorParts
  /** Valid callers, by their credentials. */
  readonly #cached: LRUCache<string, Callers>
  /** Running lookups, by credentials. Requests that arrive within `keyMaxAgeMs` share a lookup. */
  readonly #pending = new Map<string, { readonly start: number; readonly callers: Promise<Callers | undefined> }>()
  /** Ids of the keys whose use was recorded within the last `useIntervalMs`. */
  readonly #recorded: LRUCache<string, true>

  constructor(parts: AuthenticatorParts) {
    const limits = { max: 10_000, ttlResolution: 0, perf: { now: parts.timing.elapsed } }
    this.#parts = parts
    const measure = (_callers: Callers, credentials: string) => credentials.length
    this.#cached = new LRUCache({ ...limits, ttl: keyMaxAgeMs, maxSize: maxCachedLength, sizeCalculation: measure })
    this.#recorded = new LRUCache({ ...limits, ttl: useIntervalMs })
  }

  /** Whether an organisation is served. A reload can add and remove organisations. */
  serves(org: string): boolean {
    return this.#parts.serves(org)
  }

  /**
   * Finds the caller of a request to `org`.
   *
   * @param whenMissing why credentials are needed
   * @throws RequestProblem as {@link refuse}
   */
  async authenticate(org: string, login: Login, whenMissing?: string): Promise<Caller> {
    return (await this.find(org, login)) ?? (await this.refuse(org, login, { whenMissing }))
  }

  /** Like {@link authenticate}, but returns undefined if credentials are missing or wrong. */
  async find(org: string, { headers }: Login): Promise<Caller | undefined> {
    const callers = await this.#findValid(this.#readLogin(headers))
    return callers?.find((caller) => caller.org === org)
  }

  /**
   * Finds the caller of a request whose address names no organisation, once for each organisation that it may use; null
   * if it has no credentials. The cookie of a session that has ended counts as none.
   *
   * @throws RequestProblem as {@link refuse}
   */
  async identify(login: Login): Promise<Callers | null> {
    const { authorization } = login.headers
    const callers = await this.#findValid(this.#readLogin(login.headers))
    if (authorization === undefined) return callers ?? null
    return callers ?? this.refuse(parseCredentials(authorization)?.org ?? '', login, { realm: 'Floe' })
  }

  /**
   * Finds the cached callers of credentials that were checked within the last second; undefined if they must be looked
   * up. All of them have one scope, so any can be used to find a cached answer.
   *
   * Finds them in a hash map. Node.js seeds its hashes at random, so the time that this takes reveals nothing about
   * valid credentials.
   */
  findCached(headers: Login['headers']): Callers | undefined {
    return this.#findKept(this.#readLogin(headers))
  }

  #findKept(authorization: string | undefined): Callers | undefined {
    const callers = authorization === undefined ? undefined : this.#cached.get(authorization)
    if (callers === undefined) return undefined
    const { serves, timing } = this.#parts
    const now = new Date(timing.now())
    if (!callers.every((caller) => serves(caller.org) && !isExpired(caller, now))) return undefined
    this.#recordUse(callers)
    return callers
  }

  /**
   * Refuses a request to `org`. After many wrong credentials the refusal is delayed.
   *
   * @throws RequestProblem `unauthorized`, which does not say which part of the credentials is wrong, so that callers
   * cannot find out which organisations exist; `too-many-requests` if too many refusals are delayed already
   */
  async refuse(
    org: string,
    { headers, ip, originalUrl }: Login,
    { realm = org, whenMissing = 'Credentials are missing' }: Refusal = {},
  ): Promise<never> {
    const { authorization, 'sec-fetch-site': site } = headers
    const isMissing = authorization === undefined
    if (!isMissing) await this.#parts.failedLogins.slowDown(org, ip)
    const { tokens, sessions } = this.#parts
    const lacking = this.findCached(headers) === undefined ? whenMissing : 'You are signed in, but have no role here'
    const reason = isMissing ? lacking : 'The credentials are wrong, revoked or expired'
    const orToken = tokens && `, or as Bearer a token of ${tokens.issuers.join(' or ')}`
    const named = `Basic realm="${hideSecrets(realm).replace(/[^\w.-]/g, '')}", charset="UTF-8"`
    // Clients of agents read only the first challenge; browsers find theirs anywhere.
    const bearer = tokens && challengeBearer(tokens, hideSecrets(originalUrl), /^bearer /i.test(authorization ?? ''))
    // A browser would ask for a password, where people sign in.
    const basic = sessions !== undefined && bearer !== undefined && site !== undefined ? undefined : named
    throw new RequestProblem('unauthorized', `${reason}: ${advice}${orToken ?? ''}`, {
      headers: { [responseHeaders.authenticate.name]: [bearer, basic].filter((text) => text !== undefined).join(', ') },
    })
  }

  /** Reads the credentials of a request: its header, or else its session in a form that no header has. */
  #readLogin({ authorization, cookie }: Login['headers']): string | undefined {
    if (authorization !== undefined || this.#parts.sessions === undefined) return authorization
    const secret = readCookie({ cookie }, sessionCookie)
    return secret && sessionStart + secret
  }

  /** Finds the callers of credentials. Their organisations are served. */
  async #findValid(authorization: string | undefined): Promise<Callers | undefined> {
    if (authorization === undefined) return undefined
    const cached = this.#findKept(authorization)
    if (cached !== undefined) return cached
    const callers = await this.#startOrJoin(authorization)
    // Only after the lookup, so that response times do not reveal which organisations are served.
    const [first, ...others] = callers?.filter(({ org }) => this.#parts.serves(org)) ?? []
    if (first === undefined) return undefined
    this.#recordUse([first])
    return [first, ...others]
  }

  /** Looks a key up, or waits for a running lookup of the same header. */
  #startOrJoin(authorization: string): Promise<Callers | undefined> {
    const start = this.#parts.timing.elapsed()
    const pending = this.#pending.get(authorization)
    if (pending !== undefined && start <= pending.start + keyMaxAgeMs) return pending.callers
    const lookup = { start, callers: this.#lookUp(authorization, start) }
    this.#pending.set(authorization, lookup)
    const forget = () => {
      if (this.#pending.get(authorization) === lookup) this.#pending.delete(authorization)
    }
    lookup.callers.then(forget, forget)
    return lookup.callers
  }

  /** @param start from when the cached key ages: before the query, because the key can be revoked while it runs */
  async #lookUp(authorization: string, start: number): Promise<Callers | undefined> {
    if (authorization.startsWith(sessionStart)) {
      const callers = await this.#parts.sessions?.find(authorization.slice(sessionStart.length))
      if (callers !== undefined) this.#cached.set(authorization, callers, { start })
      return callers
    }
    const credentials = parseCredentials(authorization)
    if (credentials === undefined) return undefined
    const { tokens } = this.#parts
    const isToken = tokens !== undefined && credentials.org === undefined && tokenStart.test(credentials.key)
    const callers = await (isToken ? tokens.check(credentials.key) : this.#findKey(credentials))
    const ttl = isToken ? tokenMaxAgeMs : keyMaxAgeMs
    if (callers !== undefined) this.#cached.set(authorization, callers, { start, ttl })
    return callers
  }

  async #findKey({ org, key: text }: Credentials): Promise<Callers | undefined> {
    const { db, timing, tokens } = this.#parts
    const now = new Date(timing.now())
    const given = tokens?.exchange && (await findAuthorizedKey(db, text, now))
    const key = given ?? (await findApiKey(db, text, now))
    return key === undefined || (org ?? key.org) !== key.org ? undefined : [toCaller(key)]
  }

  /** Records the use of a key in the background; a failure is only logged. */
  #recordUse([{ id, person }]: Callers): void {
    if (person !== undefined || this.#recorded.has(id)) return
    this.#recorded.set(id, true)
    const { db, faults, timing } = this.#parts
    recordApiKeyUse(db, id, new Date(timing.now())).catch((err: unknown) =>
      faults.note(err, 'the last use of a key could not be recorded', { key: id }),
    )
  }
}

/** How the credentials of a session begin in memory. No header can have this text. */
const sessionStart = '\0'

/** How every JWT begins: its header is a JSON object in base64url. */
const tokenStart = /^eyJ/

type Credentials = { readonly org?: string; readonly key: string }

/** Parses an `Authorization` header; undefined for other schemes. Only Basic credentials name an organisation. */
function parseCredentials(authorization = ''): Credentials | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (bearer !== undefined) return { key: bearer }
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const end = text.indexOf(':')
  return end < 0 ? undefined : { org: text.slice(0, end), key: text.slice(end + 1) }
}
