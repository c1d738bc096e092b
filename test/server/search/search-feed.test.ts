// The datasets that a search finds as an Atom feed, read by feed parsers.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { SearchAnswer } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { parseAtomFeed } from 'feedsmith'
import { t, type Test } from 'tap'
import { z } from 'zod'
import { buildPageLinks } from '../../../server/pages/page-links.ts'
import { searchFeed } from '../../../server/search/page/search-feed.ts'
import { findPython } from '../../find-python.ts'
import { openMovableRefs } from '../notifications/movable-refs.ts'
import { answer, found } from './page/sample-search.ts'
import { fixtures, startServer } from '../start-server.ts'
import { waitUntil } from '../wait-until.ts'

type Options = Parameters<typeof startServer>[1]

/** Starts a server that has indexed what it serves, as far as it can be read. */
async function startIndexed(t: Test, options: Options = {}) {
  const server = await startServer(t, { hasSearch: true, ...options })
  await server.notifier.start()
  const search = async (query = ''): Promise<SearchAnswer> => (await server.get(`search?${query}`)).json()
  const readFeed = async (query = '') => {
    const response = await server.get(`search?${query}&format=atom`)
    t.match(
      { status: response.status, type: response.headers.get('content-type') },
      { status: 200, type: 'application/atom+xml; charset=utf-8' },
    )
    return { etag: response.headers.get('etag') ?? '', feed: parseAtomFeed(await response.text()) }
  }
  return { server, search, readFeed }
}

/** Repositories that can be read. */
const sources = ['weather', 'satellite', 'types'].map((name) => {
  return { kind: 'repository', name, store: openLocalStore(join(fixtures, name)), published: undefined } as const
})

type Found = Pick<SearchAnswer['results'][number], 'repo' | 'branch' | 'group'>

const nameOf = ({ repo, branch, group }: Found) => `${repo} ${branch} /${group}`

t.test('a feed has the datasets that match, the last changes first', async (t) => {
  const { server, search, readFeed } = await startIndexed(t, { sources })
  await waitUntil(async () => {
    const { index } = await search()
    return index.repositories === sources.length && index.pending === 0
  })
  for (const query of ['q=temperature', '', 'units=K&units=degC&repo=w*', 'bbox=-25,34,45,72', 'q=nothing-like-this']) {
    const { results } = await search(`${query}&sort=changed&limit=100`)
    const { feed } = await readFeed(query)
    const entries = feed.entries ?? []
    t.strictSame(
      entries.map(({ updated }) => updated),
      results.map(({ changed }) => changed.at),
    )
    t.equal(new Set(entries.map(({ id }) => id)).size, entries.length, 'each entry has an id of its own')
    for (const [index, dataset] of results.entries()) {
      const entry = entries[index]
      t.ok(entry?.title?.value.startsWith(nameOf(dataset)), entry?.title?.value ?? 'no entry')
      t.ok((entry?.content?.value ?? '').startsWith(dataset.changed.message), `message ${dataset.changed.message}`)
      t.equal(entry?.links?.[0]?.href, server.origin + dataset.href)
    }
    for (const { links } of entries.slice(0, 3)) {
      const address = links?.[0]?.href?.replace(`${server.meta}/`, '') ?? ''
      t.equal((await server.get(address, { accept: 'text/html' })).status, 200, address)
    }
  }
  t.equal((await readFeed('q=sea+ice&units=K&units=degC')).feed.title?.value, 'acme, Words: sea ice, Units: K or degC')
  const narrow = await server.get('search?format=atom', { authorization: `Bearer ${server.weatherKey}` })
  const { entries } = parseAtomFeed(await narrow.text())
  t.ok(entries?.length)
  t.ok(
    entries?.every(({ title }) => title?.value.startsWith('weather ')),
    'a key sees the repositories that it covers',
  )
})

t.test('a feed is asked for by its format, and has pages', async (t) => {
  const { server, search, readFeed } = await startIndexed(t, { sources })
  await waitUntil(async () => (await search('repo=weather')).total > 3)
  const { feed } = await readFeed('repo=weather&limit=2&sort=relevance&facets=units')
  t.equal(feed.entries?.length, 2)
  const next = feed.links?.find(({ rel }) => rel === 'next')?.href ?? ''
  const older = parseAtomFeed(await (await server.get(next.replace(`${server.meta}/`, ''))).text())
  t.ok(older.entries?.length)
  t.notOk(older.entries?.some(({ id }) => feed.entries?.some((one) => one.id === id)))
  for (const [format, type] of [
    ['atom', 'application/atom+xml'],
    ['json', 'application/json'],
  ]) {
    const asked = await server.get(`search?format=${format}`, { accept: 'text/html' })
    t.match(asked.headers.get('content-type'), type, 'browsers get it too')
  }
  const page = await (await server.get('search?q=wind&limit=2&sort=changed', { accept: 'text/html' })).text()
  const [, href = ''] =
    /<link rel="alternate" type="application\/atom\+xml" title="[^"]+" href="([^"]+)"/.exec(page) ?? []
  t.match(href, /\/search\?q=wind&amp;limit=2&amp;format=atom$/)
  t.ok(page.includes(`<a href="${href}">Feed</a>`))
  for (const [query, pointer] of [
    ['format=rss', '/query/format'],
    ['format=atom&bbox=1,2', '/query/bbox'],
  ]) {
    const refused = await server.get(`search?${query}`)
    t.match(await refused.json(), { status: 400, errors: [{ pointer }] })
  }
})

// Proves: the feed of a search has the datasets that match by their last change, with an entry for each change
t.test('a changed dataset gets a new entry, and commits that change none leave the feed as it is', async (t) => {
  const { source, point } = await openMovableRefs(t)
  const notifications = { pollInterval: '1s' }
  const { server, search, readFeed } = await startIndexed(t, { sources: [source], notifications })
  const moveTo = async (commit: string) => {
    await point('branch.main', commit)
    const { snapshot_id } = await (
      await server.get(`history/sea/${commit}?limit=1`)
    )
      .json()
      .then(
        ({ commits }: { readonly commits: readonly { readonly snapshot_id: string }[] }) =>
          commits[0] ?? { snapshot_id: '' },
      )
    await waitUntil(async () => {
      const { results, index } = await search()
      return index.pending === 0 && results.length > 0 && results.every((one) => one.snapshot_id === snapshot_id)
    })
    const { etag, feed } = await readFeed()
    return { etag, ids: (feed.entries ?? []).map(({ id }) => id) }
  }
  const first = await moveTo('s1')
  t.equal(first.ids.length, 2, 'the root and sea')
  const second = await moveTo('s2')
  t.equal(second.ids.length, 2)
  t.notOk(
    second.ids.some((id) => first.ids.includes(id)),
    'both inherit from the root, which has changed',
  )
  const same = await server.get('search?&format=atom', { 'if-none-match': second.etag })
  t.equal(same.status, 304)
  const third = await moveTo('s3')
  t.strictSame(await moveTo('s4'), third, 'only chunks were written')
})

/** Texts that are hard to write down. */
const texts = ['<b>bold</b> & "quoted" ]]>', 'control \u0000\u001b characters', 'ü 日本 🧊', 'x'.repeat(1_024), '']

function writeFeed() {
  const links = buildPageLinks('https://floe.example.org/v1', 'demo', 'acme', '')
  const results = texts.map((text, index) => ({
    ...found,
    repo: `repo ${index}`,
    title: text,
    changed: { ...found.changed, message: text },
  }))
  return searchFeed({ org: 'acme', query: { q: texts[0] }, answer: { ...answer, results } }, links)
}

t.test('any text is written so that parsers read it', async (t) => {
  const { entries = [], links, title } = parseAtomFeed(writeFeed())
  t.equal(title?.value, `acme, Words: ${texts[0]}`)
  t.equal(entries.length, texts.length)
  t.equal(entries[0]?.content?.value, `${texts[0]}\n\n${found.summary}`)
  t.match(entries[1]?.content?.value, 'control \ufffd\ufffd characters')
  t.equal(entries[3]?.title?.value.length, 200)
  t.equal(entries[4]?.content?.value, found.summary)
  t.match(links?.find(({ rel }) => rel === 'next')?.href, 'before=older%3F')
})

const { command, skip } = findPython('feedparser')

t.test('feedparser of Python reads the same', { skip }, async (t) => {
  const program = `import feedparser, json, sys
d = feedparser.parse(sys.stdin.buffer.read())
print(json.dumps({"bozo": bool(d.bozo), "version": d.version, "entries":
  [{"title": e.title, "id": e.id, "author": e.author, "content": e.content[0].value} for e in d.entries]}))`
  const { stdout, stderr } = spawnSync(command, ['-c', program], { input: writeFeed(), encoding: 'utf8' })
  t.equal(stderr, '')
  const Entry = z.object({ title: z.string(), id: z.string(), author: z.literal('acme'), content: z.string() })
  const Read = z.object({ bozo: z.literal(false), version: z.literal('atom10'), entries: z.array(Entry) })
  const { entries } = Read.parse(JSON.parse(stdout))
  t.equal(entries.length, texts.length)
  t.equal(new Set(entries.map(({ id }) => id)).size, texts.length)
  t.equal(entries[2]?.title, 'repo 2 main /surface/hourly: ü 日本 🧊')
})
