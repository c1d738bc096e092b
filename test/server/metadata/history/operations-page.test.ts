import { t } from 'tap'
import { visibleText } from '../../pages/markup.ts'
import { startServer } from '../../start-server.ts'
import { readExpected, requireList, requireObject, requireText } from './read-expected.ts'

const server = await startServer(t)

const html = { accept: 'text/html' }

t.test('callers who prefer HTML get the operations as a page, others as JSON', async (t) => {
  const page = await server.get('operations/operations', html)
  t.match(page.headers.get('content-type'), 'text/html')
  t.match((await server.get('operations/operations')).headers.get('content-type'), 'application/json')
  const official = requireList((await readExpected('operations')).get('operations'))
  const markup = await page.text()
  t.equal(/<ol class="refs operations">.*?<\/ol>/s.exec(markup)?.[0].split('<li>').length, official.length + 1)
  t.match(await (await server.get('operations/weather-v1', html)).text(), 'has no operations log')
  t.equal(
    (await server.get('operations/operations', { ...html, 'if-none-match': page.headers.get('etag') ?? '' })).status,
    304,
  )
})

t.test('every snapshot that the operations link to is served', async (t) => {
  const markup = await (await server.get('operations/operations', html)).text()
  const addresses = [...markup.matchAll(/href="[^"]*_meta\/(discovery\/operations\/\w{20})"/g)].map(
    ([, link = '']) => link,
  )
  t.ok(addresses.length > 2)
  for (const address of new Set(addresses)) t.equal((await server.get(address, html)).status, 200, address)
})

t.test('a page of operations leads to the next', async (t) => {
  const first = await (await server.get('operations/operations?limit=2', html)).text()
  const [, next = ''] = /href="[^"]*_meta\/(operations\/operations\?before=[^"]+)" rel="next"/.exec(first) ?? []
  const second = await (await server.get(next, html)).text()
  t.match(visibleText(second), 'Newest operations')
  t.notSame(/<ol.*<\/ol>/s.exec(first)?.[0], /<ol.*<\/ol>/s.exec(second)?.[0])
})

t.test('the page of a repository has the state and the metadata that official Icechunk reads', async (t) => {
  const official = requireObject((await readExpected('operations')).get('repository'))
  const text = visibleText(await (await server.get('discovery/operations', html)).text())
  const status = requireObject(official.get('status'))
  t.match(text, `\n: ${requireText(status.get('reason'))}`)
  for (const name of requireObject(official.get('metadata')).keys()) t.match(text, `\n${name}\n`)
  t.match(visibleText(await (await server.get('discovery/weather-v1', html)).text()), 'Format version\n1')
})

t.test('the page of a commit has its metadata, besides the author', async (t) => {
  const page = async (path: string) => visibleText(await (await server.get(path, html)).text())
  const { commits } = (await (await server.get('history/weather/main')).json()) as {
    commits: { snapshot_id: string; metadata: Record<string, unknown> }[]
  }
  const isAuthor = (name: string) => name.startsWith('author')
  const described = commits.filter(({ metadata }) => Object.keys(metadata).some((name) => !isAuthor(name)))
  t.ok(described.length > 0)
  for (const { snapshot_id, metadata } of commits) {
    const text = await page(`discovery/weather/${snapshot_id}`)
    for (const name of Object.keys(metadata)) t.equal(text.includes(`\n${name}\n`), !isAuthor(name), name)
  }
})
