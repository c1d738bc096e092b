// Who asks. Basic credentials, the organisation as user name and an API key of it as password; or the key alone as Bearer.
import { type ApiKey, type Database, findApiKey, isExpired, recordApiKeyUse } from '@floe/storage/database'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../timing.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { FailedLogins } from './failed-logins.ts'

/** How long a key that was found valid is taken to be valid: the most by which a revocation can lag, in milliseconds. */
const keyMaxAgeMs = 1_000

/** Between two notes that a key is used, in milliseconds. */
const useIntervalMs = 60_000

const advice =
  'send the organisation as user name and one of its API keys as password (HTTP Basic), or the key as Bearer'
const missingCredentials = `Credentials are missing: ${advice}`
const wrongCredentials = `The credentials are wrong, revoked or expired: ${advice}`

/** What a request shows of who sent it. */
type Login = Pick<FastifyRequest, 'ip'> & { readonly headers: Pick<FastifyRequest['headers'], 'authorization'> }

type AuthenticatorParts = {
  readonly db: Database
  readonly failedLogins: FailedLogins
  readonly now: Clock
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Checks credentials against the stored keys. */
export class Authenticator {
  readonly #parts: AuthenticatorParts
  readonly #known: LRUCache<string, ApiKey>
  /** Ids of the keys whose use was noted of late. */
  readonly #noted: LRUCache<string, true>

  constructor(parts: AuthenticatorParts) {
    const limits = { max: 10_000, ttlResolution: 0, perf: { now: parts.now } }
    this.#parts = parts
    this.#known = new LRUCache({ ...limits, ttl: keyMaxAgeMs })
    this.#noted = new LRUCache({ ...limits, ttl: useIntervalMs })
  }

  /**
   * The key with which a request to `org` was made.
   *
   * @throws RequestProblem as {@link refuse}
   */
  async authenticate(org: string, login: Login): Promise<ApiKey> {
    return (await this.find(org, login)) ?? (await this.refuse(org, login))
  }

  /** The same, or undefined where credentials are missing or wrong. */
  async find(org: string, { headers: { authorization } }: Login): Promise<ApiKey | undefined> {
    const credentials = parseCredentials(authorization)
    if (credentials === undefined || (credentials.org ?? org) !== org) return undefined
    const key = await this.#valid(credentials.key)
    if (key?.org !== org) return undefined
    this.#noteUse(key)
    return key
  }

  /**
   * The key with which a request was made whose address names no organisation; null when it shows no credentials.
   *
   * @throws RequestProblem as {@link refuse}
   */
  async identify(login: Login): Promise<ApiKey | null> {
    const { authorization } = login.headers
    if (authorization === undefined) return null
    const credentials = parseCredentials(authorization)
    const key = credentials && (await this.#valid(credentials.key))
    if (key && (credentials.org ?? key.org) === key.org) {
      this.#noteUse(key)
      return key
    }
    return this.refuse(credentials?.org ?? '', login, 'Floe')
  }

  /**
   * Refuses a request to `org`; one with wrong credentials perhaps after a while.
   *
   * @throws RequestProblem `unauthorized`, which says whether credentials are missing or wrong; nothing tells whether the
   * organisation, the key or the form of the header is wrong
   */
  async refuse(org: string, { headers: { authorization }, ip }: Login, realm: string = org): Promise<never> {
    const isMissing = authorization === undefined
    if (!isMissing) await this.#parts.failedLogins.slowDown(org, ip)
    throw new RequestProblem('unauthorized', isMissing ? missingCredentials : wrongCredentials, {
      headers: { 'www-authenticate': `Basic realm="${realm.replace(/[^\w.-]/g, '')}", charset="UTF-8"` },
    })
  }

  /** The key with this text, unless it is unknown, revoked or expired. */
  async #valid(text: string): Promise<ApiKey | undefined> {
    const key = this.#known.get(text) ?? (await this.#look(text))
    if (key === undefined || isExpired(key, new Date(this.#parts.now()))) return undefined
    return key
  }

  async #look(text: string): Promise<ApiKey | undefined> {
    const { db, now } = this.#parts
    // From before the look, because the key can be revoked while the answer is on its way.
    const start = now()
    const key = await findApiKey(db, text, new Date(start))
    if (key) this.#known.set(text, key, { start })
    return key
  }

  /** Nobody waits for the note, and nobody fails with it. */
  #noteUse({ id }: ApiKey): void {
    if (this.#noted.has(id)) return
    this.#noted.set(id, true)
    const { db, log, now } = this.#parts
    recordApiKeyUse(db, id, new Date(now())).catch((err: unknown) => log.warn({ err, key: id }, 'last use not noted'))
  }
}

/** The key that a request shows, and the organisation that Basic credentials name; undefined for another form. */
function parseCredentials(authorization = ''): { readonly org?: string; readonly key: string } | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (bearer !== undefined) return { key: bearer }
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const end = text.indexOf(':')
  return end < 0 ? undefined : { org: text.slice(0, end), key: text.slice(end + 1) }
}
