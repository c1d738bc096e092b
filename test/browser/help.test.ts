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
  const box = page.getByRole('searchbox')
  const loaded = page.waitForResponse('**/search.json')
  await box.click()
  await (await loaded).finished()
  await box.pressSequentially('poll interval receivers')
  await page.getByRole('search').getByRole('link').first().click()
  await page.waitForURL('**/help/**#*')
  t.ok(await page.locator(':target').isVisible())
  t.strictSame(faults, [])
})

t.test('after a failure, the next key press loads the search again', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t))
  await page.goto(`${server.origin}/help/contents`)
  const index = '**/search.json'
  const unavailable = { title: 'Unavailable', status: 503 }
  await page.route(index, (route) => route.fulfill({ status: 503, json: unavailable }))
  const box = page.getByRole('searchbox')
  const refused = page.waitForResponse(index)
  await box.click()
  await (await refused).finished()
  await box.press('p')
  await page.unroute(index)
  await box.pressSequentially('oll interval')
  await page.getByRole('search').getByRole('link').first().waitFor()
  t.strictSame(
    faults.filter((fault) => !/status of 503/.test(fault)),
    [],
  )
})

t.test('code in the documentation is copied by a button above it', { skip: withoutBrowser }, async (t) => {
  const server = await startServer(t)
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page } = await openPage(await openBrowser(t), { permissions, viewport: { width: 390, height: 800 } })
  await page.goto(`${server.origin}/help/using/recipes`)
  const code = page.locator('pre > code')
  const buttons = page.locator('pre').getByRole('button', { name: 'Copy' })
  t.ok((await buttons.count()) > 0)
  t.equal(await buttons.count(), await code.count())
  const [button, text] = [await buttons.first().boundingBox(), await code.first().boundingBox()]
  t.ok(button && text && button.y + button.height <= text.y, 'the button hides no code')
  await buttons.first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), await code.first().textContent())
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
