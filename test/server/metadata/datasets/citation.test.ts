// How to cite a dataset, and its licence.
import { Citation } from '@floe/contract'
import { t, type Test } from 'tap'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { visibleText } from '../../pages/markup.ts'
import { type RunningServer, startServer } from '../../start-server.ts'

type Attributes = Readonly<Record<string, unknown>>

/** Starts a server with a repository `sea` that has groups with these attributes. */
async function start(t: Test, groups: Readonly<Record<string, Attributes>>): Promise<RunningServer> {
  const id = buildId(1)
  const nodes = Object.entries(groups).map(([path, attributes]) =>
    buildNode(`/${path}`, 2, JSON.stringify({ zarr_format: 3, node_type: 'group', attributes })),
  )
  const store = new MemoryStore([
    ['repo', buildRepo({ snapshots: [{ id, parent: -1 }], branches: [['main', 0]] })],
    [`snapshots/${id}`, buildSnapshot({ id, nodes })],
  ])
  return startServer(t, { sources: [{ kind: 'repository', name: 'sea', store }] })
}

async function cite(server: RunningServer, group = ''): Promise<Citation> {
  const response = await server.get(`cite/sea/main?group=${encodeURIComponent(group)}`)
  if (response.status !== 200) throw new Error(await response.text())
  return Citation.parse(await response.json())
}

t.test('a dataset that official Icechunk wrote is cited by its title and snapshot', async (t) => {
  const server = await startServer(t)
  const response = await server.get('cite/weather/main?group=/forecast/')
  const citation = Citation.parse(await response.json())
  const id = response.headers.get('floe-snapshot') ?? ''
  t.match(citation, { repository: 'weather', group: 'forecast', snapshot_id: id })
  t.equal(citation.url, `${server.meta}/datasets/weather/${id}/forecast`)
  t.match(citation.text, `snapshot ${id}`)
  t.match(citation.bibtex, `version = {${id}}`)
  t.match(citation.csl, { type: 'dataset', title: citation.title, URL: citation.url, version: id })
  t.equal((await server.get(citation.url, { accept: 'text/html' })).status, 200)
  const etag = response.headers.get('etag') ?? ''
  t.equal((await server.get('cite/weather/main?group=forecast', { 'if-none-match': etag })).status, 304)
})

t.test('what a group does not state is inherited from the nearest group above that states it', async (t) => {
  const server = await start(t, {
    '': { title: 'Archive', institution: 'Institute of the Sea', doi: 'https://doi.org/10.1234/ABC.5', license: 'MIT' },
    a: { creator_name: 'Ada; Grace', license: 'CC BY 4.0' },
    'a/b': { title: 'Waves' },
  })
  t.match(await cite(server, 'a/b'), {
    title: 'Waves',
    creators: ['Ada', 'Grace'],
    doi: '10.1234/ABC.5',
    licence: { text: 'CC BY 4.0', attribute: 'license', spdx: 'CC-BY-4.0' },
    text: /^Ada; Grace \(\d{4}\): Waves\. sea\/a\/b, snapshot \w{20}, \d{4}-\d\d-\d\d\. https:\/\/doi\.org\/10\.1234\/ABC\.5 http/,
  })
  t.match(await cite(server), { title: 'Archive', creators: ['Institute of the Sea'], licence: { spdx: 'MIT' } })
})

t.test('without attributes, the names are cited, and no licence is stated', async (t) => {
  const server = await start(t, { '': {}, a: {} })
  const citation = await cite(server, 'a')
  t.match(citation, { title: 'sea/a', creators: [], doi: null, licence: null })
  t.notMatch(citation.bibtex, 'author')
  const page = async (group: string) =>
    visibleText(await (await server.get(`datasets/sea/main/${group}`, { accept: 'text/html' })).text())
  t.match(await page('a'), /Cite and use\nNo licence stated\.\nText\n/)
})

t.test('the page has the licence and the three forms', async (t) => {
  const server = await start(t, {
    '': { rights: 'https://creativecommons.org/publicdomain/zero/1.0/', title: 'A & B' },
  })
  const markup = await (await server.get('datasets/sea/main', { accept: 'text/html' })).text()
  const page = visibleText(markup)
  t.match(page, /Licence: ?\s*CC0-1\.0/)
  t.match(markup, '<a href="https://creativecommons.org/publicdomain/zero/1.0/" rel="noopener nofollow">')
  const { text, bibtex } = await cite(server)
  t.match(page, text)
  t.match(page, bibtex.trim().split('\n')[0])
})

t.test('the page names a licence once, unless the attribute says more', async (t) => {
  for (const [license, shown] of [
    ['CC BY 4.0', 'Licence: CC-BY-4.0 (attribute license)'],
    ['https://creativecommons.org/licenses/by/4.0/', 'Licence: CC-BY-4.0 (attribute license)'],
    ['Free under CC BY 4.0', 'Licence: CC-BY-4.0 , Free under CC BY 4.0 (attribute license)'],
    ['Free', 'Licence: Free (attribute license)'],
  ] as const) {
    const server = await start(t, { '': { license } })
    const page = visibleText(await (await server.get('datasets/sea/main', { accept: 'text/html' })).text())
    t.match(page.replaceAll(/\s+/g, ' '), shown)
  }
})

// Proves: BibTeX of a hostile attribute is one entry whose braces balance, without a command of its author
t.test('nothing in an attribute ends a field of BibTeX or becomes a command', async (t) => {
  for (const title of [
    '}}, note = {{x',
    '{{{',
    '\\input{/etc/passwd}',
    '@misc{x',
    '100% & $5 #1 a_b ~ ^',
    'a\n}\n\u0007b',
    '"',
  ]) {
    const { bibtex, csl } = await cite(await start(t, { '': { title, creator_name: title } }))
    const inside = bibtex.slice(bibtex.indexOf('{') + 1, bibtex.lastIndexOf('}'))
    let [depth, lowest] = [0, 0]
    for (const character of inside) {
      depth += character === '{' ? 1 : character === '}' ? -1 : 0
      lowest = Math.min(lowest, depth)
    }
    t.strictSame([depth, lowest], [0, 0], title)
    const commands = bibtex.match(/\\[A-Za-z]+/g) ?? []
    const known = /^\\(?:textbackslash|textbraceleft|textbraceright|textasciitilde|textasciicircum)$/
    t.ok(
      commands.every((command) => known.test(command)),
      title,
    )
    t.equal(bibtex.trim().split('\n').length, 8, 'an entry with six fields, each on a line')
    t.equal(csl['title'], title.replace(/\s+/g, ' ').replace('\u0007', ' ').replace(/ +/g, ' '))
  }
})

t.test(
  'what is not served is not found, malformed parameters are refused by name, and unknown ones ignored',
  async (t) => {
    const server = await startServer(t)
    for (const [path, status] of [
      ['cite/nothing/main', 404],
      ['cite/weather/nothing', 404],
      ['cite/weather/main?group=nothing', 404],
      ['cite/weather/main?group=forecast/temperature', 404],
      ['cite/weather/main?group=forecast&unknown=1', 200],
      [`cite/weather/main?group=${'a'.repeat(4_097)}`, 400],
    ] as const)
      t.equal((await server.get(path)).status, status, path)
    t.match(await (await server.get(`cite/weather/main?group=${'a'.repeat(4_097)}`)).json(), {
      errors: [{ pointer: '/query/group' }],
    })
  },
)
