// The settings page behind a reverse proxy, and after its key is gone.
import { t } from 'tap'
import { startServer } from '../server/start-server.ts'
import { openBrowser, openPage, withoutBrowser } from './open-browser.ts'
import { openSettings } from './open-settings.ts'
import { startProxy } from './start-proxy.ts'

const skip = withoutBrowser

t.test('the page works below a path of a reverse proxy', { skip }, async (t) => {
  const proxy = await startProxy(t)
  const server = await startServer(t, { baseUrl: `${proxy.origin}/floe/v1` })
  proxy.target = server.origin
  const httpCredentials = { username: 'acme', password: server.adminKey }
  const { page, faults } = await openPage(await openBrowser(t), { httpCredentials })
  await page.goto(`${proxy.origin}/floe/v1/services/open/acme/_meta/discovery/weather`)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('The head has').waitFor()
  await page.getByRole('link', { name: 'weather' }).click()
  await page.getByRole('link', { name: 'main', exact: true }).waitFor()
  t.strictSame(faults, [])
  await page.goto(`${proxy.origin}/floe/v1/services/open/acme/_meta/discovery/nope`)
  await page.getByRole('link', { name: 'About this kind of error' }).click()
  await page.getByRole('heading', { name: 'No such repository' }).waitFor()
  t.equal(page.url(), `${proxy.origin}/floe/problems/repository-not-found`)
})

t.test('with a key that is revoked the page says so, and keeps what it shows', { skip }, async (t) => {
  const { page, server } = await openSettings(t)
  const { items } = await (await server.administer('GET', 'keys')).json()
  const { id } = items.find(({ role }: { role: string }) => role === 'admin')
  await server.administer('DELETE', `keys/${id}`)
  await page.getByText('The API key is no longer valid').waitFor()
  t.ok(await page.getByRole('heading', { name: 'Webhooks' }).isVisible())
})
