import { t } from 'tap'
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
  t.ok(await page.getByText('wind_speed').first().isVisible())
  t.strictSame(faults, [])
})

t.test('a person who knows the host alone finds the public deployments', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t))
  await page.goto(server.origin)
  t.equal(page.url(), `${server.origin}/v1/`)
  t.strictSame(await accessibilityFaults(page), [])
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

t.test('no page is wider than a phone', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page } = await openPage(await openBrowser(t), { viewport: { width: 360, height: 740 } })
  const paths = [
    '',
    'discovery/weather',
    'discovery/types/main',
    'datasets/weather/main/forecast',
    'datasets/satellite/main',
    'nowhere',
  ]
  for (const path of paths) {
    await page.goto(`${server.publicMeta}/${path}`)
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path || 'home')
  }
})

t.test('the filter leaves the groups that match', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t))
  await page.goto(`${server.publicMeta}/discovery/types/main`)
  const links = page.locator('.tree a:visible')
  const before = await links.count()
  await page.getByRole('searchbox').fill('calendar')
  await links.nth(before - 1).waitFor({ state: 'hidden' })
  t.ok((await links.count()) > 0)
  t.strictSame(faults, [])
})
