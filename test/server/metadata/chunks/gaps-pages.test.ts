// Pages with gaps, of a repository of official Icechunk.
import { ObjectStoreError, openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { visibleText } from '../../pages/markup.ts'
import { ManifestStore, readObjects } from '../../reading/manifests/open-manifests.ts'
import { startServer } from '../../start-server.ts'

const repositories = new URL('../../../fixtures/manifests/', import.meta.url).pathname
const html = { accept: 'text/html' }

async function start(t: Test) {
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(repositories) }] })
  const show = async (address: string) => {
    const response = await server.get(address, html)
    t.equal(response.status, 200, address)
    t.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    return response.text()
  }
  return { server, show }
}

t.test('callers who prefer HTML get a page at the address of the gaps', async (t) => {
  const { server, show } = await start(t)
  for (const repo of ['v1', 'v2']) {
    const page = await show(`gaps/${repo}/main`)
    t.match(
      visibleText(page),
      /split\n34 of 48 chunks written\n3 gaps along dim_0: 1 \(0 of 4 chunks\), 9 to 10 \(0 of 4 each\), 11 \(2 of 4\)\.\s+Along\s+dim_1\n/,
    )
    t.match(page, 'datasets/v2/main#variable-split'.replace('v2', repo))
  }
  const response = await server.get('gaps/v2/main', html)
  t.match(response.headers.get('vary'), 'accept')
  const tag = response.headers.get('etag') ?? ''
  t.equal((await server.get('gaps/v2/main', { ...html, 'if-none-match': tag })).status, 304)
  t.not((await server.get('gaps/v2/main?along=dim_1', html)).headers.get('etag'), tag)
  t.not((await server.get('gaps/v2/main')).headers.get('etag'), tag)
})

t.test('a page has what its address selects, and leads to the next', async (t) => {
  const { server, show } = await start(t)
  t.match(visibleText(await show('gaps/v2/main?path=split&along=dim_1')), '1 gap along dim_1: 0 (16 of 18 chunks)')
  const first = await show('gaps/v2/main?limit=3')
  const [, next = ''] = /<a href="([^"]*)" rel="next">/.exec(first) ?? []
  const second = await show(server.origin + next.replaceAll('&amp;', '&'))
  const names = [first, second].map((page) => [...page.matchAll(/<h3><a [^>]*>([^<]*)/g)].map(([, name]) => name))
  t.strictSame(
    names.map((list) => new Set(list)),
    [new Set(['empty', 'inline', 'mixed']), new Set(['native', 'scalar', 'sparse'])],
  )
  t.equal((await server.get('gaps/v2/main?group=none', html)).status, 404)
})

t.test('the page of a dataset has strips of its incomplete arrays', async (t) => {
  const { show } = await start(t)
  for (const repo of ['v1', 'v2']) {
    const page = await show(`datasets/${repo}/main`)
    const text = visibleText(page)
    t.match(text, '3 gaps along dim_0: 1 (0 of 4 chunks), 9 to 10 (0 of 4 each), 11 (2 of 4).')
    t.notMatch(text, 'nothing written yet', 'an array without chunks has none')
    t.notMatch(text, /gaps along dim_0: .* of 1,000,000/, 'neither has one with too many positions')
    t.match(page, `/gaps/${repo}/main?path=sparse" rel="nofollow">Gaps</a>`)
  }
})

t.test('the page of a dataset has no strips while the store does not return manifests', async (t) => {
  const store = new ManifestStore(await readObjects('v2'))
  store.beforeManifest = () => {
    throw new ObjectStoreError('memory', 'a manifest', 'the store does not answer', {})
  }
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'v2', store }] })
  const without = await server.get('datasets/v2/main', html)
  t.equal(without.status, 200)
  t.notMatch(await without.text(), '3 gaps along dim_0')
  t.equal((await server.get('gaps/v2/main', html)).status, 502)
  store.beforeManifest = () => undefined
  t.match(await (await server.get('datasets/v2/main', html)).text(), '3 gaps along dim_0')
})

t.test('no chunk is read for a page, and each manifest once', async (t) => {
  const store = new MemoryStore(await readObjects('v2'))
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'v2', store }] })
  for (const address of ['datasets/v2/main', 'gaps/v2/main', 'datasets/v2/main']) {
    t.equal((await server.get(address, html)).status, 200)
  }
  const manifests = store.asked.filter((key) => key.startsWith('manifests/'))
  t.equal(manifests.length, new Set(manifests).size)
  t.strictSame(
    store.asked.filter((key) => key.startsWith('chunks/')),
    [],
  )
})
