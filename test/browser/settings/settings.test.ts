// The settings page in a browser: a real server, real HTTPS receivers, a repository whose head moves.
import { createAdminClient } from '@floe/client'
import { createApiKey } from '@floe/storage/database'
import { t } from 'tap'
import { receive } from '../../server/administration/start-administration.ts'
import { basic, type RunningServer } from '../../server/start-server.ts'
import { waitUntil } from '../../server/wait-until.ts'
import { accessibilityFaults } from '../accessibility.ts'
import { withoutBrowser } from '../open-browser.ts'
import { fillIn, inDialog, isFocused, openForm, openSettings, poll } from './open-settings.ts'

const skip = withoutBrowser

/** The first request of each poll of the page. */
const repository = /repos\/ocean$/

/** Leaves out the refusals that a test provokes, which the browser's console reports too. */
const unexpected = (faults: readonly string[]) => faults.filter((fault) => !/status of 4\d\d/.test(fault))

// Proves: the settings page creates, tests, lists and deletes webhooks and chats
t.test('an administrator sets up a webhook, sees it deliver, fail and recover, and deletes it', { skip }, async (t) => {
  const { page, faults, commit } = await openSettings(t)
  const answer = { status: 404, body: 'no such hook' }
  const { origin, requests } = await receive(t, answer)
  const accessible = async (state: string) => t.strictSame(await accessibilityFaults(page), [], state)
  await accessible('empty')

  // A webhook whose test fails, corrected and tested again.
  await openForm(page, { 'Webhook URL': `${origin}/wrong`, Alias: 'tile server', 'Secret Token': 'a-token' })
  await inDialog(page, 'Test').click()
  await page.getByText('answered 404').waitFor()
  t.match(await page.getByLabel('Body of the answer').innerText(), 'no such hook')
  await page.getByText('What was sent').click()
  t.match(await page.locator('.headers').innerText(), /x-secret-token\s+\[redacted\]/)
  await accessible('failed test')
  Object.assign(answer, { status: 200, body: 'thanks' })
  await page.getByLabel('Webhook URL').fill(`${origin}/hook`)
  await inDialog(page, 'Test').click()
  await page.getByText('answered 200').waitFor()
  t.equal(requests.at(-1)?.headers['x-secret-token'], 'a-token')
  const secret = page.getByRole('group', { name: 'Signing secret' }).locator('code')
  t.match(await secret.innerText(), /^whsec_/)
  await page.getByText('It is not shown again.').waitFor()
  await page.getByRole('button', { name: 'Copy the signing secret' }).click()
  await page.getByText('Copied.').waitFor()
  await accessible('signing secret')
  await inDialog(page, 'Add webhook').click()
  await page.getByText('Nothing sent yet', { exact: true }).waitFor()

  // A commit, and its delivery. A poll of the page must not see the new head before the button is pressed.
  const noticed = Promise.withResolvers<void>()
  await page.route(repository, (route) => noticed.promise.then(() => route.continue()))
  await Promise.all([page.waitForRequest(repository), poll(page)])
  await commit()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('The head has moved').waitFor()
  noticed.resolve()
  const deliveries = page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem')
  await deliveries.filter({ hasText: 'Delivered' }).waitFor()
  await page.getByText('Healthy').waitFor()
  await accessible('healthy')

  // The receiver breaks.
  Object.assign(answer, { status: 503, body: 'down for maintenance' })
  await commit()
  await deliveries.filter({ hasText: 'Failed' }).waitFor()
  await page.getByText('Failing').waitFor()
  await page.locator('.state').getByText('answered 503').waitFor()
  await page.getByText(/^Last 24 hours: \d accepted, 1 failed, median/).waitFor()
  await accessible('failing')
  await deliveries.filter({ hasText: 'Failed' }).getByRole('button').click()
  await page.getByText('answered 503').first().waitFor()
  t.match(await page.getByRole('dialog').getByRole('listitem').first().innerText(), 'down for maintenance')
  t.match(await page.locator('.delivery .facts').innerText(), /NewCommit, number 3\s+Branch\s+main/)
  await page.getByText('Payload').click()
  await accessible('delivery')

  // It recovers, and the delivery is sent again.
  Object.assign(answer, { status: 200, body: 'thanks' })
  await inDialog(page, 'Redeliver').click()
  await page.getByText('It will be sent again.').waitFor()
  await page.getByRole('dialog').getByText('Delivered').waitFor()
  await inDialog(page, 'Done').click()
  await page.getByText('Healthy').waitFor()

  // A new signing secret.
  await page.getByRole('button', { name: 'Rotate secret tile server' }).click()
  await accessible('rotation')
  await inDialog(page, 'Rotate secret').click()
  await page.getByText('It is not shown again.').waitFor()
  await inDialog(page, 'Done').click()

  // The end.
  await page.getByRole('button', { name: 'Delete tile server' }).click()
  await accessible('deletion')
  await inDialog(page, 'Delete').click()
  await page.getByText('tile server is deleted.').waitFor()
  await page.getByText('No webhooks yet').waitFor()
  await page.getByText('Audit log', { exact: true }).click()
  await page.getByText('webhook.delete').waitFor()
  await accessible('audit log')
  t.strictSame(unexpected(faults), [])
})

t.test('an administrator of all repositories sets up a webhook of the organisation', { skip }, async (t) => {
  const { page, faults, commit, server, addWebhook } = await openSettings(t, {}, '')
  const { origin } = await receive(t, { status: 200 })
  const accessible = async (state: string) => t.strictSame(await accessibilityFaults(page), [], state)
  await accessible('empty')
  t.equal(await page.getByRole('region', { name: 'Head of main' }).count(), 0)
  await openForm(page, { 'Webhook URL': `${origin}/hook`, Alias: 'all oceans', Repositories: '' })
  await inDialog(page, 'Add webhook').click()
  await page.getByText('Enter the Repositories.').waitFor()
  await fillIn(page, { Repositories: 'oc*\nsea ice' })
  await accessible('form')
  await inDialog(page, 'Add webhook').click()
  await page.getByText('NewCommit on main; repositories oc*, sea ice').waitFor()

  await page.getByRole('button', { name: 'Edit all oceans' }).click()
  t.equal(await page.getByLabel('Repositories', { exact: true }).inputValue(), 'oc*\nsea ice')
  await fillIn(page, { Repositories: '**' })
  await inDialog(page, 'Test').click()
  await page.getByText('answered 200').waitFor()
  await inDialog(page, 'Save').click()
  await page.getByText('all oceans is saved.').waitFor()

  // A delivery to each of two receivers, one of which has its settings on another page.
  await addWebhook(`${origin}/own`)
  await commit()
  await server.administer('POST', 'repos/ocean/refresh')
  const deliveries = page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem')
  await deliveries.filter({ hasText: 'all oceans' }).filter({ hasText: 'Delivered' }).waitFor()
  await deliveries.filter({ hasText: 'pipeline of ocean' }).getByRole('button').click()
  t.match(await page.locator('.delivery .facts').innerText(), /To\s+pipeline of ocean/)
  await inDialog(page, 'Redeliver').click()
  await page.getByText('It will be sent again.').waitFor()
  await inDialog(page, 'Done').click()
  await page.getByText('Audit log', { exact: true }).click()
  await page.getByText('in ocean').first().waitFor()

  // To a repository, and back.
  await page.getByText('Repositories (1)').click()
  await accessible('deliveries, audit log and repositories')
  await page.getByRole('link', { name: 'ocean', exact: true }).click()
  await page.getByRole('heading', { name: 'pipeline' }).waitFor()
  await deliveries.filter({ hasText: 'pipeline' }).waitFor()
  t.equal(await deliveries.count(), 1, 'without those of the organisation')
  const choice = page.getByRole('region', { name: 'Deliveries' }).getByRole('combobox').first()
  await choice.selectOption('all, also of the organisation')
  const foreign = deliveries.filter({ hasText: 'all oceans of the organisation' })
  await foreign.filter({ hasText: 'Delivered' }).waitFor()
  t.equal(await foreign.getByRole('button').count(), 0, 'its details belong to others')
  await choice.selectOption('all')
  t.equal(await page.getByRole('heading', { name: 'all oceans' }).count(), 0)
  await page.getByRole('link', { name: 'Settings of the organisation' }).click()
  await page.getByRole('heading', { name: 'all oceans' }).waitFor()
  await page.getByRole('button', { name: 'Delete all oceans' }).click()
  await inDialog(page, 'Delete').click()
  await page.getByText('No webhooks yet').waitFor()
  t.strictSame(unexpected(faults), [])
})

t.test('an administrator creates and revokes API keys, and sees who changed what', { skip }, async (t) => {
  const { page, faults, server } = await openSettings(t, {}, '')
  const accessible = async (state: string) => t.strictSame(await accessibilityFaults(page), [], state)
  const section = page.getByRole('region', { name: 'API keys' })
  const row = (name: string) => section.getByRole('listitem').filter({ hasText: name })
  const create = () => section.getByRole('button', { name: 'Create API key' }).click()
  await row('Unnamed key').first().waitFor()

  await create()
  await inDialog(page, 'Create API key').click()
  t.ok(await isFocused(page.getByLabel('Name', { exact: true })), 'a name is required')
  await fillIn(page, { Name: 'nightly export', Repositories: 'ocean\n\nsea ice', Expires: '2100-01-31T00:00' })
  await accessible('form')
  await inDialog(page, 'Create API key').click()
  await page.getByText('It is not shown again.').waitFor()
  const text = await page.getByRole('group', { name: 'API key' }).locator('code').innerText()
  await accessible('new key')
  t.equal((await server.get('discovery', { authorization: basic('acme', text) })).status, 200)
  await inDialog(page, 'Done').click()
  await row('nightly export').waitFor()
  t.match(await row('nightly export').innerText(), /Reads ocean, sea ice[^]*Valid[^]*Expires in [0-9,]+ days/)
  t.notMatch(await page.content(), text)

  // A past expiry is refused, and what was typed stays.
  await create()
  await fillIn(page, { Name: 'operations', Expires: '2020-01-31T00:00' })
  await page.getByLabel('Administrator').check()
  await inDialog(page, 'Create API key').click()
  await page.getByText('must be in the future').waitFor()
  await fillIn(page, { Expires: '' })
  await inDialog(page, 'Create API key').click()
  await inDialog(page, 'Done').click()
  t.match(await row('operations').innerText(), /Administers all repositories[^]*Never used/)

  await page.getByRole('button', { name: 'Revoke nightly export' }).click()
  await accessible('revocation')
  await inDialog(page, 'Revoke').click()
  await page.getByText('nightly export is revoked.').waitFor()
  await row('nightly export').getByText('Revoked', { exact: true }).waitFor()
  t.ok(await isFocused(section.getByRole('heading', { name: 'API keys' })), 'the button that had the focus is gone')
  // Replicas remember a valid key for a second.
  await waitUntil(async () => (await server.get('discovery', { authorization: basic('acme', text) })).status === 401)
  t.equal(await page.getByRole('button', { name: 'Revoke nightly export' }).count(), 0)

  // The audit log names the key that was changed, and the key that made the change.
  const operations = createAdminClient({ baseUrl: `${server.origin}/v1`, org: 'acme', apiKey: await newKey(server) })
  await operations.keys.create({ name: 'tiles', role: 'reader' })
  const { commits } = await (await server.get('history/ocean/main')).json()
  const head = String(commits[0].snapshot_id)
  const posted = await fetch(`${server.meta}/checks/ocean/${head}/quality`, {
    method: 'PUT',
    headers: { authorization: basic('acme', server.adminKey), 'content-type': 'application/json' },
    body: JSON.stringify({ state: 'passed' }),
  })
  t.equal(posted.status, 200)
  await page.getByText('Audit log', { exact: true }).click()
  const entries = page.locator('.audit li')
  await entries.filter({ hasText: 'key.revoke nightly export' }).waitFor()
  await entries.filter({ hasText: /key.create tiles\s+by API key second operator/ }).waitFor()
  await entries.filter({ hasText: `check.post quality of ${head} in ocean` }).waitFor()
  await accessible('keys and audit log')
  t.strictSame(unexpected(faults), [])
})

/** An administrator's key with the name `second operator`. */
function newKey({ db }: RunningServer): Promise<string> {
  return createApiKey(db, { org: 'acme', name: 'second operator', role: 'admin', repos: null }, new Date())
}
