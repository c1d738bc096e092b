import { openLocalStore } from '@floe/storage/objects'
import { join } from 'node:path'
import { Slices } from '@floe/storage/waiting'
import { t } from 'tap'
import type { CatalogSource } from '../../../server/catalog/sources/open-sources.ts'
import { filterNames } from '../../../server/metadata/browse.ts'
import { countTurns } from '../count-turns.ts'
import { countReads } from '../catalog/count-reads.ts'
import { visibleText } from '../pages/markup.ts'
import { basic, fixtures, startServer } from '../start-server.ts'

/** A server with `weather` and 250 others, and all reads of their stores. */
async function startWithMany(t: Parameters<typeof startServer>[0]) {
  const { store, reads } = countReads(openLocalStore(join(fixtures, 'weather')))
  const names = ['weather', ...Array.from({ length: 250 }, (_, index) => `Ice-${String(index).padStart(3, '0')}`)]
  const sources = names.map((name): CatalogSource => ({ kind: 'repository', name, store }))
  const server = await startServer(t, { sources })
  const show = async (query: string) => {
    const response = await server.get(query, { accept: 'text/html' })
    return { status: response.status, text: visibleText(await response.text()) }
  }
  return { server, reads, show }
}

t.test('the page of the repositories comes from the database, and reads none of them', async (t) => {
  const { server, reads, show } = await startWithMany(t)
  t.match((await show('?filter=weather')).text, 'weather\nNot read yet, or cannot be read.')
  t.strictSame(reads, [])
  t.equal((await server.administer('POST', 'repos/weather/refresh')).status, 200)
  const before = reads.length
  t.match((await show('?filter=weather')).text, /weather\n.*\nState the licence\n.*UTC\n· format\u00a02/)
  t.equal(reads.length, before)
})

t.test('the repositories are shown in pages of a hundred', async (t) => {
  const { show } = await startWithMany(t)
  const first = await show('')
  t.match(first.text, 'Ice-099')
  t.notMatch(first.text, 'Ice-100')
  t.match(first.text, 'Page 1 of 3')
  t.match((await show('?page=2')).text, 'Ice-100')
  t.match((await show('?page=3')).text, 'weather')
  t.match((await show('?page=999999')).text, 'Page 3 of 3')
  t.equal((await show('?page=0')).status, 400)
  t.equal((await show('?page=1&page=2')).status, 400)
})

t.test('a filter finds the names that contain all its words, whatever their case', async (t) => {
  const { show } = await startWithMany(t)
  const { text } = await show('?filter=%20ice++24%20')
  t.match(text, /13 of 251(?:.|\n)*Ice-024(?:.|\n)*Ice-249/)
  t.notMatch(text, 'weather')
  t.match((await show('?filter=ICE&page=9')).text, 'Page 3 of 3')
  t.match((await show('?filter=snow')).text, 'No repository name contains all of these words.')
  t.equal((await show(`?filter=${'x'.repeat(256)}`)).status, 400)
})

t.test('a state is shown, counted and selected, and comes first for callers with credentials', async (t) => {
  const { server, show } = await startWithMany(t)
  const { db, meta, publicMeta, adminKey } = server
  for (const name of ['weather', 'Ice-120']) await server.administer('POST', `repos/${name}/refresh`)
  await db.updateTable('repositories').set({ unreadable_since: 5 }).where('name', '=', 'Ice-120').execute()
  t.equal((await server.administer('POST', 'repos/weather/remarks', { kind: 'retraction', text: 'NaN' })).status, 201)
  const all = (await show('')).text.replaceAll(/\s+/g, ' ')
  t.match(
    all,
    /All 251 Cannot be read 1 Retracted 1 Ice-120 Cannot be read .* weather Retracted .* Retracted: NaN Ice-000/,
  )
  const retracted = (await show('?state=retracted')).text
  t.match(retracted, 'weather\nRetracted')
  t.notMatch(retracted, 'Ice-')
  t.match((await show('?filter=ice&state=retracted')).text, 'No such repository is in this state.')
  t.match((await show('?filter=ice&state=retracted')).text, /Retracted\n0\n/)
  t.equal((await show('?state=tired')).status, 400)
  const read = async (address: string, headers = {}) =>
    visibleText(await (await fetch(address, { headers: { accept: 'text/html', ...headers } })).text())
  t.match(await read(`${publicMeta}/`), /Retracted\n1\nIce-000/, 'by name for those without credentials')
  const weatherOnly = { authorization: basic('acme', server.weatherKey) }
  t.match(await read(`${meta}/`, weatherOnly), /All\n1\nRetracted\n1\nweather/, 'others are not counted')
  t.match(await read(`${meta}/discovery`, { authorization: basic('acme', adminKey) }), 'Cannot be read\n1\n')
})

t.test('a key that covers some repositories sees and counts only those', async (t) => {
  const { server } = await startWithMany(t)
  const { meta, weatherKey } = server
  const authorization = `Basic ${Buffer.from(`acme:${weatherKey}`).toString('base64')}`
  const text = visibleText(await (await server.get(`${meta}/?filter=e`, { authorization })).text())
  t.match(text, '1 of 1')
  t.notMatch(text, 'Ice-')
})

t.test('a page that has not changed is answered with 304, each with a tag of its own', async (t) => {
  const server = await startServer(t)
  const tags = new Set<string | null>()
  const paths = [
    'discovery',
    'discovery/weather',
    'discovery/weather/main',
    'history/weather/main',
    'diff/weather/v1.0/main',
  ]
  for (const path of paths) {
    const page = await server.get(path, { accept: 'text/html' })
    t.equal(page.status, 200, path)
    const tag = page.headers.get('etag')
    tags.add(tag)
    const again = await server.get(path, { accept: 'text/html', 'if-none-match': tag ?? '' })
    t.equal(again.status, 304, path)
    t.equal(again.headers.get('etag'), tag)
    t.equal((await server.get(path, { 'if-none-match': tag ?? '' })).status, 200, `${path} as JSON`)
  }
  t.equal(tags.size, paths.length)
  const tag = (await server.get('?filter=weather')).headers.get('etag') ?? ''
  t.equal((await server.get('?filter=weather', { 'if-none-match': tag })).status, 304)
  t.equal((await server.get('', { 'if-none-match': tag })).status, 200, 'without the filter')
})

t.test('a filter looks at the names in slices', async (t) => {
  const names = Array.from({ length: 10_000 }, (_, index) => `r${index}`)
  const turns = await countTurns(t, async () => {
    const matches = await filterNames(names, 'R 9999', new Slices())
    t.strictSame(matches, ['r9999'])
  })
  // The clock goes on by a millisecond with each name.
  t.ok(turns >= names.length / 5, `${turns} turns of the event loop`)
})
