// Authenticates callers: HTTP Basic (organisation and API key) or a Bearer API key.
import { type ApiKey, type Database, findApiKey, isExpired, recordApiKeyUse } from '@floe/storage/database'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Timing } from '../timing.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { FailedLogins } from './failed-logins.ts'

/** How long a valid key is cached, in milliseconds. A revocation takes effect after at most this time. */
const keyMaxAgeMs = 1_000

/** Shortest time between two records of a key's last use, in milliseconds. */
const useIntervalMs = 60_000

const advice =
  'send the organisation as user name and one of its API keys as password (HTTP Basic), or the key as Bearer'
const missingCredentials = `Credentials are missing: ${advice}`
const wrongCredentials = `The credentials are wrong, revoked or expired: ${advice}`

/** The parts of a request that identify the caller. */
type Login = Pick<FastifyRequest, 'ip'> & { readonly headers: Pick<FastifyRequest['headers'], 'authorization'> }

type AuthenticatorParts = {
  readonly db: Database
  readonly failedLogins: FailedLogins
  readonly timing: Pick<Timing, 'now' | 'elapsed'>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Checks credentials against the stored keys. */
export class Authenticator {
  readonly #parts: AuthenticatorParts
  readonly #known: LRUCache<string, ApiKey>
  /** Ids of the keys whose use was recorded within the last `useIntervalMs`. */
  readonly #noted: LRUCache<string, true>

  constructor(parts: AuthenticatorParts) {
    const limits = { max: 10_000, ttlResolution: 0, perf: { now: parts.timing.elapsed } }
    this.#parts = parts
    this.#known = new LRUCache({ ...limits, ttl: keyMaxAgeMs })
    this.#noted = new LRUCache({ ...limits, ttl: useIntervalMs })
  }

  /**
   * Finds the valid key of a request to `org`.
   *
   * @throws RequestProblem as {@link refuse}
   */
  async authenticate(org: string, login: Login): Promise<ApiKey> {
    return (await this.find(org, login)) ?? (await this.refuse(org, login))
  }

  /** Like {@link authenticate}, but returns undefined when credentials are missing or wrong. */
  async find(org: string, { headers: { authorization } }: Login): Promise<ApiKey | undefined> {
    const credentials = parseCredentials(authorization)
    if (credentials === undefined || (credentials.org ?? org) !== org) return undefined
    const key = await this.#findValid(credentials.key)
    if (key?.org !== org) return undefined
    this.#noteUse(key)
    return key
  }

  /**
   * Finds the valid key of a request whose address names no organisation; null when it has no credentials.
   *
   * @throws RequestProblem as {@link refuse}
   */
  async identify(login: Login): Promise<ApiKey | null> {
    const { authorization } = login.headers
    if (authorization === undefined) return null
    const credentials = parseCredentials(authorization)
    const key = credentials && (await this.#findValid(credentials.key))
    if (key && (credentials.org ?? key.org) === key.org) {
      this.#noteUse(key)
      return key
    }
    return this.refuse(credentials?.org ?? '', login, 'Floe')
  }

  /**
   * Refuses a request to `org`. After many wrong credentials the refusal is delayed.
   *
   * @throws RequestProblem `unauthorized`. It says whether credentials are missing or wrong, but not which part of them is wrong,
   * so that callers cannot find out which organisations exist. `too-many-requests` when too many refusals are delayed already.
   */
  async refuse(org: string, { headers: { authorization }, ip }: Login, realm: string = org): Promise<never> {
    const isMissing = authorization === undefined
    if (!isMissing) await this.#parts.failedLogins.slowDown(org, ip)
    throw new RequestProblem('unauthorized', isMissing ? missingCredentials : wrongCredentials, {
      headers: { 'www-authenticate': `Basic realm="${realm.replace(/[^\w.-]/g, '')}", charset="UTF-8"` },
    })
  }

  /** Finds the key with this text; undefined if it is unknown, revoked or expired. */
  async #findValid(text: string): Promise<ApiKey | undefined> {
    const key = this.#known.get(text) ?? (await this.#lookUp(text))
    if (key === undefined || isExpired(key, new Date(this.#parts.timing.now()))) return undefined
    return key
  }

  async #lookUp(text: string): Promise<ApiKey | undefined> {
    const { db, timing } = this.#parts
    // The cached entry ages from before the query, because the key can be revoked while the query runs.
    const start = timing.elapsed()
    const key = await findApiKey(db, text, new Date(timing.now()))
    if (key) this.#known.set(text, key, { start })
    return key
  }

  /** Records the use in the background; a failure is only logged. */
  #noteUse({ id }: ApiKey): void {
    if (this.#noted.has(id)) return
    this.#noted.set(id, true)
    const { db, log, timing } = this.#parts
    recordApiKeyUse(db, id, new Date(timing.now())).catch((err: unknown) =>
      log.warn({ err, key: id }, 'last use not noted'),
    )
  }
}

/** Parses an Authorization header; undefined for any other scheme. Only Basic credentials name an organisation. */
function parseCredentials(authorization = ''): { readonly org?: string; readonly key: string } | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (bearer !== undefined) return { key: bearer }
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const end = text.indexOf(':')
  return end < 0 ? undefined : { org: text.slice(0, end), key: text.slice(end + 1) }
}
