// How people attach, change and delete contracts on the settings page.
import { t } from 'tap'
import { accessibilityFaults } from './accessibility.ts'
import { withoutBrowser } from './open-browser.ts'
import { inDialog, isFocused, openSettings } from './open-settings.ts'

const skip = withoutBrowser

/** Broken, because the repository has no such dataset. */
const moon = { version: 1, datasets: { moon: { variables: { depth: { units: 'm' } } } } }

t.test('a contract is attached, shown with its state, changed and deleted', { skip }, async (t) => {
  const { page, server, faults } = await openSettings(t)
  const section = page.getByRole('region', { name: /^Contracts/ })
  const fill = (label: string, text: string) => page.getByRole('dialog').getByLabel(label, { exact: true }).fill(text)
  await section.getByText('No contracts yet.').waitFor()
  await section.getByRole('button', { name: 'Attach contract' }).click()
  t.strictSame(await accessibilityFaults(page), [])
  await fill('Name', 'maps')
  await fill('Contract', '{')
  await inDialog(page, 'Attach contract').click()
  await page.getByText(/must be JSON/).waitFor()
  await fill('Contract', '{ "version": 1, "datasets": { "moon": { "more": 1 } } }')
  await inDialog(page, 'Attach contract').click()
  await page.getByText('/datasets/moon/more is not known').waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  const file = { name: 'moon.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(moon)) }
  await page.getByRole('dialog').getByLabel('Contract from a file').setInputFiles(file)
  await inDialog(page, 'Attach contract').click()
  const row = section.getByRole('listitem').first()
  await row.getByRole('heading', { name: 'maps' }).waitFor()
  await row.getByText('Broken', { exact: true }).waitFor()
  await row.getByText('moon: the dataset is missing').waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await row.getByRole('button', { name: 'Edit the contract maps' }).click()
  await fill('Contract', '{ "version": 1, "datasets": {} }')
  await inDialog(page, 'Save').click()
  await row.getByText('Kept', { exact: true }).waitFor()
  const { items } = await (await server.administer('GET', 'repos/ocean/contracts')).json()
  t.match(items, [{ name: 'maps', branch: 'main', state: 'kept' }])
  await row.getByRole('button', { name: 'Delete the contract maps' }).click()
  await inDialog(page, 'Delete').click()
  await section.getByText('No contracts yet.').waitFor()
  t.strictSame(
    faults.filter((fault) => !fault.includes('400')),
    [],
  )
})

t.test('a file chooser that is cancelled leaves the form open', { skip }, async (t) => {
  const { page } = await openSettings(t)
  await page.getByRole('button', { name: 'Attach contract' }).click()
  const form = page.getByRole('dialog', { name: 'Attach a contract' })
  await form.getByLabel('Name', { exact: true }).fill('maps')
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Page.setInterceptFileChooserDialog', { enabled: true, cancel: true })
  const file = form.getByLabel('Contract from a file')
  const cancelled = file.evaluate((input) => new Promise((resolve) => input.addEventListener('cancel', resolve)))
  await file.click()
  await cancelled
  t.equal(await form.getByLabel('Name', { exact: true }).inputValue(), 'maps')
})

t.test('after a change of somebody else, an edit is kept, and the rest shows theirs', { skip }, async (t) => {
  const { page, server } = await openSettings(t)
  const path = 'repos/ocean/contracts'
  const body = { name: 'maps', branch: 'main', contract: moon }
  const { id } = await (await server.administer('POST', path, body)).json()
  const section = page.getByRole('region', { name: /^Contracts/ })
  await section.getByRole('button', { name: 'Edit the contract maps' }).click()
  const empty = { version: 1, datasets: {} }
  await page.getByRole('dialog').getByLabel('Contract', { exact: true }).fill(JSON.stringify(empty))
  await server.administer('PATCH', `${path}/${id}`, { name: 'tiles' })
  await inDialog(page, 'Save').click()
  await page.getByText('Somebody else has changed this since you opened it.').waitFor()
  t.equal(await page.getByRole('dialog').getByLabel('Name', { exact: true }).inputValue(), 'tiles')
  t.match(await (await server.administer('GET', `${path}/${id}`)).json(), { name: 'tiles', contract: moon })
  await inDialog(page, 'Save').click()
  await page.getByText('The contract tiles is saved.').waitFor()
  t.match(await (await server.administer('GET', `${path}/${id}`)).json(), { name: 'tiles', contract: empty })
})

t.test('when somebody else deletes the contract that is edited, the page says so', { skip }, async (t) => {
  const { page, server } = await openSettings(t)
  const path = 'repos/ocean/contracts'
  const { id } = await (await server.administer('POST', path, { name: 'maps', branch: 'main', contract: moon })).json()
  await page.getByRole('button', { name: 'Edit the contract maps' }).click()
  await page.getByRole('dialog').waitFor()
  await server.administer('DELETE', `${path}/${id}`)
  await page.getByText('The contract that you had open has been deleted.').waitFor()
  t.ok(await isFocused(page.getByRole('heading', { name: /^Contracts/ })))
})
