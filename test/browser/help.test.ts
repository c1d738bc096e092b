import { t } from 'tap'
import { startServer } from '../server/start-server.ts'
import { accessibilityFaults } from './accessibility.ts'
import { openBrowser, openPage, withoutBrowser } from './open-browser.ts'

t.test('a reader of a dataset finds a setting in the documentation', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t))
  await page.goto(`${server.publicMeta}/datasets/weather/main/forecast`)
  await page.getByRole('link', { name: 'Help' }).click()
  await page.waitForURL(`${server.origin}/help/contents`)
  await page.getByRole('searchbox').fill('poll interval receivers')
  await page.getByRole('search').getByRole('link').first().click()
  await page.waitForURL('**/help/**#*')
  t.ok(await page.locator(':target').isVisible())
  t.strictSame(faults, [])
})

t.test(
  'the documentation is accessible, and its list of pages works without script',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer(t)
    const browser = await openBrowser(t)
    const { page } = await openPage(browser)
    for (const path of ['contents', 'using/http', 'operating/configuration']) {
      await page.goto(`${server.origin}/help/${path}`)
      t.strictSame(await accessibilityFaults(page), [], path)
    }
    const { page: plain } = await openPage(browser, { javaScriptEnabled: false })
    await plain.goto(`${server.origin}/help/operating/scaling`)
    await plain.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Concepts' }).click()
    await plain.waitForURL('**/help/concepts')
    t.equal(await plain.getByRole('searchbox').isVisible(), false)
  },
)
