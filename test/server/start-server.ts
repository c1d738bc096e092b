// A real server on real repositories, listening on loopback, gone with the test.
import { createApiKey, openDatabase, rememberRepository } from '@floe/storage/database'
import { openLocalStore } from '@floe/storage/objects'
import type { Test } from 'tap'
import { buildServer } from '../../server/build-server.ts'
import type { Clock } from '../../server/clock.ts'
import { Catalog, type CatalogSource } from '../../server/metadata/catalog.ts'

/** Where the repositories written by official Icechunk lie. */
export const fixtures = new URL('../fixtures/repositories/', import.meta.url).pathname

/** What a test of a running server works with. */
export type RunningServer = {
  readonly origin: string
  /** Address of the metadata routes of the private deployment `tiles`, without a trailing slash. */
  readonly meta: string
  /** The same for the deployment `open`, which needs no credentials. */
  readonly publicMeta: string
  /** A reader's key for `acme`. */
  readonly apiKey: string
  /** A reader's key for `acme`, limited to the repository `weather`. */
  readonly weatherKey: string
  /** GET with the reader's key; an address below `meta`, or a whole one. */
  get(path: string, headers?: Record<string, string>): Promise<Response>
}

/** Starts a server for the organisation `acme`. */
export async function startServer(
  t: Test,
  {
    sources = [{ kind: 'scan', store: openLocalStore(fixtures) }],
    now = Date.now,
  }: { readonly sources?: readonly CatalogSource[]; readonly now?: Clock } = {},
): Promise<RunningServer> {
  const db = await openDatabase('sqlite::memory:')
  const apiKey = await createApiKey(db, { org: 'acme', role: 'reader', repos: null }, new Date())
  const weatherKey = await createApiKey(db, { org: 'acme', role: 'reader', repos: ['weather'] }, new Date())
  const remember = (org: string, name: string) => rememberRepository(db, org, name, new Date(now()))
  const app = await buildServer({
    db,
    catalogs: new Map([['acme', new Catalog('acme', sources, remember, now)]]),
    deployments: [
      { name: 'tiles', org: 'acme', public: false },
      { name: 'open', org: 'acme', public: true },
    ],
    baseUrl: null,
    cache: { maxBytes: 64_000_000, refMaxAge: 0 },
    now,
    log: false,
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    await app.close()
    await db.destroy()
  })
  const meta = `${origin}/v1/services/tiles/acme/_meta`
  return {
    origin,
    meta,
    publicMeta: `${origin}/v1/services/open/acme/_meta`,
    apiKey,
    weatherKey,
    get: (path, headers = {}) =>
      fetch(path.startsWith('http') ? path : `${meta}/${path}`, {
        headers: { authorization: basic('acme', apiKey), ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(30_000),
      }),
  }
}

/** The value of an `Authorization` header. */
export function basic(org: string, key: string): string {
  return `Basic ${Buffer.from(`${org}:${key}`).toString('base64')}`
}
