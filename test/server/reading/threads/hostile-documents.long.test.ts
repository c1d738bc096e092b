import { t } from 'tap'
import type { CatalogSource } from '../../../../server/catalog/sources/open-sources.ts'
import { systemTiming } from '../../../../server/timing.ts'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { type HostileDocument, makeHostileDocuments, writeArray } from '../hostile-documents.ts'
import { startServer } from '../../start-server.ts'

const root = '{"zarr_format":3,"node_type":"group","attributes":{}}'

function buildNodes({ kind, text }: HostileDocument) {
  return kind === 'group'
    ? [buildNode('/', 2, text), buildNode('/a', 1, writeArray())]
    : [buildNode('/', 2, root), buildNode('/a', 1, text)]
}

/** A repository whose only snapshot has the document. */
function serve(document: HostileDocument, name: string): CatalogSource {
  const snapshot = buildSnapshot({ nodes: buildNodes(document) })
  const store = new MemoryStore([
    ['repo', buildRepo()],
    [`snapshots/${buildId(1)}`, snapshot],
  ])
  return { kind: 'repository', name, store: Object.assign(store, { location: name }) }
}

// Documents of hundreds of megabytes take long to make, and longer on a busy machine.
t.setTimeout(600_000)

t.test('hostile documents are answered or refused, and the service answers meanwhile', async (t) => {
  const documents: Omit<HostileDocument, 'text'>[] = []
  const sources: CatalogSource[] = []
  for (const { text, ...document } of makeHostileDocuments()) {
    sources.push(serve({ ...document, text }, `hostile-${documents.length}`))
    documents.push(document)
  }
  // A reader thread needs a second at most, but on a busy machine it may have to wait for a processor.
  const after: typeof systemTiming.after = (ms, callback) => systemTiming.after(3 * ms, callback)
  const server = await startServer(t, { sources, after })
  for (const [index, { name, status, code }] of documents.entries()) {
    const request = server.get(`datasets/hostile-${index}/main/info`)
    for (let beat = 0; beat < 3; beat++) {
      const health = await fetch(`${server.origin}/healthz`)
      t.equal(health.status, 200, `healthz answers during ${name}`)
      await health.body?.cancel()
    }
    const response = await request
    const body = await response.text()
    t.equal(response.status, status, `${name}: ${body.slice(0, 200)}`)
    if (code !== undefined) t.match(body, `/problems/${code}"`, name)
    const page = await server.get(`datasets/hostile-${index}/main/`, { accept: 'text/html' })
    t.equal(page.status, 200, `${name}: the page shows what can be read`)
    await page.body?.cancel()
    const listed = await server.get(`discovery/hostile-${index}`, { accept: 'text/html' })
    t.ok([200, 422].includes(listed.status), `${name}: the page of the repository has status ${listed.status}`)
    await listed.body?.cancel()
  }
})
