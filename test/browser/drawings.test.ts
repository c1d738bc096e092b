// Pages with drawings: a dataset's chunks and coverage, the commits of a repository, and what changed.
import { t } from 'tap'
import { fileURLToPath } from 'node:url'
import { listAssets } from '../../server/http/assets.ts'
import { datasetPage } from '../../server/pages/dataset/dataset-page.ts'
import { startServer } from '../server/start-server.ts'
import { attributes, links, reanalysis, reanalysisContent } from '../server/pages/sample-dataset.ts'
import { accessibilityFaults } from './accessibility.ts'
import { openBrowser, openPage, withoutBrowser } from './open-browser.ts'

const covered = attributes(
  JSON.stringify({
    geospatial_lat_min: 35,
    geospatial_lat_max: 72.5,
    geospatial_lon_min: -25,
    geospatial_lon_max: 45,
    time_coverage_start: '1979-01-01T00:00:00Z',
    time_coverage_end: '2026-08-31T23:00:00Z',
  }),
)

t.test('drawings of a dataset are seen, and harm no reader', { skip: withoutBrowser }, async (t) => {
  const dataset = { ...reanalysisContent.dataset, attributes: covered }
  const markup = datasetPage({ ...reanalysis, content: { ...reanalysisContent, dataset } }, links)
  const assets = fileURLToPath(new URL('../../server/pages/assets', import.meta.url))
  const [style] = await listAssets(assets, ['style.css'])
  const css = (await style?.read())?.bytes.toString() ?? ''
  const { page, faults } = await openPage(await openBrowser(t))
  await page.route('**/*', (route) =>
    route.request().url().endsWith('.css')
      ? route.fulfill({ body: css, contentType: 'text/css' })
      : route.fulfill({ body: markup, contentType: 'text/html' }),
  )
  await page.goto('http://floe.test/v1/')
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

t.test('commits and changes are accessible and fit a phone', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t))
  for (const path of [
    'discovery/weather',
    'history/weather/main',
    'diff/weather/v1.0/main',
    'diff/weather/feature%2Fone/main',
  ]) {
    await page.goto(`${server.publicMeta}/${path}`)
    t.strictSame(await accessibilityFaults(page), [], path)
  }
  t.strictSame(faults, [])
})
