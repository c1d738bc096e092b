// A request is refused in the same way whether its answer is cached or not.
import { deepStrictEqual } from 'node:assert/strict'
import { createApiKey, openDatabase, revokeApiKey } from '@floe/storage/database'
import fc from 'fast-check'
import { t } from 'tap'
import { systemTiming, type Timing } from '../../../../server/timing.ts'
import { checkProperty } from '../../../check-property.ts'
import { basic, startServer } from '../../start-server.ts'
import { countHandled } from './count-handled.ts'
import { info, refMaxAge, send } from './start-caching.ts'

const app = 'https://app.example.org'

/** Headers that say who asks and whether he may. What else an answer has depends on the address of the server. */
const compared = /^(content-type|www-authenticate|retry-after|ratelimit-|access-control-|vary|allow)/

/** Delays answers to wrong credentials by only a millisecond. */
const soon: Timing['after'] = (ms, callback) => systemTiming.after(ms <= 1_000 ? 1 : ms, callback)

const keys = ['reader', 'weather', 'admin', 'revoked later', 'other organisation', 'wrong', 'none'] as const

const request = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'),
  deployment: fc.constantFrom('tiles', 'tiles', 'open', 'open', 'nowhere'),
  path: fc.constantFrom(info, info, 'discovery/weather', 'datasets/satellite/main/info', 'datasets/weather/nope/info'),
  key: fc.constantFrom(...keys),
  headers: fc.constantFrom<Record<string, string>>(
    {},
    {},
    { origin: app },
    { origin: 'https://stranger.example.org' },
    { host: 'stranger.example.org' },
    { accept: 'text/html' },
    { 'if-none-match': '*' },
  ),
})

t.test('whatever is asked in whatever order, a server refuses as one without cached answers does', async (t) => {
  const clock = { ms: Date.now() }
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const options = {
    db,
    now: () => clock.ms,
    after: soon,
    metadataPerMinute: 20,
    corsOrigins: [app],
    otherOrgs: { other: [] },
  }
  const caching = await startServer(t, { ...options, refMaxAge })
  const plain = await startServer(t, options)
  const handled = countHandled(t)
  const make = (org: string, role: 'reader' | 'admin', repos: readonly string[] | null = null) =>
    createApiKey(db, { org, role, repos }, new Date(clock.ms))
  let fromCache = 0
  await checkProperty(
    1_000,
    fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 5 }), fc.nat(5), async (requests, revokedAt) => {
      // Later than the minute of the last case, in which its requests count.
      clock.ms += refMaxAge * 2
      const known = {
        reader: await make('acme', 'reader'),
        weather: await make('acme', 'reader', ['weather']),
        admin: await make('acme', 'admin'),
        'revoked later': await make('acme', 'reader'),
        'other organisation': await make('other', 'admin'),
        wrong: 'floe_0000000000000000_nope',
      }
      for (const [index, { method, deployment, path, key, headers }] of requests.entries()) {
        if (index === revokedAt) {
          const revoked = known['revoked later'].slice(5, 21)
          await revokeApiKey(db, revoked, { now: new Date(clock.ms), keepsDescendants: false })
          // A key counts as valid for up to a second.
          clock.ms += 1_001
        }
        const authorization = key === 'none' ? {} : { authorization: basic('acme', known[key]) }
        const ask = async ({ origin }: typeof plain) => {
          const address = `${origin}/v1/services/${deployment}/acme/_meta/${path}`
          const answer = await send(method, address, { ...authorization, ...headers })
          const headersOfAccess = Object.entries(answer.headers).filter(([name]) => compared.test(name))
          return { status: answer.status, headers: Object.fromEntries(headersOfAccess) }
        }
        // Twice, so that the second answer is cached where it can be.
        for (let times = 0; times < 2; times++) {
          const before = handled()
          const cached = await ask(caching)
          if (cached.status === 200 && handled() === before) fromCache++
          const computed = await ask(plain)
          deepStrictEqual(cached, computed)
        }
      }
    }),
  )
  t.ok(fromCache > 30, `${fromCache} answers came from the cache`)
})
