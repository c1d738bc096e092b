// A scanned location that contains more than the setting `limits.maxScanned` allows.
import { Problem } from '@floe/contract'
import { defaultLimits } from '@floe/storage/icechunk'
import { openLocalStore, TooManyObjectsError } from '@floe/storage/objects'
import { t } from 'tap'
import { Catalog } from '../../../../server/catalog/catalog.ts'
import { makeReadingSignal } from '../../../../server/catalog/reading-signals.ts'
import { recordStates } from '../../observation/record-states.ts'
import { ManualTiming } from '../../notifications/manual-timing.ts'
import { basic, startServer } from '../../start-server.ts'

const three = { one: { repo: 'x' }, two: { repo: 'x' }, other: {} }

t.test(
  'a location with too many directories is refused by its place and the setting, and stands in the log once',
  async (t) => {
    const directory = t.testdir(three)
    const timing = new ManualTiming()
    const { states, lines } = recordStates(timing.elapsed)
    const scanLimits = { maxScanned: 2 }
    const catalog = new Catalog('acme', [{ kind: 'scan', store: openLocalStore(directory) }], {
      ensureIds: async () => new Map(),
      timing,
      limits: defaultLimits,
      scanLimits,
      states,
    })
    const excess = 'more than 2 directories and files lie directly below a scanned location'
    const named = `${directory}: listing: ${excess}; to allow more, raise limits.maxScanned`
    for (let scans = 0; scans < 3; scans++) {
      const error: unknown = await catalog.listNames().catch((error: unknown) => error)
      t.type(error, TooManyObjectsError)
      t.match(error, { message: named })
      await timing.pass(600_000)
    }
    t.match(catalog.failures, [{ message: named }])
    t.match(lines, [{ level: 'error', location: directory, err: { message: named } }])
    t.equal(lines.length, 1)
    t.ok(await catalog.find('one', makeReadingSignal), 'a repository is found by its name')
    // As a reload does.
    scanLimits.maxScanned = 3
    t.strictSame(await catalog.listNames(), ['one', 'two'])
    t.strictSame(catalog.failures, [])
    t.match(lines[1], { message: 'repositories can be listed again' })
  },
)

t.test('callers learn the setting, not the place, and other repositories are still served', async (t) => {
  const store = openLocalStore(t.testdir(three))
  const scanLimits = { maxScanned: 2 }
  const server = await startServer(t, { sources: [{ kind: 'scan', store }], scanLimits, onError: () => {} })
  const askReady = async () => {
    const response = await fetch(`${server.origin}/readyz`)
    return { status: response.status, body: await response.json() }
  }
  await server.notifier.start()
  const response = await server.get('discovery')
  t.equal(response.status, 422)
  const problem = Problem.parse(await response.json())
  t.match(problem, {
    type: '/problems/too-many-repositories',
    detail: /more than 2 .* to allow more, raise limits\.maxScanned$/,
  })
  t.notMatch(problem.detail, store.location)
  const page = await server.get('', { accept: 'text/html', authorization: basic('acme', server.adminKey) })
  t.equal(page.status, 422)
  t.notMatch(await page.text(), /object store/)
  const reasons = [/^Scanned locations that hold more than limits\.maxScanned: 1\./]
  t.match(await askReady(), { status: 200, body: { status: 'ok', reasons } })
  t.notMatch(JSON.stringify(await askReady()), store.location)
  t.strictSame(await (await fetch(`${server.origin}/healthz`)).json(), { status: 'ok' })
})
