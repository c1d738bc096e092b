// Who asks. Basic credentials: the organisation as user name, an API key of it as password.
import { type ApiKey, type Database, findApiKey } from '@floe/storage/database'
import { LRUCache } from 'lru-cache'
import { RequestProblem } from '../problems/request-problem.ts'

/** How long a key that was found valid is taken to be valid: the most by which a revocation can lag, in milliseconds. */
const keyMaxAgeMs = 1_000

/** Checks credentials against the stored keys. */
export class Authenticator {
  readonly #db: Database
  readonly #valid = new LRUCache<string, ApiKey>({ max: 10_000, ttl: keyMaxAgeMs })

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * The key with which a request to `org` was made.
   *
   * @throws RequestProblem `unauthorized`; the same whether the organisation, the key or the header is wrong
   */
  async authenticate(org: string, authorization: string | undefined): Promise<ApiKey> {
    const credentials = parseBasic(authorization)
    if (credentials?.user === org) {
      const key = this.#valid.get(credentials.password) ?? (await this.#find(credentials.password))
      if (key?.org === org) return key
    }
    throw new RequestProblem('unauthorized', `Send the organisation and an API key of it as Basic credentials`, {
      headers: { 'www-authenticate': `Basic realm="${org.replace(/[^\w.-]/g, '')}", charset="UTF-8"` },
    })
  }

  async #find(text: string): Promise<ApiKey | undefined> {
    const key = await findApiKey(this.#db, text)
    if (key) this.#valid.set(text, key)
    return key
  }
}

function parseBasic(authorization: string | undefined): { user: string; password: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}
