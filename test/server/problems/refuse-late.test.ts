// Requests that wait for more than three seconds before they are begun.
import { Problem } from '@floe/contract'
import { pino } from 'pino'
import { t, type Test } from 'tap'
import { basic, startServer } from '../start-server.ts'

const app = 'https://app.example.org'
const stranger = 'https://stranger.example.org'

/** A server that is too busy for all that comes, and the lines of its log. */
async function startBusy(t: Test) {
  let ms = 0
  let stepMs = 0
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const server = await startServer(t, { now: () => (ms += stepMs), corsOrigins: [app], log })
  // Between any two looks at the clock, more time passes than a request may wait.
  stepMs = 4_000
  return { server, listRequests: () => lines.filter(({ msg }) => msg === 'request') }
}

t.test(
  'a page of another origin can read the refusal, and when to try again, as it could read the answer',
  async (t) => {
    const { server } = await startBusy(t)
    for (const [meta, origin, allowed] of [
      [server.publicMeta, stranger, '*'],
      [server.meta, app, app],
      [server.meta, stranger, null],
    ] as const) {
      const response = await fetch(`${meta}/discovery`, { headers: { origin } })
      const { headers } = response
      t.equal(response.status, 503)
      t.match(Problem.parse(await response.json()), { type: '/problems/unavailable', detail: /too much to do/ })
      t.equal(headers.get('retry-after'), '5')
      t.equal(headers.get('cache-control'), 'no-store')
      t.equal(headers.get('x-content-type-options'), 'nosniff')
      t.equal(headers.get('access-control-allow-origin'), allowed)
      t.equal(headers.get('access-control-expose-headers'), allowed && 'etag, floe-snapshot, retry-after')
      t.equal(headers.get('vary'), allowed === '*' ? null : 'Origin')
    }
  },
)

t.test(
  'preflights do not wait, because a page could not read their refusal, and neither do health checks',
  async (t) => {
    const { server } = await startBusy(t)
    const preflight = await fetch(`${server.meta}/discovery`, {
      method: 'OPTIONS',
      headers: {
        origin: app,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    t.equal(preflight.status, 204)
    t.equal(preflight.headers.get('access-control-allow-origin'), app)
    t.equal((await fetch(`${server.origin}/healthz`)).status, 200)
  },
)

t.test('a refusal has a line in the log with the id of its problem, and is counted', async (t) => {
  const { server, listRequests } = await startBusy(t)
  const response = await server.get('discovery?key=secret')
  const { instance, detail } = Problem.parse(await response.json())
  const lines = listRequests()
  const url = '/v1/services/tiles/acme/_meta/discovery'
  t.match(lines, [{ level: 30, method: 'GET', url, status: 503, problem: 'unavailable', detail }])
  t.equal(instance, `urn:uuid:${String(lines[0]?.['reqId'])}`)
  t.notMatch(JSON.stringify(lines), /secret/)
  const metrics = await fetch(`${server.origin}/metrics`, {
    headers: { authorization: basic('acme', server.adminKey) },
  })
  t.match(await metrics.text(), /_count\{method="none",route="late",status="503"\} 1$/m)
})
