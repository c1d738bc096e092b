// What people type into the forms of the settings page, right and wrong.
import { verifySignature } from '@floe/client'
import { t } from 'tap'
import { receive } from '../../server/administration/start-administration.ts'
import { accessibilityFaults } from '../accessibility.ts'
import { withoutBrowser } from '../open-browser.ts'
import { fillIn, inDialog, isFocused, openForm, openSettings } from './open-settings.ts'

const skip = withoutBrowser

t.test('what is wrong stands at its field, which gets the focus', { skip }, async (t) => {
  const { page } = await openSettings(t)
  await openForm(page)
  await inDialog(page, 'Add webhook').click()
  const address = page.getByRole('textbox', { name: 'Webhook URL' })
  const name = page.getByRole('textbox', { name: 'Alias' })
  await page.getByText('Enter the Webhook URL.').waitFor()
  t.ok(await isFocused(address))
  t.strictSame(await accessibilityFaults(page), [])
  await fillIn(page, { 'Webhook URL': 'http://example.org/hook', Alias: 'pipeline' })
  await inDialog(page, 'Add webhook').click()
  await page.getByText('must start with https://').waitFor()
  t.equal(await address.getAttribute('aria-invalid'), 'true')
  t.equal(await name.getAttribute('aria-invalid'), 'false')
  const described = (await address.getAttribute('aria-describedby'))?.split(' ') ?? []
  t.match(await page.locator(`[id="${described[0]}"]`).innerText(), /must start with https/i)
  await fillIn(page, { 'Webhook URL': 'https://example.org/hook' })
  await page.getByLabel('Secret Token').focus()
  await page.keyboard.insertText('x'.repeat(257))
  await inDialog(page, 'Add webhook').click()
  await page.getByText('must be 1 to 256 visible ASCII characters').waitFor()
})

t.test('Esc asks before it discards what was typed, or a secret that was copied', { skip }, async (t) => {
  const { page } = await openSettings(t)
  await openForm(page)
  const form = page.getByRole('dialog', { name: 'Add a webhook' })
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  const name = form.getByLabel('Alias', { exact: true })
  await name.fill('pipeline')
  await page.keyboard.press('Escape')
  await question.waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  t.ok(await isFocused(name))
  t.equal(await name.inputValue(), 'pipeline')
  await form.getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await form.waitFor({ state: 'detached' })
  await openForm(page)
  await page.getByRole('button', { name: 'Copy the signing secret' }).click()
  // A dialog that the browser closes by force, as the second back gesture on a phone does, is opened again.
  await page.evaluate(`document.querySelector('dialog').close()`)
  await page.locator('dialog:modal').waitFor()
  t.match(await form.getByRole('group', { name: 'Signing secret' }).locator('code').innerText(), /^whsec_/)
  await page.keyboard.press('Escape')
  await question.waitFor()
  await question.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

t.test('the other forms ask before they discard what was typed, too', { skip }, async (t) => {
  const { page, server, addWebhook } = await openSettings(t)
  await addWebhook('https://pipeline.example/hook')
  await page.getByRole('button', { name: 'Deliveries pipeline' }).click()
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  const check = async (button: string, label: string, value: string) => {
    await page.getByRole('button', { name: button }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: button }).click()
    await fillIn(page, { [label]: value })
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Keep editing' }).click()
    t.equal(await page.getByLabel(label, { exact: true }).inputValue(), value)
    await inDialog(page, 'Close').click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await check('Add expectation', 'Max age', '6h')
  await check('Replay events', 'Since', '2020-01-01T00:00')
  await page.goto(`${server.org}/settings`)
  await check('Add expectation', 'Repositories', 'weather-*')
  await check('Create API key', 'Name', 'pipeline')
})

t.test('a form stays open until its request is answered', { skip }, async (t) => {
  const { page } = await openSettings(t)
  const pressed = Promise.withResolvers<void>()
  await page.route(/\/receivers$/, async (route) => {
    if (route.request().method() === 'POST') await pressed.promise
    await route.continue()
  })
  await openForm(page, { 'Webhook URL': 'https://pipeline.example/hook', Alias: 'pipeline' })
  await inDialog(page, 'Add webhook').click()
  await page.keyboard.press('Escape')
  await inDialog(page, 'Cancel').click({ force: true })
  t.ok(await page.getByRole('dialog', { name: 'Add a webhook' }).isVisible())
  pressed.resolve()
  await page.getByText('pipeline is saved.').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

t.test(
  'the receiver of a new webhook can verify the test, and the deliveries after it was saved',
  { skip },
  async (t) => {
    const { page, server, commit } = await openSettings(t)
    const { origin, requests } = await receive(t, { status: 200 })
    await openForm(page)
    const dialog = page.getByRole('dialog')
    const secret = await dialog.getByRole('group', { name: 'Signing secret' }).locator('code').innerText()
    t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    await fillIn(page, { 'Webhook URL': `${origin}/hook`, Alias: 'pipeline' })
    await inDialog(page, 'Test').click()
    await page.getByText('answered 200').waitFor()
    await fillIn(page, { Alias: 'tiles' })
    t.ok(await page.getByText('answered 200').isVisible())
    await fillIn(page, { 'Webhook URL': `${origin}/other` })
    await page.getByText('answered 200').waitFor({ state: 'detached' })
    await inDialog(page, 'Add webhook').click()
    await dialog.waitFor({ state: 'detached' })
    await commit()
    await server.administer('POST', 'repos/ocean/refresh')
    await page.getByText('Healthy').waitFor()
    t.equal(requests.length, 2)
    for (const { headers, body } of requests) {
      const {
        'webhook-id': id = '',
        'webhook-timestamp': timestamp = '',
        'webhook-signature': signature = '',
      } = headers
      t.ok(await verifySignature({ id, timestamp, signature, body, secrets: [secret] }))
    }
    t.strictSame(
      requests.map(({ headers }) => headers['webhook-test']),
      ['true', undefined],
    )
    await openForm(page)
    t.not(
      await dialog.getByRole('group', { name: 'Signing secret' }).locator('code').innerText(),
      secret,
      'each form makes its own',
    )
    await page.keyboard.press('Escape')
    await page.getByText('Audit log', { exact: true }).click()
    await page.getByText('webhook.test').waitFor()
    await page.getByText(`${origin}/...: answered 200`).waitFor()
    t.notMatch(await page.content(), secret)
  },
)

t.test('events, branches and paths are selected, and what is wrong stands at its field', { skip }, async (t) => {
  const { page, server } = await openSettings(t)
  await openForm(page, { 'Webhook URL': 'https://pipeline.example/hook', Alias: 'pipeline' })
  const dialog = page.getByRole('dialog')
  const event = page.getByRole('group', { name: 'Events' }).getByRole('checkbox', { name: 'NewCommit' })
  t.equal(await event.isChecked(), true)
  const alerts = page.getByRole('group', { name: 'Alerts' }).getByRole('checkbox')
  t.equal(await alerts.count(), 6)
  t.equal(await page.getByRole('group', { name: 'Events' }).getByRole('group').count(), 3, 'none about Floe here')
  t.strictSame(await accessibilityFaults(page), [])
  await event.uncheck()
  await inDialog(page, 'Add webhook').click()
  await page.getByText('Select at least one.').waitFor()
  t.ok(await isFocused(event))
  await event.check()
  t.equal(await dialog.getByLabel('Branches').inputValue(), 'main')
  t.equal(await dialog.getByLabel('Paths', { exact: true }).inputValue(), '**')
  await page.setViewportSize({ width: 360, height: 740 })
  await fillIn(page, { Branches: '', Paths: `forecast/**\n${'*/'.repeat(9)}` })
  await inDialog(page, 'Add webhook').click()
  await page.getByText('Enter the Branches.').waitFor()
  t.ok(await isFocused(dialog.getByLabel('Branches')))
  await fillIn(page, { Branches: 'main\nrelease/*' })
  await inDialog(page, 'Add webhook').click()
  const message = page.getByText('Pattern 2 must have')
  await message.waitFor()
  t.ok(await isFocused(dialog.getByLabel('Paths', { exact: true })))
  const [text, actions] = await Promise.all([message.boundingBox(), inDialog(page, 'Test').boundingBox()])
  t.ok(text && actions && text.y + text.height <= actions.y, 'in sight, above the buttons')
  t.strictSame(await accessibilityFaults(page), [])
  await fillIn(page, { Paths: 'forecast/**' })
  await dialog.getByRole('checkbox', { name: 'TagCreated' }).check()
  await dialog.getByRole('checkbox', { name: 'BranchCreated' }).check()
  await dialog.getByRole('checkbox', { name: 'Include changed paths' }).check()
  await inDialog(page, 'Add webhook').click()
  const row = 'NewCommit, BranchCreated on main, release/*; paths forecast/**; TagCreated'
  await page.getByText(row).waitFor()
  await page.getByText('with changed paths').waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  const { items } = await (await server.administer('GET', 'repos/ocean/receivers')).json()
  const filter = { branches: ['main', 'release/*'], paths: ['forecast/**'], include_changes: true }
  t.match(items, [{ events: ['NewCommit', 'BranchCreated', 'TagCreated'], ...filter }])
  await page.getByRole('button', { name: 'Edit pipeline' }).click()
  await event.uncheck()
  await fillIn(page, { Branches: '**' })
  await inDialog(page, 'Save').click()
  await page.getByText('BranchCreated on **; TagCreated').waitFor()
})

t.test('a host that does not resolve fails the test, and is saved with a warning that stays', { skip }, async (t) => {
  const error = Object.assign(new Error('queryA ENOTFOUND pipeline.example'), { code: 'ENOTFOUND', syscall: 'queryA' })
  const { page } = await openSettings(t, { resolveHost: () => Promise.reject(error) })
  await page.setViewportSize({ width: 360, height: 740 })
  await openForm(page, { 'Webhook URL': 'https://pipeline.example/hook' })
  await inDialog(page, 'Test').click()
  const answer = page.getByText('pipeline.example could not be found; check how it is spelt (ENOTFOUND)')
  await answer.waitFor()
  const [text, actions] = await Promise.all([answer.boundingBox(), inDialog(page, 'Test').boundingBox()])
  t.ok(text && actions && text.y + text.height <= actions.y, 'in sight, however long the form is')
  t.strictSame(await accessibilityFaults(page), [])
  await fillIn(page, { Alias: 'pipeline' })
  await inDialog(page, 'Add webhook').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.match(await page.locator('.notice').innerText(), 'pipeline.example')
  // In one step, because a poll of the page may move what is on it.
  const isInSight = await page.getByRole('link', { name: 'API', exact: true }).evaluate((footer) => {
    scrollTo(0, document.documentElement.scrollHeight)
    const notice = document.querySelector('.notice')
    return notice !== null && footer.getBoundingClientRect().bottom <= notice.getBoundingClientRect().top
  })
  t.ok(isInSight, 'nothing stays hidden behind it')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  t.equal(await page.locator('.notice').count(), 0)
})

t.test('a chat whose service is guessed is tested and saved with a warning', { skip }, async (t) => {
  const { page } = await openSettings(t)
  const { origin } = await receive(t, { status: 200, body: '{"errcode":310000,"errmsg":"keywords not in content"}' })
  await page.getByRole('button', { name: 'Add chat' }).click()
  await fillIn(page, { 'Webhook URL': `${origin}/robot/send`, Alias: 'team' })
  await inDialog(page, 'Test').click()
  await page.getByText('answered 200, but says that the message is not shown: {"errcode":310000').waitFor()
  const guess = 'Floe does not know the chat service at 127.0.0.1'
  await page.getByRole('dialog').getByText(guess).waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await page.getByLabel('Chat service').selectOption('DingTalk')
  await inDialog(page, 'Test').click()
  await page.getByText('answered 200, but').waitFor()
  t.equal(await page.getByText(guess).count(), 0, 'a service that was chosen')
  await page.getByLabel('Chat service').selectOption('Detect from the URL')
  await inDialog(page, 'Add chat').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.match(await page.locator('.notice').innerText(), guess)
})
