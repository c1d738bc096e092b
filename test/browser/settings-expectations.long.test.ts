// How people add, change and delete expectations on the settings page.
import { t } from 'tap'
import { accessibilityFaults } from './accessibility.ts'
import { withoutBrowser } from './open-browser.ts'
import { fillIn, inDialog, isFocused, openSettings } from './open-settings.ts'

const skip = withoutBrowser

t.test('an expectation is added, shown with its state, changed and deleted', { skip }, async (t) => {
  const { page, server, faults } = await openSettings(t)
  const section = page.getByRole('region', { name: /^Expectations/ })
  const fill = (label: string, text: string) => page.getByRole('dialog').getByLabel(label, { exact: true }).fill(text)
  await section.getByText('No expectations yet.').waitFor()
  await section.getByRole('button', { name: 'Add expectation' }).click()
  t.strictSame(await accessibilityFaults(page), [])
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
  t.strictSame(await accessibilityFaults(page), [])
  await row.getByRole('button', { name: 'Edit the expectation for nowhere/** on main' }).click()
  await fill('Path', '')
  await fill('Branch', 'elsewhere')
  await inDialog(page, 'Save').click()
  await row.getByRole('heading', { name: 'elsewhere' }).waitFor()
  const { items } = await (await server.administer('GET', 'repos/ocean/expectations')).json()
  t.match(items, [{ branch: 'elsewhere', max_age: '3000d', path: null }])
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
    faults.filter((fault) => !fault.includes('400')),
    [],
  )
})

t.test('after a change of somebody else, an edit is kept, and the rest shows theirs', { skip }, async (t) => {
  const { page, server } = await openSettings(t)
  const path = 'repos/ocean/expectations'
  const { id } = await (await server.administer('POST', path, { branch: 'main', max_age: '3000d' })).json()
  const section = page.getByRole('region', { name: /^Expectations/ })
  await section.getByRole('button', { name: 'Edit the expectation for main' }).click()
  await fillIn(page, { Path: 'forecast/**' })
  await server.administer('PATCH', `${path}/${id}`, { max_age: '2000d' })
  await inDialog(page, 'Save').click()
  await page.getByText('Somebody else has changed this since you opened it.').waitFor()
  t.match(await (await server.administer('GET', `${path}/${id}`)).json(), { max_age: '2000d', path: null })
  await inDialog(page, 'Save').click()
  await page.getByText('The expectation for main is saved.').waitFor()
  t.match(await (await server.administer('GET', `${path}/${id}`)).json(), { max_age: '2000d', path: 'forecast/**' })
})
