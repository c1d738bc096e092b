import { openLocalStore } from '@floe/storage/objects'
import { Slices } from '@floe/storage/waiting'
import { t } from 'tap'
import { sitemap, sitemapIndex } from '../../../../server/pages/catalogues/sitemap.ts'
import { buildPageLinks } from '../../../../server/pages/page-links.ts'
import { countTurns } from '../../count-turns.ts'
import { fixtures, startServer } from '../../start-server.ts'

const links = buildPageLinks('https://floe.example.org/v1', 'open', 'acme', '/assets')

const makeSlices = () => new Slices()

/** Lists the addresses of a sitemap, as a parser of XML reads them. */
function listAddresses(document: string): readonly string[] {
  return document
    .matchAll(/<loc>([^<]*)<\/loc>/g)
    .map(([, address = '']) => address.replaceAll('&amp;', '&'))
    .toArray()
}

t.test('the index leads to a sitemap of each repository, with its page and those of its datasets', async (t) => {
  const server = await startServer(t)
  const response = await server.get('sitemap.xml')
  t.equal(response.headers.get('content-type'), 'text/xml; charset=utf-8')
  const index = await response.text()
  t.match(index, /^<\?xml version="1\.0" encoding="utf-8"\?>\n<sitemapindex xmlns="http:\/\/www\.sitemaps\.org/)
  const names = (await (await server.get('discovery')).json()) as string[]
  t.strictSame(
    listAddresses(index),
    names.map((name) => `${server.meta}/sitemap.xml?repo=${encodeURIComponent(name)}`),
  )
  const ofWeather = await (await server.get(`${server.meta}/sitemap.xml?repo=weather`)).text()
  t.match(ofWeather, /<urlset xmlns="http:\/\/www\.sitemaps\.org/)
  const groups = (await (await server.get('discovery/weather/main')).json()) as string[]
  const addresses = listAddresses(ofWeather)
  t.strictSame(addresses, [
    `${server.meta}/discovery/weather`,
    ...groups.map((group) => `${server.meta}/datasets/weather/main/${group}`),
  ])
  for (const address of addresses) {
    t.ok(address.startsWith(`${server.meta}/`), 'an address has to be below the folder of its sitemap')
    t.match((await server.get(address, { accept: 'text/html' })).headers.get('content-type'), 'text/html')
  }
  const [, time = ''] = /<lastmod>([^<]+)</.exec(ofWeather) ?? []
  t.equal(new Date(time).toISOString(), time)
})

// Proves: a key gets the sitemaps of the repositories that it covers, and no others
t.test('what a caller may not read is in no sitemap, and does not exist there', async (t) => {
  const server = await startServer(t, { deployments: [{ name: 'weather', repos: ['weather*'], public: true }] })
  const meta = `${server.origin}/v1/services/weather/acme/_meta`
  const index = await (await fetch(`${meta}/sitemap.xml`)).text()
  t.strictSame(listAddresses(index), [`${meta}/sitemap.xml?repo=weather`, `${meta}/sitemap.xml?repo=weather-v1`])
  const refuse = async (repo: string) => {
    const response = await fetch(`${meta}/sitemap.xml?repo=${repo}`)
    const { status, detail } = (await response.json()) as { status: number; detail: string }
    return { status, detail: detail.replace(repo, 'NAME') }
  }
  t.equal((await refuse('satellite')).status, 404)
  t.strictSame(await refuse('satellite'), await refuse('satellitf'))
  const key = { authorization: `Bearer ${server.weatherKey}` }
  t.strictSame(listAddresses(await (await fetch(`${server.meta}/sitemap.xml`, { headers: key })).text()), [
    `${server.meta}/sitemap.xml?repo=weather`,
  ])
  t.equal((await fetch(`${server.meta}/sitemap.xml?repo=satellite`, { headers: key })).status, 403)
})

t.test('callers who have a sitemap get 304, and a malformed name gets 400', async (t) => {
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(fixtures) }] })
  for (const path of ['sitemap.xml', 'sitemap.xml?repo=weather']) {
    const etag = (await server.get(path)).headers.get('etag') ?? ''
    t.equal((await server.get(path, { 'if-none-match': etag })).status, 304, path)
  }
  t.equal((await server.get('sitemap.xml?repo=')).status, 400)
  t.equal((await server.get('sitemap.xml?repo=a%00b')).status, 400)
})

t.test('a sitemap stays within the limits of its format', async (t) => {
  const page = { repo: 'r', ref: { kind: 'branch', name: 'main' }, lastModified: new Date(0) } as const
  const many = Array.from({ length: 60_000 }, (_, index) => `g${index}`)
  t.equal(listAddresses(sitemap({ ...page, groups: many }, links)).length, 50_000)
  t.equal(listAddresses(await sitemapIndex(many, links, makeSlices())).length, 50_000)
  const long = Array.from({ length: 20_000 }, (_, index) => `${index}${'ü'.repeat(300)}`)
  const document = sitemap({ ...page, groups: long }, links)
  t.ok(Buffer.byteLength(document) < 31_000_000)
  t.ok(listAddresses(document).length > 10_000)
  t.strictSame(listAddresses(sitemap({ ...page, groups: ['ü'.repeat(500)] }, links)), [links.repository('r')])
})

t.test('the index is written in slices, and not beyond the limits of the format', async (t) => {
  const count = 50_000
  const turns = await countTurns(t, () =>
    sitemapIndex(
      Array.from({ length: count }, (_, index) => `r${index}`),
      links,
      makeSlices(),
    ),
  )
  // The clock goes on by a millisecond with each name.
  t.ok(turns >= count / 5, `${turns} turns of the event loop`)
  let asked = 0
  const countLinks = { ...links, sitemap: (repo?: string) => (asked++, links.sitemap(repo)) }
  await sitemapIndex(
    Array.from({ length: 2 * count }, (_, index) => `r${index}`),
    countLinks,
    makeSlices(),
  )
  t.equal(asked, count)
})

t.test('names cannot break the markup', async (t) => {
  const hostile = '</loc><script>&"\u0001'
  const document = sitemap(
    { repo: hostile, ref: { kind: 'branch', name: 'main' }, lastModified: new Date(0), groups: [hostile] },
    links,
  )
  t.notMatch(document, /<script>/)
  t.notMatch(document, /\u0001/)
  t.equal(listAddresses(document).length, 2)
})
