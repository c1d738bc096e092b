// What people type into the settings page, right, wrong and too late.
import t from 'tap'
import { receive } from '../server/administration/start-administration.ts'
import { accessibilityFaults } from './accessibility.ts'
import { withoutBrowser } from './open-browser.ts'
import { fillIn, inDialog, openSettings } from './open-settings.ts'

const skip = withoutBrowser

t.test('what is wrong stands at its field, which gets the focus', { skip }, async (t) => {
  const { page } = await openSettings(t)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await inDialog(page, 'Add webhook').click()
  const address = page.getByRole('textbox', { name: 'Address' })
  const name = page.getByRole('textbox', { name: 'Name' })
  await page.getByText('Enter the address.').waitFor()
  t.ok(await address.evaluate((element) => element === document.activeElement))
  t.strictSame(await accessibilityFaults(page), [])
  await fillIn(page, { Address: 'http://example.org/hook', Name: 'pipeline' })
  await inDialog(page, 'Add webhook').click()
  await page.getByText('must start with https://').waitFor()
  t.equal(await address.getAttribute('aria-invalid'), 'true')
  t.equal(await name.getAttribute('aria-invalid'), 'false')
  const described = (await address.getAttribute('aria-describedby'))?.split(' ') ?? []
  t.match(await page.locator(`[id="${described[0]}"]`).innerText(), /must start with https/i)
})

t.test('a host that does not resolve is saved, with a warning that stays', { skip }, async (t) => {
  const { page } = await openSettings(t)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await fillIn(page, { Address: 'https://pipeline.example/hook', Name: 'pipeline' })
  await inDialog(page, 'Add webhook').click()
  await inDialog(page, 'Done').click()
  t.match(await page.locator('.notice').innerText(), 'pipeline.example')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  t.equal(await page.locator('.notice').count(), 0)
})

t.test('the address of a chat is written, kept and replaced, and never shown', { skip }, async (t) => {
  const { page, server } = await openSettings(t)
  const { origin } = await receive(t, { status: 200 })
  await page.getByRole('button', { name: 'Add chat' }).click()
  await fillIn(page, { Address: `${origin}/secret-path`, Name: 'team' })
  await inDialog(page, 'Add chat').click()
  await page.getByText('must say slack').waitFor()
  await page.getByLabel('Kind of chat').selectOption('Mattermost')
  await inDialog(page, 'Add chat').click()
  await page.getByRole('button', { name: 'Edit team' }).click()
  const newAddress = page.getByRole('textbox', { name: 'New address' })
  await newAddress.waitFor()
  t.ok(await newAddress.evaluate((element) => element === document.activeElement))
  await page.getByLabel('Name', { exact: true }).fill('ocean team')
  await inDialog(page, 'Test').click()
  await page.getByText('answered 200').waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await inDialog(page, 'Save').click()
  await page.getByRole('heading', { name: 'ocean team' }).waitFor()
  t.notMatch(await page.content(), 'secret-path')
  const { items } = await (await server.administer('GET', 'repos/ocean/chats')).json()
  t.match(items, [{ alias: 'ocean team', url: `${origin}/...`, service: 'mattermost' }])
})

t.test('an edit that somebody else has overtaken is kept, and can be saved over theirs', { skip }, async (t) => {
  const { page, server } = await openSettings(t)
  const { origin } = await receive(t, { status: 200 })
  const body = { url: `${origin}/hook`, alias: 'tile server', events: ['NewCommit'] }
  const { id } = await (await server.administer('POST', 'repos/ocean/webhooks', body)).json()
  await page.getByRole('button', { name: 'Edit tile server' }).click()
  await page.getByLabel('Name', { exact: true }).fill('tiles')
  await server.administer('PATCH', `repos/ocean/webhooks/${id}`, { alias: 'theirs', url: `${origin}/theirs` })
  await inDialog(page, 'Save').click()
  await page.getByText('Somebody else has changed this meanwhile').waitFor()
  t.match(await page.getByRole('dialog').getByRole('alert').first().innerText(), 'overwrites the name.')
  t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'tiles')
  t.equal(await page.getByLabel('Address').inputValue(), `${origin}/theirs`)
  t.strictSame(await accessibilityFaults(page), [])
  await inDialog(page, 'Save').click()
  await page.getByRole('heading', { name: 'tiles' }).waitFor()
  const saved = await (await server.administer('GET', `repos/ocean/webhooks/${id}`)).json()
  t.match(saved, { alias: 'tiles', url: `${origin}/theirs` })
})

t.test(
  'a stored secret token is kept, replaced or removed, and does not follow to another host',
  { skip },
  async (t) => {
    const { page, server } = await openSettings(t)
    const { origin } = await receive(t, { status: 200 })
    const body = { url: `${origin}/hook`, alias: 'pipeline', events: ['NewCommit'], secret_token: 'one' }
    const { id } = await (await server.administer('POST', 'repos/ocean/webhooks', body)).json()
    const hasToken = async () => {
      const webhook = await (await server.administer('GET', `repos/ocean/webhooks/${id}`)).json()
      return webhook.has_secret_token
    }
    const save = async () => {
      await inDialog(page, 'Save').click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Edit pipeline' }).click()
    await page.getByLabel('Address').fill(`${origin}/other-path`)
    await save()
    t.equal(await hasToken(), true)
    await page.getByRole('button', { name: 'Edit pipeline' }).click()
    await page.getByLabel('Address').fill('https://elsewhere.example/hook')
    await page.getByText('saving removes the stored token').waitFor()
    await page.getByLabel('Replace').check()
    await page.getByRole('textbox', { name: 'Secret token' }).fill('two')
    t.strictSame(await accessibilityFaults(page), [])
    await save()
    t.equal(await hasToken(), true)
    await page.getByRole('button', { name: 'Edit pipeline' }).click()
    await page.getByLabel('Remove').check()
    await save()
    t.equal(await hasToken(), false)
  },
)
