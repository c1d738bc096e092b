// A person connects a client in a browser, which applies the policies of the page to all redirections that follow.
import { t } from 'tap'
import { startPlainServer } from '../client/start-plain-server.ts'
import { startExchange } from '../server/authorization/start-exchange.ts'
import { openBrowser, openPage, withoutBrowser } from './open-browser.ts'

t.test('a person gives a key, and is sent on to the client', { skip: withoutBrowser }, async (t) => {
  const browser = await openBrowser(t)
  const server = await startExchange(t)
  const page = '<!doctype html><title>Client</title>'
  const elsewhere = await startPlainServer(t, (_, response) =>
    response.setHeader('content-type', 'text/html').end(page),
  )
  const referrers: unknown[] = []
  const callback = await startPlainServer(t, ({ headers, url }, response) => {
    referrers.push(headers.referer)
    response.writeHead(302, { location: `${elsewhere}${url}` }).end()
  })
  const metadata = { redirect_uris: [`${callback}/back`], client_name: 'Assistant' }
  const { client_id } = (await (await server.register(metadata)).json()) as { client_id: string }
  const request = server.makeRequest(client_id, { redirect_uri: `${callback}/back` })
  const address = `${server.baseUrl}/oauth/authorize?${new URLSearchParams(request)}`

  const { page: opener, faults } = await openPage(browser)
  await opener.goto(elsewhere)
  const opened = opener.waitForEvent('popup')
  await opener.evaluate((url) => void window.open(url), address)
  const popup = await opened
  t.equal(await popup.locator('h1').innerText(), 'Assistant')
  await popup.getByLabel('API key').fill('wrong')
  await popup.keyboard.press('Enter')
  await popup.getByText('The key is wrong, revoked or expired.').waitFor()
  await popup.getByLabel('API key').fill(server.apiKey)
  await popup.getByRole('button', { name: 'Connect' }).click()
  await popup.waitForURL(`${elsewhere}/**`)
  const { searchParams } = new URL(popup.url())
  t.match(Object.fromEntries(searchParams), { state: 'a state', iss: server.baseUrl, code: /^floe_code_/ })
  t.ok(await popup.evaluate(() => window.opener !== null), 'the window that waits can be told')
  t.strictSame(referrers, [undefined])
  t.equal(
    (await server.useCode(client_id, searchParams.get('code') ?? '', { redirect_uri: `${callback}/back` })).status,
    200,
  )
  t.strictSame(faults, [])

  await popup.goto(address)
  await popup.getByRole('link', { name: 'Cancel' }).click()
  await popup.waitForURL(`${elsewhere}/**`)
  t.equal(new URL(popup.url()).searchParams.get('error'), 'access_denied')
})
