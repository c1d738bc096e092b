import { gzipSync } from 'node:zlib'
import { t } from 'tap'
import { datasetPage } from '../../../server/pages/dataset/dataset-page.ts'
import { refPage } from '../../../server/pages/browse/ref-page.ts'
import { visibleText } from './markup.ts'
import { largeTree } from './browse/sample-browse.ts'
import { dataset, links, reanalysis, wideDataset } from './sample-dataset.ts'

const megabyte = 1_000_000

function bytes(page: string): number {
  return Buffer.byteLength(page)
}

function occurrences(page: string, text: string): number {
  return page.split(text).length - 1
}

t.test('1,700 variables with all their details stay below 1.5 MB', async (t) => {
  const page = datasetPage(wideDataset(1_700), links)
  t.ok(bytes(page) < 1.5 * megabyte, `${bytes(page)} bytes`)
  t.equal(occurrences(page, '<dt>Codecs</dt>'), 1_700)
  t.match(page, /<details class="section" id="data-variables" >/)
})

t.test('with more variables, details are left out before names', async (t) => {
  const page = datasetPage(wideDataset(6_000), links)
  t.ok(bytes(page) < 1.5 * megabyte, `${bytes(page)} bytes`)
  t.match(page, 'band_5999_reflectance')
  t.ok(occurrences(page, '<dt>Codecs</dt>') > 300)
})

t.test('with still more, the page says how many it leaves out', async (t) => {
  const count = 30_000
  const page = datasetPage(wideDataset(count), links)
  const shown = occurrences(page, '<code>float32</code>')
  t.ok(bytes(page) < 1.5 * megabyte, `${bytes(page)} bytes`)
  t.match(visibleText(page), `${(count - shown).toLocaleString('en')} more are in the info and dict views.`)
})

t.test('the largest pages take less than 100 kB when compressed', async (t) => {
  for (const page of [datasetPage(wideDataset(30_000), links), refPage(largeTree, links)]) {
    const sent = gzipSync(page).length
    t.ok(sent < 100_000, `${sent} bytes`)
  }
})

t.test('a group that xarray refuses has no views, so the page names none', async (t) => {
  const { content } = wideDataset(15_000)
  const { arrays } = content.kind === 'dataset' ? content : { arrays: new Map() }
  const refused = {
    kind: 'unreadable',
    refusal: { reason: 'refused', isTooLarge: false },
    arrays,
    attributes: new Map(),
  } as const
  t.match(visibleText(datasetPage({ ...reanalysis, content: refused }, links)), /[\d,]+ more are not shown\./)
})

t.test('a very long attribute is cut, and the others stay', async (t) => {
  const attributes = JSON.stringify({ history: 'x'.repeat(5 * megabyte), title: 'kept' })
  const page = datasetPage({ ...reanalysis, content: { kind: 'dataset', ...dataset([], attributes) } }, links)
  t.ok(bytes(page) < 20_000, `${bytes(page)} bytes`)
  t.match(visibleText(page), /x… \(4,996,000 more characters\)\ntitle\nkept/)
})

t.test('a cut never leaves half a character', async (t) => {
  const attributes = JSON.stringify({ emoji: `x${'😀'.repeat(5_000)}` })
  const page = datasetPage({ ...reanalysis, content: { kind: 'dataset', ...dataset([], attributes) } }, links)
  t.ok(page.isWellFormed())
})

t.test('10,000 groups make one page of 1.5 MB with every group on it', async (t) => {
  const page = refPage(largeTree, links)
  t.ok(bytes(page) < 1.6 * megabyte, `${bytes(page)} bytes`)
  t.equal(occurrences(page, '</small>'), largeTree.groups.length)
})
