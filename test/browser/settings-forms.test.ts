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

t.test('Esc asks before it discards what was typed, and discards no secret', { skip }, async (t) => {
  const { page } = await openSettings(t)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Add a webhook' })
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
  const name = form.getByLabel('Name', { exact: true })
  await name.fill('pipeline')
  await page.keyboard.press('Escape')
  await question.waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  t.ok(await name.evaluate((element) => element === document.activeElement))
  t.equal(await name.inputValue(), 'pipeline')
  await form.getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await fillIn(page, { Address: 'https://pipeline.example/hook', Name: 'pipeline' })
  await inDialog(page, 'Add webhook').click()
  const secret = page.getByText(/^whsec_/)
  await secret.waitFor()
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
  t.ok(await secret.isVisible())
  // What a browser closes by force, as the second way back on a phone does, is open again.
  await page.evaluate(`document.querySelector('dialog').close()`)
  await page.locator('dialog:modal').waitFor()
  t.equal(await page.getByRole('button', { name: 'Close' }).count(), 0)
  await inDialog(page, 'Done').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

t.test('a form whose answer is under way waits for the secret in it', { skip }, async (t) => {
  const { page } = await openSettings(t)
  const pressed = Promise.withResolvers<void>()
  await page.route(/\/webhooks$/, async (route) => {
    if (route.request().method() === 'POST') await pressed.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await fillIn(page, { Address: 'https://pipeline.example/hook', Name: 'pipeline' })
  await inDialog(page, 'Add webhook').click()
  await page.keyboard.press('Escape')
  await inDialog(page, 'Cancel').click({ force: true })
  pressed.resolve()
  await page.getByText(/^whsec_/).waitFor()
})

t.test('the result of a test goes when it is about another address', { skip }, async (t) => {
  const { page } = await openSettings(t)
  const { origin } = await receive(t, { status: 200 })
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await fillIn(page, { Address: `${origin}/hook` })
  await inDialog(page, 'Test').click()
  await page.getByText('answered 200').waitFor()
  await fillIn(page, { Name: 'pipeline' })
  t.ok(await page.getByText('answered 200').isVisible())
  await fillIn(page, { Address: `${origin}/other` })
  await page.getByText('answered 200').waitFor({ state: 'detached' })
})

t.test('a secret token that is too long is refused, not cut', { skip }, async (t) => {
  const { page } = await openSettings(t)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await fillIn(page, { Address: 'https://pipeline.example/hook', Name: 'pipeline' })
  await page.getByLabel('Secret token').focus()
  await page.keyboard.insertText('x'.repeat(257))
  await inDialog(page, 'Add webhook').click()
  await page.getByText('must be 1 to 256 visible ASCII characters').waitFor()
})

t.test('a host that does not resolve is saved, with a warning that stays', { skip }, async (t) => {
  const { page } = await openSettings(t)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await fillIn(page, { Address: 'https://pipeline.example/hook', Name: 'pipeline' })
  await inDialog(page, 'Add webhook').click()
  await inDialog(page, 'Done').click()
  t.match(await page.locator('.notice').innerText(), 'pipeline.example')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  const footer = await page.getByRole('link', { name: 'OpenAPI' }).boundingBox()
  const notice = await page.locator('.notice').boundingBox()
  t.ok(footer && notice && footer.y + footer.height <= notice.y, 'nothing stays hidden behind it')
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
