// How people add, change and delete contracts and expectations on the settings page.
import type { Page } from 'playwright-core'
import { t } from 'tap'
import { accessibilityFaults } from './accessibility.ts'
import { withoutBrowser } from './open-browser.ts'
import { inDialog, isFocused, openSettings, poll } from './open-settings.ts'

const skip = withoutBrowser

/** Broken, because the repository has no such dataset. */
const moon = { version: 1, datasets: { moon: { variables: { depth: { units: 'm' } } } } }

t.test('a contract is attached, shown with its state, changed and deleted', { skip }, async (t) => {
  const { page, server, faults } = await openSettings(t)
  const section = page.getByRole('region', { name: /^Contracts/ })
  const fill = (label: string, text: string) => page.getByRole('dialog').getByLabel(label, { exact: true }).fill(text)
  await section.getByText('No contracts yet.').waitFor()
  await section.getByRole('button', { name: 'Attach contract' }).click()
  await fill('Name', 'maps')
  await cancelFileChooser(page)
  t.equal(await page.getByRole('dialog').getByLabel('Name', { exact: true }).inputValue(), 'maps', 'the form is open')
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

/** Opens the file chooser of the form, and cancels it. */
async function cancelFileChooser(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Page.setInterceptFileChooserDialog', { enabled: true, cancel: true })
  const file = page.getByRole('dialog').getByLabel('Contract from a file')
  const cancelled = file.evaluate((input) => new Promise((resolve) => input.addEventListener('cancel', resolve)))
  await file.click()
  await cancelled
  await devTools.detach()
}

t.test(
  'after a change of somebody else, an edit of a contract is kept; when they delete it, the page says so',
  { skip },
  async (t) => {
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

    await section.getByRole('button', { name: 'Edit the contract tiles' }).click()
    await page.getByRole('dialog').waitFor()
    await server.administer('DELETE', `${path}/${id}`)
    await poll(page)
    await page.getByText('The contract that you had open has been deleted.').waitFor()
    t.ok(await isFocused(page.getByRole('heading', { name: /^Contracts/ })))
  },
)

t.test('an expectation is added, shown with its state, changed, also by others, and deleted', { skip }, async (t) => {
  const { page, server, faults } = await openSettings(t)
  const section = page.getByRole('region', { name: /^Expectations/ })
  const fill = (label: string, text: string) => page.getByRole('dialog').getByLabel(label, { exact: true }).fill(text)
  await section.getByText('No expectations yet.').waitFor()
  await section.getByRole('button', { name: 'Add expectation' }).click()
  await fill('A commit at least every', '30s')
  await inDialog(page, 'Add expectation').click()
  await page.getByText('must be at least one minute').waitFor()
  t.ok(
    await isFocused(page.getByLabel('A commit at least every', { exact: true })),
    'a screen reader reads the message',
  )
  t.strictSame(await accessibilityFaults(page), [])
  await fill('A commit at least every', '3000 d')
  await fill('Path', 'nowhere/**')
  await inDialog(page, 'Add expectation').click()
  const row = section.getByRole('listitem')
  await row.getByText('A commit at least every 3000d').waitFor()
  await row.getByText('In time').waitFor()
  await row.getByText('nowhere/**').waitFor()
  const path = 'repos/ocean/expectations'
  const list = async () => (await (await server.administer('GET', path)).json()).items
  await row.getByRole('button', { name: 'Edit the expectation for nowhere/** on main' }).click()
  await fill('Path', '')
  await fill('Branch', 'elsewhere')
  await server.administer('PATCH', `${path}/${(await list())[0].id}`, { max_age: '2000d' })
  await inDialog(page, 'Save').click()
  await page.getByText('Somebody else has changed this since you opened it.').waitFor()
  t.match(await list(), [{ branch: 'main', max_age: '2000d' }], 'nothing is overwritten unseen')
  await inDialog(page, 'Save').click()
  await page.getByText('The expectation for elsewhere is saved.').waitFor()
  t.match(await list(), [{ branch: 'elsewhere', max_age: '2000d', path: null }])
  await row.getByRole('button', { name: 'Edit the expectation for elsewhere' }).click()
  await fill('Or a share of the chunks of each array written', '0.5')
  await inDialog(page, 'Save').click()
  await page.getByText('cannot be sent together with written').waitFor()
  await fill('A commit at least every', '')
  await fill('Or a share of the chunks of each array written', '')
  await inDialog(page, 'Save').click()
  await page.getByText('Enter an age such as 6h').waitFor()
  await fill('Or a share of the chunks of each array written', '99%')
  await inDialog(page, 'Save').click()
  await page.getByText('must be a number such as 0.99').waitFor()
  await fill('Or a share of the chunks of each array written', '0.5')
  await fill('Branch', 'main')
  await inDialog(page, 'Save').click()
  await row.getByText('50% of the chunks of each array written').waitFor()
  await row.getByText(/^(?:Enough written|Fewer written|Unknown)$/).waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  await row.getByRole('button', { name: 'Delete the expectation for main' }).click()
  await inDialog(page, 'Delete').click()
  await section.getByText('No expectations yet.').waitFor()
  t.strictSame(
    faults.filter((fault) => !/status of 4(?:00|12)/.test(fault)),
    [],
  )
})
