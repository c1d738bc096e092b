import { t } from 'tap'
import { MemoryStore } from '../../storage/memory-store.ts'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../storage/repositories/icechunk/build-object.ts'
import { visibleText } from '../pages/markup.ts'
import { startServer } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'
import { writeArrayDocument } from './describe/array-document.ts'

t.test('a search that leaves datasets out says so in its answer and on its page', async (t) => {
  const id = buildId(1)
  // A path that is too long is left out as datasets beyond the first 10,000 are.
  const groups = ['sea', 'x'.repeat(2_001)]
  const nodes = groups.flatMap((path) => [
    buildNode(`/${path}`, 2, '{"zarr_format":3,"node_type":"group","attributes":{}}'),
    buildNode(`/${path}/v`, 1, writeArrayDocument({})),
  ])
  const store = new MemoryStore([
    ['repo', buildRepo()],
    [`snapshots/${id}`, buildSnapshot({ id, nodes })],
  ])
  const server = await startServer(t, { hasSearch: true, sources: [{ kind: 'repository', name: 'ocean', store }] })
  await server.notifier.start()
  const search = async () => (await server.get('search?q=sea')).json()
  await waitUntil(async () => (await search()).total === 1)
  await waitUntil(async () => (await search()).index.pending === 0)
  t.match(await search(), { total: 1, index: { omitted: 1 } })
  const page = await (await server.get('search?q=sea', { accept: 'text/html' })).text()
  t.match(
    visibleText(page).replaceAll(/\s+/g, ' '),
    'Left out: 1 dataset, because its repository has too many datasets or words.',
  )
})
