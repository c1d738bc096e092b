import { t } from 'tap'
import { systemTiming, type Timing } from '../../../../server/timing.ts'
import { basic, type RunningServer, startServer } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'

t.test('a refusal tells missing credentials from wrong ones, and nothing else', async (t) => {
  const key = 'floe_0123456789abcdef_0123456789012345678901234567890123456789012'
  const listWrongLogins = (server: RunningServer, org: string) => ({
    'a wrong key': basic(org, key),
    'no key at all': basic(org, ''),
    'another user': basic('other', server.apiKey),
    'a key of another organisation': basic(org, org === 'acme' ? key : server.adminKey),
    'not Basic': `Digest ${server.apiKey}`,
    'not base64': 'Basic %C3%BF',
    'a wrong Bearer': `Bearer ${key}`,
  })
  for (const area of ['services/tiles/ORG/_meta/discovery', 'services/nope/ORG/_meta/docs', 'orgs/ORG/keys']) {
    // A server for each area, because many wrong credentials are answered slowly.
    const server = await startServer(t)
    const ask = async (org: string, authorization?: string) => {
      const response = await fetch(`${server.origin}/v1/${area.replace('ORG', org)}`, {
        headers: { ...(authorization !== undefined && { authorization }) },
      })
      const { instance: _, ...problem } = await response.json()
      const challenge = response.headers.get('www-authenticate')
      t.equal(challenge, `Basic realm="${org}", charset="UTF-8"`)
      return problem
    }
    const missing = await ask('acme')
    const why = area.startsWith('services/')
      ? /^No public deployment has this name, .*: send /
      : /^Credentials are missing: send /
    t.match(missing, { status: 401, type: '/problems/unauthorized', detail: why }, area)
    t.strictSame(await ask('nobody'), missing, area)
    const refused = await ask('acme', basic('acme', key))
    t.match(refused, { status: 401, type: '/problems/unauthorized', detail: /^The credentials are wrong/ }, area)
    for (const org of ['acme', 'nobody']) {
      for (const [what, authorization] of Object.entries(listWrongLogins(server, org))) {
        t.strictSame(await ask(org, authorization), refused, `${area}: ${org}: ${what}`)
      }
    }
  }
})

// Proves: a public deployment requires no credentials
t.test('a public deployment needs no credentials', async (t) => {
  const server = await startServer(t)
  t.equal((await fetch(`${server.publicMeta}/discovery`)).status, 200)
  t.equal((await fetch(`${server.publicMeta}/datasets/weather/main/forecast/info`)).status, 200)
  t.equal((await fetch(`${server.publicMeta}/openapi.json`)).status, 200)
})

t.test('guesses are answered 401 all the same, and nobody with a right key is slowed', async (t) => {
  /** Callbacks of delayed answers, once the test delays them. */
  let held: (() => void)[] | undefined
  const after: Timing['after'] = (ms, callback) => {
    if (held === undefined || ms > 1_000) return systemTiming.after(ms, callback)
    held.push(callback)
    return () => undefined
  }
  const server = await startServer(t, { after })
  t.equal((await server.get('discovery')).status, 200)
  const guess = () => server.get('discovery', { authorization: basic('acme', 'floe_guess') })
  for (let guesses = 0; guesses < 21; guesses++) t.equal((await guess()).status, 401)
  const waiting: (() => void)[] = []
  held = waiting
  const guesses = Array.from({ length: 20 }, guess)
  await waitUntil(() => waiting.length >= guesses.length)
  t.equal((await server.get('discovery')).status, 200, 'the right key does not wait for the wrong ones')
  // Other parts of the server wait too, so an answer may be delayed later.
  held = undefined
  for (const letGo of waiting) letGo()
  for (const answer of await Promise.all(guesses)) t.equal(answer.status, 401)
})
