// A person in a real browser, at a real issuer.
import { t } from 'tap'
import { receive, startAdministration } from '../../server/administration/start-administration.ts'
import { signInAda, startSignIn } from '../../server/sessions/start-sign-in.ts'
import { waitUntil } from '../../server/wait-until.ts'
import { accessibilityFaults } from '../accessibility.ts'
import { openBrowser, openPage, withoutBrowser } from '../open-browser.ts'
import { fillIn, inDialog, poll } from './open-settings.ts'

const skip = withoutBrowser

t.test('an administrator signs in, adds a chat, and signs out', { skip }, async (t) => {
  const { server, issuer, baseUrl } = await startSignIn(t, {}, startAdministration)
  const { origin } = await receive(t, { status: 200 })
  const { page, faults } = await openPage(await openBrowser(t))
  await page.goto(`${server.org}/repos/weather/settings`)
  t.equal(page.url(), `${server.org}/repos/weather/settings`, 'back from the issuer')
  await page.getByRole('link', { name: 'ada.l@example.org' }).waitFor()
  await page.getByRole('button', { name: 'Add chat' }).click()
  await fillIn(page, { 'Webhook URL': `${origin}/hook`, Alias: 'team' })
  await page.getByLabel('Chat service').selectOption('Mattermost')
  await inDialog(page, 'Add chat').click()
  await page.getByRole('heading', { name: 'team' }).waitFor()
  t.strictSame(await accessibilityFaults(page), [])

  await page.getByRole('link', { name: 'ada.l@example.org' }).first().click()
  await page.getByRole('heading', { name: 'ada.l@example.org' }).waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await page.getByRole('button', { name: 'Sign out' }).click()
  // The issuer asks too.
  await page.waitForURL(`${issuer}/session/end*`)
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.waitForURL(`${baseUrl}/`)
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  t.notOk((await page.context().cookies()).some(({ name }) => name.startsWith('__Host-')))
  const { items } = (await (await server.administer('GET', 'audit')).json()) as { items: readonly object[] }
  t.match(items, [{ action: 'chat.create', person: { email: 'ada.l@example.org' } }])
  t.strictSame(faults, [])
})

t.test('an administrator sees who is signed in, and ends a session', { skip }, async (t) => {
  const { server, about, baseUrl } = await startSignIn(t, {}, startAdministration)
  about.email = 'eve@example.org'
  const eve = await signInAda(baseUrl)
  about.email = 'ada.l@example.org'
  const { page, faults } = await openPage(await openBrowser(t))
  await page.goto(`${server.org}/settings`)
  const section = page.getByRole('region', { name: 'Sessions' })
  await section.getByRole('heading', { name: 'ada.l@example.org' }).waitFor()
  const row = section.getByRole('listitem').filter({ hasText: 'eve@example.org' })
  t.match(await row.innerText(), /admin[^]*Created/)
  t.strictSame(await accessibilityFaults(page), [])
  await page.getByRole('button', { name: 'Sign out eve@example.org' }).click()
  await page.getByText('eve@example.org is signed out.').waitFor()
  await row.waitFor({ state: 'detached' })
  const account = async () =>
    (await eve.visit(`${baseUrl}/account`, { headers: { accept: 'application/json' } })).json()
  // A session is remembered for a second.
  await waitUntil(async () => ((await account()) as { person: unknown }).person === null)
  t.strictSame(faults, [])
})

t.test('a person who is removed at the issuer cannot go on with an open page', { skip }, async (t) => {
  const clock = { ms: Date.now() }
  const { server, about } = await startSignIn(t, { now: () => clock.ms }, startAdministration)
  const { page } = await openPage(await openBrowser(t))
  await page.goto(`${server.org}/repos/weather/settings`)
  await page.getByRole('button', { name: 'Add chat' }).waitFor()
  about.isThere = false
  clock.ms += 300_000
  await poll(page)
  await page.locator('.connection .banner').waitFor()
  t.match(await page.locator('.connection').innerText(), /no longer signed in/)
})

t.test('without scripts, the link leads to a page that says who is signed in', { skip }, async (t) => {
  const { server } = await startSignIn(t)
  const { page } = await openPage(await openBrowser(t), { javaScriptEnabled: false })
  await page.goto(`${server.meta}/discovery/weather`)
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('heading', { name: 'ada.l@example.org' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/session\/end/)
  t.match(page.url(), /session\/end/)
})
