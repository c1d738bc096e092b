// Callers who ask for large answers and do not read them.
import { once } from 'node:events'
import { connect } from 'node:net'
import { t, type Test } from 'tap'
import type { CatalogSource } from '../../../../server/catalog/sources/open-sources.ts'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { type RunningServer, startServer } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'

/** Far larger than what the kernel buffers for a connection, and together nearly as large as a snapshot may be. */
const groups = 3
const answerBytes = 10_000_000

/** A repository whose groups have one large attribute each. */
function serveLargeGroups(): CatalogSource {
  const describe = (text: string) => JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: { text } })
  const nodes = Array.from({ length: groups }, (_, index) => [`/g${index}`, describe('x'.repeat(answerBytes))] as const)
  const snapshot = buildSnapshot({
    nodes: [['/', describe('')] as const, ...nodes].map(([path, text]) => buildNode(path, 2, text)),
  })
  const store = new MemoryStore([
    ['repo', buildRepo()],
    [`snapshots/${buildId(1)}`, snapshot],
  ])
  return { kind: 'repository', name: 'large', store: Object.assign(store, { location: 'large' }) }
}

/**
 * Asks for answers from one address, one after the other, and reads nothing. Returns the connections that are left
 * open.
 */
async function askWithoutReading(t: Test, { publicMeta, http }: RunningServer, count: number, localAddress: string) {
  const { hostname: host, port, pathname } = new URL(publicMeta)
  let open = 0
  for (let index = 0; index < count; index++) {
    const asked = once(http, 'request')
    const socket = connect({ host, port: Number(port), localAddress })
    socket.on('error', () => {})
    t.teardown(() => socket.destroy())
    socket.pause().write(`GET ${pathname}/datasets/large/main/g${index % groups}/dict HTTP/1.1\r\nhost: x\r\n\r\n`)
    const [, response] = await asked
    open += 1
    response.once('close', () => (open -= 1))
    await waitUntil(() => response.writableEnded)
  }
  return () => open
}

t.setTimeout(600_000)

t.test('an address that reads nothing is refused beyond its limit, and others are served', async (t) => {
  const unsentBytesPerAddress = 5 * answerBytes
  const server = await startServer(t, { sources: [serveLargeGroups()], connectionLimits: { unsentBytesPerAddress } })
  const countOpen = await askWithoutReading(t, server, 10, '127.0.0.2')
  await waitUntil(() => countOpen() === 4)
  t.pass('the fifth does not fit, with its headers and its other members')
  const answer = await fetch(`${server.publicMeta}/datasets/large/main/g2/dict`)
  t.equal(answer.status, 200)
  t.ok((await answer.text()).length > answerBytes)
})

t.test('when all addresses together exceed the limit, the oldest answers are given up for new ones', async (t) => {
  const timing = { ms: 0 }
  const server = await startServer(t, {
    sources: [serveLargeGroups()],
    now: () => timing.ms,
    connectionLimits: { unsentBytes: 4 * answerBytes, unsentBytesPerAddress: 2 * answerBytes },
    metadataPerMinute: 100,
  })
  const path = `${server.publicMeta}/datasets/large/main/g2/dict`
  const cached = await fetch(path)
  await cached.arrayBuffer()
  for (let index = 2; index < 6; index++) await askWithoutReading(t, server, 2, `127.0.0.${index}`)
  const refused = await fetch(path)
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '2')
  t.equal(refused.headers.get('etag'), null)
  const countRemaining = ({ headers }: Response) => Number(headers.get('ratelimit-remaining'))
  t.equal(countRemaining(refused), countRemaining(cached) - 1, 'a refused request counts once')
  t.match(await refused.json(), { type: '/problems/unavailable', detail: /wait to be read/ })
  timing.ms += 2_000
  t.equal((await fetch(path)).status, 200)
})
