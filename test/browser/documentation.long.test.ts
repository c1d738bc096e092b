// The documentation pages run Swagger UI and Redoc, which must work with our content security policy and addresses.
import { t } from 'tap'
import { startServer } from '../server/start-server.ts'
import { openBrowser, openPage, withoutBrowser } from './open-browser.ts'
import { startProxy } from './start-proxy.ts'

const skip = withoutBrowser

for (const [name, selector] of [
  ['docs/', '.opblock'],
  ['redoc/', '[data-section-id]'],
] as const) {
  // Proves: `/redoc` documents the same routes
  t.test(`${name} of a private deployment shows its routes, also below a path of a proxy`, { skip }, async (t) => {
    const proxy = await startProxy(t)
    const server = await startServer(t, { baseUrl: `${proxy.origin}/floe/v1` })
    proxy.target = server.origin
    const httpCredentials = { username: 'acme', password: server.apiKey }
    const { page, faults } = await openPage(await openBrowser(t), { httpCredentials })
    await page.goto(`${proxy.origin}/floe/v1/services/tiles/acme/_meta/${name}`)
    await page.locator(selector).first().waitFor()
    await page.getByText('/v1/services/tiles/acme/_meta/discovery/{repo}', { exact: true }).first().waitFor()
    t.match(await page.title(), 'acme/tiles API')
    t.strictSame(faults, [])
  })
}

// Swagger UI takes seconds to show an operation, so one page proves three things: that it works, also at a host name
// other than the public one, and also when its address contains the credentials.
// Proves: `/docs` is interactive
t.test('an operation can be tried out in docs, with credentials in an address of another host', { skip }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t))
  const address = server.meta.replace('://127.0.0.1', `://acme:${server.apiKey}@localhost`)
  await page.goto(`${address}/docs#/discovery/discoveryRefs`)
  const operation = page.locator('#operations-discovery-discoveryRefs')
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByPlaceholder('repo').fill('weather')
  await operation.getByRole('button', { name: 'Execute' }).click()
  const answer = operation.locator('.live-responses-table .response-col_description').last()
  await answer.getByText('"branches"').first().waitFor()
  t.strictSame(faults, [])
})

t.test(
  'redoc finds an operation, with credentials in its address, and sends its maker nothing',
  { skip },
  async (t) => {
    const server = await startServer(t)
    const { page, faults } = await openPage(await openBrowser(t))
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).host !== new URL(server.origin).host) elsewhere.push(request.url())
    })
    await page.goto(`${server.meta.replace('://', `://acme:${server.apiKey}@`)}/redoc`)
    // A section of the page is called "search" too.
    await page.locator('[data-component-name="icons/SearchIcon/SearchIcon"]').first().click()
    await page.getByPlaceholder('Search docs...').fill('branches')
    await page.getByText('response 200 fields').first().waitFor()
    // Usage reports are collected before they are sent, at the latest when the page is left.
    await page.evaluate("document.dispatchEvent(new Event('pagehide'))")
    await page.evaluate('new Promise(requestAnimationFrame)')
    t.strictSame(faults, [])
    t.strictSame(elsewhere, [])
  },
)
