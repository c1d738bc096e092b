// Authenticates callers: HTTP Basic (organisation and API key) or a Bearer API key.
import { responseHeaders } from '@floe/contract'
import { type ApiKey, type Database, findApiKey, isExpired, recordApiKeyUse } from '@floe/storage/database'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { FaultLog } from '../../observation/fault-log.ts'
import { hideSecrets } from '../../observation/hide-secrets.ts'
import type { Timing } from '../../timing.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import type { FailedLogins } from './failed-logins.ts'

/** How long a valid key is cached, in milliseconds. A revocation takes effect after at most this time. */
const keyMaxAgeMs = 1_000

/** The last use of a key is recorded at most this often, in milliseconds. */
const useIntervalMs = 60_000

const advice =
  'send the organisation as user name and one of its API keys as password (HTTP Basic), or the key as Bearer'
const wrongCredentials = `The credentials are wrong, revoked or expired: ${advice}`

/** The members of a request that authentication reads. */
type Login = Pick<FastifyRequest, 'ip'> & { readonly headers: Pick<FastifyRequest['headers'], 'authorization'> }

/** Texts of a refusal: the realm that a browser shows, and why credentials are needed. */
type Refusal = { readonly realm?: string; readonly whenMissing?: string | undefined }

type AuthenticatorParts = {
  readonly db: Database
  readonly failedLogins: FailedLogins
  /** Whether an organisation is served. The database may have keys of others, which are refused. */
  readonly serves: (org: string) => boolean
  readonly timing: Pick<Timing, 'now' | 'elapsed'>
  readonly faults: Pick<FaultLog, 'note'>
}

/** Checks credentials against the keys in the database. */
export class Authenticator {
  readonly #parts: AuthenticatorParts
  /** Valid keys, by their `Authorization` header. */
  readonly #cached: LRUCache<string, ApiKey>
  /** Running lookups, by `Authorization` header. Requests that arrive within `keyMaxAgeMs` share a lookup. */
  readonly #pending = new Map<string, { readonly start: number; readonly key: Promise<ApiKey | undefined> }>()
  /** Ids of the keys whose use was recorded within the last `useIntervalMs`. */
  readonly #recorded: LRUCache<string, true>

  constructor(parts: AuthenticatorParts) {
    const limits = { max: 10_000, ttlResolution: 0, perf: { now: parts.timing.elapsed } }
    this.#parts = parts
    this.#cached = new LRUCache({ ...limits, ttl: keyMaxAgeMs })
    this.#recorded = new LRUCache({ ...limits, ttl: useIntervalMs })
  }

  /** Whether an organisation is served. A reload can add and remove organisations. */
  serves(org: string): boolean {
    return this.#parts.serves(org)
  }

  /**
   * Finds the valid key of a request to `org`.
   *
   * @param whenMissing why credentials are needed
   * @throws RequestProblem as {@link refuse}
   */
  async authenticate(org: string, login: Login, whenMissing?: string): Promise<ApiKey> {
    return (await this.find(org, login)) ?? (await this.refuse(org, login, { whenMissing }))
  }

  /** Like {@link authenticate}, but returns undefined if credentials are missing or wrong. */
  async find(org: string, { headers: { authorization } }: Login): Promise<ApiKey | undefined> {
    const key = await this.#findValid(authorization)
    return key?.org === org ? key : undefined
  }

  /**
   * Finds the valid key of a request whose address names no organisation; null if it has no credentials.
   *
   * @throws RequestProblem as {@link refuse}
   */
  async identify(login: Login): Promise<ApiKey | null> {
    const { authorization } = login.headers
    if (authorization === undefined) return null
    const key = await this.#findValid(authorization)
    return key ?? this.refuse(parseCredentials(authorization)?.org ?? '', login, { realm: 'Floe' })
  }

  /**
   * Finds the cached key of an `Authorization` header that was checked within the last second; undefined if it must be
   * looked up.
   *
   * Finds it in a hash map. Node.js seeds its hashes at random, so the time that this takes reveals nothing about a
   * valid key.
   */
  findCached(authorization: string | undefined): ApiKey | undefined {
    const key = authorization === undefined ? undefined : this.#cached.get(authorization)
    const { serves, timing } = this.#parts
    if (key === undefined || isExpired(key, new Date(timing.now())) || !serves(key.org)) return undefined
    this.#recordUse(key)
    return key
  }

  /**
   * Refuses a request to `org`. After many wrong credentials the refusal is delayed.
   *
   * @throws RequestProblem `unauthorized`, which does not say which part of the credentials is wrong, so that callers
   * cannot find out which organisations exist; `too-many-requests` if too many refusals are delayed already
   */
  async refuse(
    org: string,
    { headers: { authorization }, ip }: Login,
    { realm = org, whenMissing = 'Credentials are missing' }: Refusal = {},
  ): Promise<never> {
    const isMissing = authorization === undefined
    if (!isMissing) await this.#parts.failedLogins.slowDown(org, ip)
    throw new RequestProblem('unauthorized', isMissing ? `${whenMissing}: ${advice}` : wrongCredentials, {
      headers: {
        [responseHeaders.authenticate.name]:
          `Basic realm="${hideSecrets(realm).replace(/[^\w.-]/g, '')}", charset="UTF-8"`,
      },
    })
  }

  /** Finds the valid key in a header whose organisation, if the header names one, has this key and is served. */
  async #findValid(authorization: string | undefined): Promise<ApiKey | undefined> {
    if (authorization === undefined) return undefined
    const cached = this.findCached(authorization)
    if (cached !== undefined) return cached
    const key = await this.#startOrJoin(authorization)
    // Only after the lookup, so that response times do not reveal which organisations are served.
    if (key === undefined || !this.#parts.serves(key.org)) return undefined
    this.#recordUse(key)
    return key
  }

  /** Looks a key up, or waits for a running lookup of the same header. */
  #startOrJoin(authorization: string): Promise<ApiKey | undefined> {
    const start = this.#parts.timing.elapsed()
    const pending = this.#pending.get(authorization)
    if (pending !== undefined && start <= pending.start + keyMaxAgeMs) return pending.key
    const lookup = { start, key: this.#lookUp(authorization, start) }
    this.#pending.set(authorization, lookup)
    const forget = () => {
      if (this.#pending.get(authorization) === lookup) this.#pending.delete(authorization)
    }
    lookup.key.then(forget, forget)
    return lookup.key
  }

  /** @param start from when the cached key ages: before the query, because the key can be revoked while it runs */
  async #lookUp(authorization: string, start: number): Promise<ApiKey | undefined> {
    const credentials = parseCredentials(authorization)
    if (credentials === undefined) return undefined
    const { db, timing } = this.#parts
    const key = await findApiKey(db, credentials.key, new Date(timing.now()))
    if (key === undefined || (credentials.org ?? key.org) !== key.org) return undefined
    this.#cached.set(authorization, key, { start })
    return key
  }

  /** Records the use in the background; a failure is only logged. */
  #recordUse({ id }: ApiKey): void {
    if (this.#recorded.has(id)) return
    this.#recorded.set(id, true)
    const { db, faults, timing } = this.#parts
    recordApiKeyUse(db, id, new Date(timing.now())).catch((err: unknown) =>
      faults.note(err, 'the last use of a key could not be recorded', { key: id }),
    )
  }
}

/** Parses an `Authorization` header; undefined for other schemes. Only Basic credentials name an organisation. */
function parseCredentials(authorization = ''): { readonly org?: string; readonly key: string } | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (bearer !== undefined) return { key: bearer }
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const end = text.indexOf(':')
  return end < 0 ? undefined : { org: text.slice(0, end), key: text.slice(end + 1) }
}
