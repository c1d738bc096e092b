// The settings page when the service does not answer, when its key is revoked, and behind a reverse proxy.
import { t } from 'tap'
import { receive } from '../../server/administration/start-administration.ts'
import { startServer } from '../../server/start-server.ts'
import { accessibilityFaults } from '../accessibility.ts'
import { openBrowser, openPage, withoutBrowser } from '../open-browser.ts'
import { inDialog, openSettings, poll } from './open-settings.ts'
import { startProxy } from '../start-proxy.ts'

const skip = withoutBrowser

t.test('the page says that the connection is lost, and keeps its content until it returns', { skip }, async (t) => {
  const { page } = await openSettings(t)
  const lost = page.getByText('Connection lost, retrying.')
  await page.context().setOffline(true)
  await poll(page)
  await lost.waitFor()
  t.ok(await page.getByRole('heading', { name: 'Webhooks' }).isVisible())
  t.strictSame(await accessibilityFaults(page), [])
  await page.context().setOffline(false)
  await lost.waitFor({ state: 'detached' })

  const api = /\/v1\/orgs\/[^?]*(?:\?.*)?$/
  await page.route(api, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  )
  await poll(page)
  await lost.waitFor()
  await page.unroute(api)
  await poll(page)
  await lost.waitFor({ state: 'detached' })
  await page.route(api, (route) => route.fulfill({ status: 302, headers: { location: 'https://login.example/' } }))
  await poll(page)
  await page.getByText('You are no longer signed in. Reload the page to sign in again.').waitFor()
})

t.test('deliveries that cannot be loaded show an error instead of the former ones', { skip }, async (t) => {
  const { page } = await openSettings(t)
  await page.route(/state=dead/, (route) => route.abort())
  const log = page.getByRole('region', { name: 'Deliveries' })
  await log.getByLabel('State').selectOption('Given up')
  await log.getByText('The service did not answer.').waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await log.getByLabel('State').selectOption('any')
  await log.getByText('The service did not answer.').waitFor({ state: 'detached' })
})

t.test('the page says that the service did not answer an action, until the next one', { skip }, async (t) => {
  const { page } = await openSettings(t)
  const message = page.getByText('The service did not answer.')
  await page.route(/./, (route) => route.abort())
  await page.getByRole('button', { name: 'Check now' }).click()
  await message.waitFor()
  await page.getByText('Connection lost, retrying.').waitFor()
  t.ok(await message.isVisible())
  await page.unroute(/./)
  await poll(page)
  await page.getByText('Connection lost').waitFor({ state: 'detached' })
  t.ok(await message.isVisible())
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('The head has').waitFor()
  t.equal(await message.count(), 0)
})

t.test('a dialog that was closed during its action loads nothing any more', { skip }, async (t) => {
  const { page, server, commit, addWebhook } = await openSettings(t)
  const { origin } = await receive(t, { status: 200 })
  await addWebhook(`${origin}/hook`)
  await commit()
  await server.administer('POST', 'repos/ocean/refresh')
  await page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem').getByRole('button').click()
  await page.getByText('Payload').waitFor()
  const closed = Promise.withResolvers<void>()
  await page.route(/\/redeliver$/, (route) => closed.promise.then(() => route.continue()))
  await inDialog(page, 'Redeliver').click()
  await inDialog(page, 'Done').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  // The dialog would load its delivery before the log does. The page asks for rates now and then.
  const reloaded = page.waitForRequest(/\/deliveries\?/)
  closed.resolve()
  await reloaded
  t.strictSame(
    loaded.filter((url) => /\/deliveries\/(?!rates$)[^/?]+$/.test(url)),
    [],
  )
})

t.test('a hidden page sends no requests', { skip }, async (t) => {
  const { page } = await openSettings(t)
  await page.clock.install()
  const repository = /repos\/ocean$/
  const setHidden = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  await Promise.all([page.waitForResponse(repository), page.reload()])
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
  await Promise.all([page.waitForResponse(repository), page.clock.runFor(6_000)])
  await setHidden(true)
  // Requests are reported in order, but late on a busy machine. After this one, all earlier ones have been reported.
  await page.evaluate('fetch(location.href).then(() => undefined)')
  let requests = 0
  page.on('request', () => requests++)
  await page.clock.runFor(60_000)
  t.equal(requests, 0)
  await Promise.all([page.waitForResponse(repository), setHidden(false)])
})

t.test('the page works below a path of a reverse proxy', { skip }, async (t) => {
  const proxy = await startProxy(t)
  const server = await startServer(t, { baseUrl: `${proxy.origin}/floe/v1` })
  proxy.target = server.origin
  const httpCredentials = { username: 'acme', password: server.adminKey }
  const { page, faults } = await openPage(await openBrowser(t), { httpCredentials })
  await page.goto(`${proxy.origin}/floe/v1/services/open/acme/_meta/discovery/weather`)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('The head is').waitFor()
  await page.getByRole('link', { name: 'weather' }).click()
  await page.getByRole('link', { name: 'main', exact: true }).waitFor()
  t.strictSame(faults, [])
  await page.goto(`${proxy.origin}/floe/v1/services/open/acme/_meta/discovery/nope`)
  await page.getByRole('link', { name: 'About this kind of error' }).click()
  await page.getByRole('heading', { name: 'No such repository' }).waitFor()
  t.equal(page.url(), `${proxy.origin}/floe/problems/repository-not-found`)
})

t.test(
  'when its key is revoked the page says so, keeps what it shows, and sends no more requests',
  { skip },
  async (t) => {
    const { page, server } = await openSettings(t)
    const { items } = await (await server.administer('GET', 'keys')).json()
    const { id } = items.find(({ role }: { role: string }) => role === 'admin')
    await server.administer('DELETE', `keys/${id}`)
    await poll(page)
    await page.getByText('The API key is no longer valid').waitFor()
    t.ok(await page.getByRole('heading', { name: 'Webhooks' }).isVisible())
    let requests = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/repos/ocean')) requests++
    })
    await poll(page)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    // Requests are reported in order. After this one, all earlier ones have been reported.
    await page.evaluate('fetch(location.href).then(() => undefined)')
    t.equal(requests, 0)
  },
)
