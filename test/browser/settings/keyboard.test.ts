// The settings page by keyboard alone: nothing is clicked, and each step says what a screen reader would read.
import type { Locator, Page } from 'playwright-core'
import { t } from 'tap'
import { receive } from '../../server/administration/start-administration.ts'
import { withoutBrowser } from '../open-browser.ts'
import { inDialog, isFocused, openSettings } from './open-settings.ts'

const skip = withoutBrowser

/** More than the controls of a page. */
const maxTabs = 150

/** Presses Tab until a control has the focus. */
async function goTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let tabs = 0; tabs < maxTabs; tabs++) {
    if (await isFocused(control)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${control.toString()}`)
}

async function press(page: Page, control: Locator): Promise<void> {
  await goTo(page, control)
  await page.keyboard.press('Enter')
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await goTo(page, page.getByLabel(label, { exact: true }))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

t.test('a webhook is added, tested, edited, filtered, replayed and deleted by keyboard alone', { skip }, async (t) => {
  const { page, faults, commit, server } = await openSettings(t)
  const { origin, requests } = await receive(t, { status: 200 })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialogGone = () => page.getByRole('dialog').waitFor({ state: 'detached' })

  await press(page, button('Add webhook'))
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await dialogGone()
  t.ok(await isFocused(button('Add webhook')), 'the focus comes back')
  await page.keyboard.press('Enter')
  t.ok(await isFocused(page.getByLabel('Webhook URL', { exact: true })), 'the first field has it')
  await type(page, 'Webhook URL', `${origin}/hook`)
  await type(page, 'Alias', 'pipeline')
  await press(page, inDialog(page, 'Test'))
  await page.getByText('answered 200').waitFor()
  await press(page, inDialog(page, 'Add webhook'))
  await dialogGone()
  t.ok((await page.getByRole('status').allInnerTexts()).includes('pipeline is saved.'), 'a screen reader reads it')

  await press(page, button('Edit pipeline'))
  await type(page, 'Alias', 'tiles')
  await press(page, inDialog(page, 'Save'))
  await dialogGone()
  await button('Edit tiles').waitFor()

  const sent = requests.length
  await commit()
  await server.administer('POST', 'repos/ocean/refresh')
  await page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem').getByText('Delivered').waitFor()
  t.equal(requests.length, sent + 1)
  await press(page, button('Deliveries tiles'))
  await goTo(page, page.getByLabel('State'))
  await page.keyboard.type('Deli')
  t.equal(await page.getByLabel('State').inputValue(), 'delivered')

  await press(page, button('Replay events'))
  await goTo(page, page.getByLabel('Since'))
  await page.keyboard.type('01012020')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1200AM')
  await goTo(page, page.getByRole('radio').first())
  await page.keyboard.press('ArrowDown')
  await press(page, inDialog(page, 'Replay'))
  await page.getByText('1 delivery to tiles will be sent again.').waitFor()

  await press(page, button('Delete tiles'))
  t.ok(await isFocused(inDialog(page, 'Cancel')), 'the harmless answer comes first')
  await press(page, inDialog(page, 'Delete'))
  await dialogGone()
  // The row goes with the next answer of the list, after the dialog.
  await button('Edit tiles').waitFor({ state: 'detached' })
  t.not(await page.evaluate('document.activeElement.tagName'), 'BODY', 'the focus is not lost')
  t.strictSame(faults, [])
})

t.test('an API key is created and revoked by keyboard alone', { skip }, async (t) => {
  const { page, faults } = await openSettings(t, {}, '')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await press(page, button('Create API key'))
  await type(page, 'Name', 'nightly export')
  await press(page, inDialog(page, 'Create API key'))
  await page.getByText('It is not shown again.').waitFor()
  await press(page, inDialog(page, 'Done'))
  await press(page, button('Revoke nightly export'))
  await press(page, inDialog(page, 'Revoke'))
  await page.getByText('nightly export is revoked.').waitFor()
  t.not(await page.evaluate('document.activeElement.tagName'), 'BODY', 'the focus is not lost')
  t.strictSame(faults, [])
})
