// The documentation pages, which are the work of others: they must get along with our content security policy and addresses.
import type { Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../server/start-server.ts'
import { openBrowser, openPage, withoutBrowser } from './open-browser.ts'
import { startProxy } from './start-proxy.ts'

const skip = withoutBrowser

/** Redoc wants a picture of its maker from the network; the policy of the page refuses it. */
const withoutLogo = (faults: readonly string[]) => faults.filter((fault) => !fault.includes('redoc/logo-mini.svg'))

for (const [name, selector] of [
  ['docs', '.opblock'],
  ['docs/', '.opblock'],
  ['redoc', '[data-section-id]'],
  ['redoc/', '[data-section-id]'],
] as const) {
  t.test(`${name} of a private deployment shows its routes, also below a path of a proxy`, { skip }, async (t) => {
    const proxy = await startProxy(t)
    const server = await startServer(t, { baseUrl: `${proxy.origin}/floe/v1` })
    proxy.target = server.origin
    const httpCredentials = { username: 'acme', password: server.apiKey }
    const { page, faults } = await openPage(await openBrowser(t), { httpCredentials })
    await page.goto(`${proxy.origin}/floe/v1/services/tiles/acme/_meta/${name}`)
    await page.locator(selector).first().waitFor()
    t.match(await page.locator('body').innerText(), '/v1/services/tiles/acme/_meta/discovery/{repo}')
    t.match(await page.title(), 'acme/tiles API')
    t.strictSame(withoutLogo(faults), [])
  })
}

t.test('an operation can be tried out in docs', { skip }, async (t) => {
  const server = await startServer(t)
  const { page, faults } = await openPage(await openBrowser(t))
  await page.goto(`${server.publicMeta}/docs#/discovery/discoveryRefs`)
  const operation = page.locator('#operations-discovery-discoveryRefs')
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByPlaceholder('repo').fill('weather')
  await operation.getByRole('button', { name: 'Execute' }).click()
  t.match(await answerIn(page), '"branches"')
  t.strictSame(faults, [])
})

async function answerIn(page: Page): Promise<string> {
  const answer = page.locator('.live-responses-table .response-col_description').last()
  await answer.getByText('Response body').waitFor()
  return answer.innerText()
}
