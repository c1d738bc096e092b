// The history of a ref as an Atom feed, read by feed parsers.
import { spawnSync } from 'node:child_process'
import { HistoryPage } from '@floe/contract'
import { parseAtomFeed } from 'feedsmith'
import { t } from 'tap'
import { z } from 'zod'
import { historyFeed } from '../../../../server/pages/commits/history-feed.ts'
import { buildPageLinks } from '../../../../server/pages/page-links.ts'
import { Slices } from '@floe/storage/waiting'
import { findPython } from '../../../find-python.ts'
import { startServer } from '../../start-server.ts'

const server = await startServer(t)

async function readFeed(path: string) {
  const response = await server.get(path)
  t.match(
    { status: response.status, type: response.headers.get('content-type') },
    { status: 200, type: 'application/atom+xml; charset=utf-8' },
  )
  return { response, text: await response.text() }
}

/** Follows an absolute link. */
const followLink = (href = '') => server.get(href.replace(`${server.meta}/`, ''), { accept: 'text/html' })

const names = ['weather', 'weather-v1', 'empty', 'reset', 'expired', 'migrated', 'types']

for (const name of names) {
  t.test(`${name}: a feed parser reads what the history says`, async (t) => {
    const { commits } = HistoryPage.parse(await (await server.get(`history/${name}/main`)).json())
    const { text } = await readFeed(`history/${name}/main?format=atom`)
    const feed = parseAtomFeed(text)
    t.equal(feed.title?.value, `acme/${name} main`)
    const entries = feed.entries ?? []
    t.equal(entries.length, commits.length)
    const [root] = feed.links?.filter(({ rel }) => rel === 'alternate') ?? []
    t.equal(root?.href, `${server.meta}/history/${name}/main`)
    for (const [index, commit] of commits.entries()) {
      const entry = entries[index]
      t.match(entry, { updated: commit.written_at, authors: [{ name: commit.author_id }] })
      t.match(JSON.stringify(entry), commit.snapshot_id)
      const [link] = entry?.links ?? []
      t.equal((await followLink(link?.href)).status, 200, link?.href ?? 'no link')
    }
    t.equal(new Set(entries.map(({ id }) => id)).size, commits.length, 'each entry has an id of its own')
  })
}

t.test('a feed has the tag of its commits, and pages that follow one another', async (t) => {
  const { response, text } = await readFeed('history/weather/main?format=atom&limit=2')
  const etag = response.headers.get('etag') ?? ''
  t.not(etag, (await server.get('history/weather/main?limit=2')).headers.get('etag'), 'JSON has another')
  for (let time = 0; time < 2; time++) {
    const same = await server.get('history/weather/main?format=atom&limit=2', { 'if-none-match': etag })
    t.equal(same.status, 304)
  }
  const html = await server.get('history/weather/main?format=atom', { accept: 'text/html' })
  t.match(html.headers.get('content-type'), 'application/atom+xml', 'browsers get it too')
  const json = await server.get('history/weather/main?format=json', { accept: 'text/html' })
  t.match(json.headers.get('content-type'), 'application/json')
  const next = parseAtomFeed(text).links?.find(({ rel }) => rel === 'next')?.href ?? ''
  const older = parseAtomFeed(await (await followLink(next)).text())
  t.equal(
    older.entries?.some(({ id }) => text.includes(id ?? '')),
    false,
  )
  const wrong = await server.get('history/weather/main?format=rss')
  t.equal(wrong.status, 400)
  t.match(await wrong.json(), { errors: [{ pointer: '/query/format', message: /json.*atom/ }] })
})

t.test('the pages of a history and of its feed keep what its address selects', async (t) => {
  const { commits } = HistoryPage.parse(await (await server.get('history/weather/main')).json())
  const [first, , third, fourth] = commits
  const query = new URLSearchParams({ limit: '1', since: fourth?.written_at ?? '', until: third?.snapshot_id ?? '' })
  const { text } = await readFeed(`history/weather/main?${query}&format=atom`)
  const links = parseAtomFeed(text).links ?? []
  const readQuery = (address: string) => {
    return Object.fromEntries(new URL(address.replaceAll('&amp;', '&'), server.origin).searchParams)
  }
  const kept = Object.fromEntries(query)
  const older = { ...kept, before: first?.snapshot_id ?? '' }
  const find = (wanted: string) => readQuery(links.find(({ rel }) => rel === wanted)?.href ?? '')
  t.strictSame(find('self'), { ...kept, format: 'atom' })
  t.strictSame(find('next'), { ...older, format: 'atom' })
  const html = { accept: 'text/html' }
  const page = await (await server.get(`history/weather/main?${query}`, html)).text()
  t.strictSame(readQuery(/<a href="([^"]+)" rel="next">Older commits/.exec(page)?.[1] ?? ''), older)
  const later = await (await server.get(`history/weather/main?${new URLSearchParams(older)}`, html)).text()
  const { until: _, ...newest } = kept
  t.strictSame(readQuery(/<a href="([^"]+)">Newest commits/.exec(later)?.[1] ?? ''), newest)
})

t.test('the pages of a ref name its feed', async (t) => {
  for (const path of [
    'history/weather/main',
    'discovery/weather/main',
    'datasets/weather/main/forecast',
    'discovery/weather',
  ]) {
    const page = await (await server.get(path, { accept: 'text/html' })).text()
    const [, href = ''] =
      /<link rel="alternate" type="application\/atom\+xml" title="[^"]+" href="([^"]+)"/.exec(page) ?? []
    t.match(href, /\/history\/weather\/main\?format=atom$/, path)
  }
})

/** Messages that are hard to write down. */
const messages = [
  '<b>bold</b> & "quoted" ]]>',
  'two\nlines\r\n\ttabbed',
  '',
  ' ',
  'control \u0000\u0001\u001b\u007f\u0085 characters',
  'lone \ud800 surrogate, \ufffe and \uffff',
  'ü 日本 🧊',
  'x'.repeat(20_000),
]

async function writeFeed() {
  const commits = messages.map((message, index) => ({
    id: `1CECHNKREP0F1RSTCM${String(index).padStart(2, '0')}`,
    parentId: null,
    message,
    author: `a & b <${index}>`,
    writtenAt: new Date(Date.UTC(2099, 0, index + 1)),
  }))
  const links = buildPageLinks('https://floe.example.org/v1', 'demo', 'acme', '')
  const next = 'P874YS3J196959RDHX7G'
  const data = { org: 'acme', repository: 'a b', ref: "fea/ture & 'one'", selection: {}, commits, next }
  return historyFeed(data, links, new Slices())
}

t.test('any text is written so that parsers read it', async (t) => {
  const { entries = [], updated } = parseAtomFeed(await writeFeed())
  t.equal(updated, '2099-01-08T00:00:00.000Z')
  const contents = entries.map(({ content }) => content?.value ?? '')
  t.equal(contents[0], messages[0])
  t.match(contents[4], 'control \ufffd\ufffd\ufffd')
  t.match(contents[5], 'lone \ufffd surrogate, \ufffd and \ufffd')
  t.equal(contents[6], messages[6])
  t.equal(contents[7]?.length, 16_384)
})

const { command, skip } = findPython('feedparser')

t.test('feedparser of Python reads the same', { skip }, async (t) => {
  const program = `import feedparser, json, sys
d = feedparser.parse(sys.stdin.buffer.read())
print(json.dumps({"bozo": bool(d.bozo), "version": d.version, "title": d.feed.title, "entries":
  [{"title": e.title, "id": e.id, "author": e.author, "updated": e.updated, "content": e.content[0].value} for e in d.entries]}))`
  const { stdout, stderr } = spawnSync(command, ['-c', program], { input: await writeFeed(), encoding: 'utf8' })
  t.equal(stderr, '')
  const Read = z.object({
    bozo: z.literal(false),
    version: z.literal('atom10'),
    title: z.string(),
    entries: z.array(z.object({ title: z.string(), author: z.string(), content: z.string() })),
  })
  const { title, entries } = Read.parse(JSON.parse(stdout))
  t.equal(title, "acme/a b fea/ture & 'one'")
  t.equal(entries.length, messages.length)
  t.equal(entries[0]?.content, messages[0])
  t.equal(entries[0]?.author, 'a & b <0>')
  t.equal(entries[2]?.title, 'Snapshot 1CECHNKREP0F1RSTCM02')
  t.equal(entries[6]?.title, messages[6])
})
