// Who asks. Basic credentials, the organisation as user name and an API key of it as password; or the key alone as Bearer.
import { type ApiKey, type Database, findApiKey, isExpired, recordApiKeyUse } from '@floe/storage/database'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
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
  readonly #valid: LRUCache<string, ApiKey>
  /** Ids of the keys whose use was noted of late. */
  readonly #noted: LRUCache<string, true>

  constructor(parts: AuthenticatorParts) {
    const limits = { max: 10_000, ttlResolution: 0, perf: { now: parts.now } }
    this.#parts = parts
    this.#valid = new LRUCache({ ...limits, ttl: keyMaxAgeMs })
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
    const text = keyText(org, authorization)
    if (text === undefined) return undefined
    const key = this.#valid.get(text) ?? (await this.#look(text))
    if (key?.org !== org || isExpired(key, new Date(this.#parts.now()))) return undefined
    this.#noteUse(key)
    return key
  }

  /**
   * Refuses a request to `org`; one with wrong credentials perhaps after a while.
   *
   * @throws RequestProblem `unauthorized`, which says whether credentials are missing or wrong; nothing tells whether the
   * organisation, the key or the form of the header is wrong
   */
  async refuse(org: string, { headers: { authorization }, ip }: Login): Promise<never> {
    const isMissing = authorization === undefined
    if (!isMissing) await this.#parts.failedLogins.slowDown(org, ip)
    throw new RequestProblem('unauthorized', isMissing ? missingCredentials : wrongCredentials, {
      headers: { 'www-authenticate': `Basic realm="${org.replace(/[^\w.-]/g, '')}", charset="UTF-8"` },
    })
  }

  async #look(text: string): Promise<ApiKey | undefined> {
    const { db, now } = this.#parts
    // From before the look, because the key can be revoked while the answer is on its way.
    const start = now()
    const key = await findApiKey(db, text, new Date(start))
    if (key) this.#valid.set(text, key, { start })
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

function keyText(org: string, authorization = ''): string | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (bearer !== undefined) return bearer
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1] ?? ''
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  return credentials.startsWith(`${org}:`) ? credentials.slice(org.length + 1) : undefined
}
