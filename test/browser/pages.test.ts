import { t, type Test } from 'tap'
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core'
import { fileURLToPath } from 'node:url'
import { listAssets } from '../../server/http/assets.ts'
import { datasetPage } from '../../server/pages/dataset/dataset-page.ts'
import { repositoriesPage } from '../../server/pages/browse/repositories-page.ts'
import { historyPage } from '../../server/pages/commits/history-page.ts'
import { gapsPage } from '../../server/pages/gaps/gaps-page.ts'
import { searchPage } from '../../server/search/page/search-page.ts'
import { search } from '../server/search/page/sample-search.ts'
import { history, repositories, retraction } from '../server/pages/browse/sample-browse.ts'
import {
  attributes,
  europe,
  links,
  reanalysis,
  reanalysisContent,
  wideDataset,
} from '../server/pages/sample-dataset.ts'
import { forecastGaps, sampleGaps } from '../server/pages/gaps/sample-gaps.ts'
import { startServer } from '../server/start-server.ts'
import { accessibilityFaults } from './accessibility.ts'
import { openBrowser, openPage, withoutBrowser } from './open-browser.ts'

t.test('a reader walks from the repositories to a dataset', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t))
  await page.goto(`${server.publicMeta}/`)
  await page.getByRole('link', { name: 'weather', exact: true }).click()
  await page.getByRole('link', { name: 'main', exact: true }).click()
  await page.getByRole('link', { name: 'speed', exact: true }).click()
  await page.waitForURL(`${server.publicMeta}/datasets/weather/main/wind/speed`)
  t.ok(await page.locator('.variables').getByText('wind_speed').first().isVisible())
  t.strictSame(faults, [])
})

t.test('a person who knows only the host finds the public deployments', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t))
  await page.goto(server.origin)
  t.equal(page.url(), `${server.origin}/v1/`)
  await page.getByRole('link', { name: 'acme/open' }).click()
  await page.waitForURL(`${server.publicMeta}/`)
  t.strictSame(faults, [])
})

t.test('a private deployment asks for credentials, and pages work with them', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const httpCredentials = { username: 'acme', password: server.apiKey }
  const { page, faults } = await openPage(await openBrowser(t), { httpCredentials })
  await page.goto(`${server.meta}/datasets/weather/main/forecast`)
  t.match(await page.title(), 'forecast')
  t.strictSame(faults, [])
})

t.test('sections and variables unfold by keyboard, without script', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page } = await openPage(await openBrowser(t), { javaScriptEnabled: false })
  await page.goto(`${server.publicMeta}/datasets/weather/main/forecast`)
  const variable = page.locator('details', { has: page.locator('summary', { hasText: 'precipitation' }) }).last()
  t.equal(await variable.getAttribute('open'), null)
  await variable.locator('summary').focus()
  await page.keyboard.press('Enter')
  t.not(await variable.getAttribute('open'), null)
})

t.test('the address of the snapshot and the snippets can be copied', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t), { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${server.publicMeta}/datasets/weather/main/forecast`)
  const copied = async (part: Locator) => {
    await part.getByRole('button', { name: 'Copy' }).first().click()
    await part.getByRole('button', { name: 'Copied' }).waitFor()
    return page.evaluate<string>('navigator.clipboard.readText()')
  }
  const address = await copied(page.getByRole('complementary'))
  t.match(address, /\/datasets\/weather\/[0-9A-Z]{20}\/forecast$/)
  const snippets = page.getByRole('region', { name: 'Open this group' })
  t.match(await copied(snippets), /^import icechunk\nimport xarray as xr\n/)
  await page.goto(address)
  t.match(await page.title(), 'forecast')
  t.strictSame(faults, [])
})

t.test('a printed dataset has its citation, and nothing to click on', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page } = await openPage(await openBrowser(t))
  await page.goto(`${server.publicMeta}/datasets/weather/main/forecast`)
  await page.emulateMedia({ media: 'print' })
  const citation = page.getByRole('region', { name: 'Cite and use' })
  t.ok(await citation.getByRole('group', { name: 'Text' }).isVisible())
  t.notOk(await citation.getByRole('group', { name: 'BibTeX' }).isVisible())
  t.notOk(await page.getByRole('region', { name: 'Open this group' }).isVisible())
  t.notOk(await page.getByRole('link', { name: 'API', exact: true }).isVisible())
  t.notOk(await page.getByRole('button').first().isVisible())
})

t.test(
  'datasets, variables and groups tell when they were changed last, with script',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer(t)
    const { page, faults } = await openPage(await openBrowser(t))
    await page.goto(`${server.publicMeta}/datasets/weather/main/forecast`)
    const variable = page.locator('#variable-temperature')
    await variable.locator('summary').click()
    await variable.locator('time').waitFor()
    t.match(await variable.locator('.changed').textContent(), /History · last changed \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    const facts = page.getByRole('complementary')
    await facts.getByText('Last change').waitFor()
    const found = await (await server.get('history/weather/main?path=forecast/*&limit=100')).json()
    const { commit_message: message } = found.commits[0]
    t.match(await facts.locator('dl > dd').last().textContent(), new RegExp(` UTC ${message}$`))
    await variable.getByRole('link', { name: 'History' }).click()
    await page.waitForURL('**/history/weather/main?path=forecast%2Ftemperature')
    await page.getByLabel('Only commits that changed this path').fill('wind/**')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL('**/history/weather/main?path=wind%2F**')
    t.ok(await page.getByText('wind/gust').first().isVisible())
    await page.goto(`${server.publicMeta}/datasets/weather/main/`)
    await page.locator('.groups time').first().waitFor()
    t.strictSame(faults, [])
    t.strictSame(await accessibilityFaults(page), [])
  },
)

t.test('a reader follows a dimension to its variables and switches to a tag', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t), { javaScriptEnabled: false })
  await page.goto(`${server.publicMeta}/datasets/weather/main/forecast`)
  await page.locator('#dimensions summary', { hasText: 'time' }).click()
  await page.locator('#dimensions').getByRole('link', { name: 'temperature', exact: true }).click()
  await page.waitForURL('**/forecast#variable-temperature')
  t.equal(await page.locator('li:target').count(), 1)
  await page.getByText('Switch branch or tag').click()
  await page.getByRole('link', { name: 'v1.0', exact: true }).click()
  await page.waitForURL(`${server.publicMeta}/datasets/weather/v1.0/forecast`)
  t.strictSame(faults, [])
})

t.test('the filter leaves the groups that match', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t))
  await page.goto(`${server.publicMeta}/discovery/types/main`)
  const links = page.locator('.tree a:visible')
  const before = await links.count()
  await page.getByLabel('Filter groups').fill('calendar')
  await links.nth(before - 1).waitFor({ state: 'hidden' })
  t.ok((await links.count()) > 0)
  t.strictSame(faults, [])
})

t.test(
  'variables are sorted by each column, also by keyboard, and go back to their order',
  { skip: withoutBrowser },
  async (t) => {
    const { page, faults } = await openPage(await openBrowser(t))
    await showMarkup(page, datasetPage(reanalysis, links))
    const list = page.locator('#data-variables')
    const names = () =>
      list.locator('.variables li').evaluateAll((rows) => rows.map(({ id }) => id.slice('variable-'.length)))
    const stored = ['t2m', 'u10', 'v10', 'crs', 'station_name']
    t.strictSame(await names(), stored)
    const size = list.getByRole('button', { name: 'Size' })
    await size.click()
    t.strictSame(await names(), ['crs', 'station_name', 'u10', 'v10', 't2m'])
    t.equal(await size.getAttribute('aria-pressed'), 'true')
    t.match(await list.ariaSnapshot(), /- button "Size ascending" \[pressed\]/)
    await page.keyboard.press('Enter')
    t.strictSame(await names(), ['t2m', 'u10', 'v10', 'station_name', 'crs'])
    t.strictSame(await accessibilityFaults(page), [])
    const name = list.getByRole('button', { name: 'Name' })
    await name.focus()
    await page.keyboard.press('Space')
    t.strictSame(await names(), ['crs', 'station_name', 't2m', 'u10', 'v10'])
    t.equal(await size.getAttribute('aria-pressed'), 'false', 'one column at a time')
    await name.click()
    await name.click()
    t.strictSame(await names(), stored)
    t.strictSame(faults, [])
  },
)

t.test(
  'a long list, which does not name complete arrays, is sorted by what is written',
  { skip: withoutBrowser },
  async (t) => {
    const wide = wideDataset(2_000)
    const chunks = new Map(wide.written.chunks)
      .set('band_0007_reflectance', 'too_large')
      .set('band_0005_reflectance', { written: 1, total: 61 })
    const { page } = await openPage(await openBrowser(t))
    await showMarkup(page, datasetPage({ ...wide, written: { chunks, gaps: new Map() } }, links))
    const list = page.locator('#data-variables')
    await list.locator('summary').first().click()
    await list.getByRole('button', { name: 'Written' }).click()
    const first = await list.locator('.variables li').evaluateAll((rows) => rows.slice(0, 3).map(({ id }) => id))
    t.strictSame(first, [
      'variable-band_0007_reflectance',
      'variable-band_0005_reflectance',
      'variable-band_0000_reflectance',
    ])
  },
)

t.test('only changes below the group date its variables', { skip: withoutBrowser }, async (t) => {
  const { page } = await openPage(await openBrowser(t))
  await showMarkup(page, datasetPage(reanalysis, links), [
    makeCommit('2026-06-02T00:00:00Z', ['surface/hourlx/crs', 'elsewhere/is/u10', 'surface/hourly']),
    makeCommit('2026-06-01T00:00:00Z', ['surface/hourly/t2m']),
  ])
  await page.locator('#variable-t2m time').waitFor({ state: 'attached' })
  t.strictSame(await page.locator('#data-variables time').count(), 1)
})

function makeCommit(time: string, paths: readonly string[]) {
  const nodes = paths.map((path) => ({ path }))
  return { written_at: time, changes: { nodes, count: nodes.length, unknown_reason: null } }
}

/** Shows a page without a server: every address returns it, except those of assets and of JSON. */
async function showMarkup(page: Page, markup: string, commits: readonly object[] = []): Promise<void> {
  const assets = await listAssets(fileURLToPath(new URL('../../server/pages/assets', import.meta.url)))
  await page.route('**/*', async (route) => {
    const asset = assets.find(({ name }) => route.request().url().endsWith(`/${name}`))
    if (/[?&]format=json/.test(route.request().url())) return route.fulfill({ json: { commits } })
    if (!asset) return route.fulfill({ body: markup, contentType: 'text/html' })
    return route.fulfill({ body: (await asset.read()).bytes, contentType: asset.type })
  })
  await page.goto('http://floe.test/v1/')
}

t.test('strips of gaps are visible and accessible, also on a phone', { skip: withoutBrowser }, async (t) => {
  const gaps = new Map([['t2m', { ...forecastGaps, path: 'surface/hourly/t2m' }]])
  const pages = [
    gapsPage(sampleGaps, links),
    datasetPage({ ...reanalysis, written: { ...reanalysis.written, gaps } }, links),
  ]
  for (const markup of pages) {
    const { page, faults } = await openPage(await openBrowser(t))
    await showMarkup(page, markup)
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 })
      const strip = page.locator('.gap-strip').first()
      const mark = await strip.locator('.gap-mark').boundingBox()
      const written = await strip.locator('.gap-written').boundingBox()
      t.ok(mark && written && mark.height > 4 && mark.y + mark.height <= written.y, 'marks stand above the bars')
    }
    const table = page.locator('.gap-strip details').first()
    t.equal(await table.getByRole('table').isVisible(), false)
    await table.locator('summary').focus()
    await page.keyboard.press('Enter')
    await table.getByRole('row', { name: 'init_time 7 0 of 10' }).waitFor()
    t.strictSame(await accessibilityFaults(page), [])
    t.strictSame(faults, [])
  }
})

const covered = attributes(JSON.stringify(europe))

t.test('the list of repositories is accessible, and its states are links', { skip: withoutBrowser }, async (t) => {
  const { page, faults } = await openPage(await openBrowser(t))
  await showMarkup(page, repositoriesPage({ ...repositories, state: 'late' }, links))
  const bars = await page.locator('.bars').first().boundingBox()
  t.ok(bars && bars.width > 100 && bars.height > 20, 'the strip of updates is visible')
  const states = page.getByRole('navigation', { name: 'Repositories by their state' })
  t.equal(await states.getByRole('link', { name: 'Late 1' }).getAttribute('aria-current'), 'true')
  t.strictSame(faults, [])
  t.strictSame(await accessibilityFaults(page), [])
})

t.test('retractions read as sentences, and stand above the facts of a phone', { skip: withoutBrowser }, async (t) => {
  const { page, faults } = await openPage(await openBrowser(t), { viewport: { width: 1280, height: 740 } })
  const commits = history.commits.map((commit) => ({ ...commit, remarks: [{ ...retraction, path: null }] }))
  const data = {
    deployment: reanalysis.at.deployment,
    repository: 'era5',
    asOf: null,
    calendar: null,
    history: { ...history, commits },
  }
  await showMarkup(page, historyPage(data, links))
  const place = async (inside: string) => (await page.locator(`.remarks ${inside}`).first().boundingBox())?.y ?? NaN
  t.ok(Math.abs((await place('strong')) - (await place('bdi'))) < 4, 'in one line')
  t.strictSame(await accessibilityFaults(page), [])
  const at = { ...reanalysis.at, remarks: [{ ...retraction, path: null }] }
  await page.setViewportSize({ width: 360, height: 740 })
  await showMarkup(page, datasetPage({ ...reanalysis, at }, links))
  t.ok((await place('strong')) < ((await page.locator('.commit').boundingBox())?.y ?? NaN))
  t.strictSame(faults, [])
})

t.test('drawings of a dataset are visible and accessible', { skip: withoutBrowser }, async (t) => {
  const dataset = { ...reanalysisContent.dataset, attributes: covered }
  const markup = datasetPage({ ...reanalysis, content: { ...reanalysisContent, dataset } }, links)
  const { page, faults } = await openPage(await openBrowser(t))
  await showMarkup(page, markup)
  t.ok(await page.locator('.world rect').isVisible())
  t.ok(await page.locator('.period rect').isVisible())
  await page.locator('summary', { hasText: 'u10' }).click()
  const grid = page.locator('details[open] .grid:visible').first()
  const { width = 0, height = 0 } = (await grid.boundingBox()) ?? {}
  t.ok(width > 60 && height > 40, `${width} × ${height}`)
  t.strictSame(await accessibilityFaults(page), [])
  t.notMatch(await page.locator('main').ariaSnapshot(), /- img$/m, 'screen readers hear of no picture without words')
  t.strictSame(faults, [])
})

t.test(
  'the key / moves to the search box, and the address has only the fields that are filled in',
  { skip: withoutBrowser },
  async (t) => {
    const { page, faults } = await openPage(await openBrowser(t))
    await showMarkup(page, datasetPage(reanalysis, links))
    await page.keyboard.press('/')
    await page.keyboard.type('m/s')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=m%2Fs')
    t.strictSame(faults, [])
  },
)

t.test('the search page is accessible, and its form keeps the chosen values', { skip: withoutBrowser }, async (t) => {
  const { page, faults } = await openPage(await openBrowser(t))
  await showMarkup(page, searchPage(search, links))
  t.strictSame(await accessibilityFaults(page), [])
  await page.getByText('Time, changes and repository').click()
  await page.getByLabel('Repository').fill('era*')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.waitForURL('**/search?q=temperature&repo=era*&units=K')
  t.strictSame(faults, [])
})

t.test('a reader walks from the commits to what changed, without script', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t), { javaScriptEnabled: false })
  await page.goto(`${server.publicMeta}/discovery/weather`)
  await page.getByRole('link', { name: 'Full history of main' }).click()
  await page.waitForURL(`${server.publicMeta}/history/weather/main`)
  await page.getByRole('link', { name: 'what changed' }).first().click()
  await page.waitForURL(`${server.publicMeta}/diff/weather/**`)
  await page.getByLabel('What changed from').fill('v1.0')
  await page.getByLabel('to', { exact: true }).fill('feature/one')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.waitForURL(`${server.publicMeta}/diff/weather/v1.0/feature%2Fone`)
  t.strictSame(faults, [])
})

/** An address of each kind of page. */
const everyPage = [
  '/v1/',
  '/problems/repository-not-found',
  ...[
    '',
    'discovery/weather',
    'discovery/operations',
    'discovery/types/main',
    'datasets/weather/main/forecast',
    'datasets/satellite/main',
    'datasets/many-variables/main',
    'gaps/weather/main',
    'history/weather/main',
    'operations/operations',
    'operations/weather-v1',
    'diff/weather/v1.0/main',
    'diff/weather/feature%2Fone/main',
    'search?q=wind',
    'nowhere',
  ].map((below) => `/v1/services/open/acme/_meta/${below}`),
]

/** Opens a page, and checks that it and all that it loads take less than 100 kB. */
async function openSmallPage(t: Test, browser: Browser, url: string, options: BrowserContextOptions = {}) {
  // A page of its own has an empty cache.
  const { page } = await openPage(browser, options)
  const finished: Request[] = []
  page.on('requestfinished', (request) => finished.push(request))
  await page.goto(url, { waitUntil: 'networkidle' })
  // What a page asks for later may not be answered before the test ends.
  const loads = await Promise.all(finished.map((request) => request.sizes()))
  const bytes = loads.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  t.ok(loads.length > 1 && bytes < 100_000, `${url}: ${bytes} bytes in ${loads.length} answers`)
  return page
}

t.test(
  'each page takes less than 100 kB with all that it loads, says the same without script, is accessible and fits a phone',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer(t, { hasSearch: true })
    const browser = await openBrowser(t)
    const { page: plain } = await openPage(browser, { javaScriptEnabled: false })
    const read = (page: Page) => page.locator('main').getByRole('link').allInnerTexts()
    for (const path of everyPage) {
      const page = await openSmallPage(t, browser, `${server.origin}${path}`)
      await plain.goto(`${server.origin}${path}`)
      t.strictSame(await read(plain), await read(page), path)
      t.strictSame(await accessibilityFaults(page), [], path)
      await page.context().close()
    }
  },
)

t.test(
  'a settings page takes less than 100 kB with all that it loads, and lists receivers and deliveries without script',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer(t)
    const browser = await openBrowser(t)
    const httpCredentials = { username: 'acme', password: server.adminKey }
    const { page: plain } = await openPage(browser, { javaScriptEnabled: false, httpCredentials })
    for (const place of ['/repos/weather', '']) {
      const url = `${server.org}${place}/settings`
      const page = await openSmallPage(t, browser, url, { httpCredentials })
      await page.getByRole('button', { name: 'Add webhook' }).waitFor()
      await plain.goto(url)
      const text = await plain.locator('body').innerText()
      t.match(text, /need JavaScript\. Without it, use the API/)
      t.match(text, 'No receivers.')
      t.match(text, 'No deliveries yet.')
    }
  },
)
