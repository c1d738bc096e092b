// The settings page shows the states of receivers, of the log and of the search index.
import type { Locator } from 'playwright-core'
import { t } from 'tap'
import { receive } from '../../server/administration/start-administration.ts'
import { waitUntil } from '../../server/wait-until.ts'
import { accessibilityFaults } from '../accessibility.ts'
import { withoutBrowser } from '../open-browser.ts'
import { inDialog, openSettings, poll } from './open-settings.ts'

const skip = withoutBrowser

t.test('enabling asks what should happen to held deliveries', { skip }, async (t) => {
  const { page, server, commit, addWebhook } = await openSettings(t)
  const answer = { status: 503 }
  const { origin } = await receive(t, answer)
  await addWebhook(`${origin}/hook`)
  for (let moves = 0; moves < 2; moves++) {
    await commit()
    await server.administer('POST', 'repos/ocean/refresh')
  }
  await page.getByRole('button', { name: 'Disable pipeline' }).click()
  await page.getByText('deliveries are held').waitFor()
  t.strictSame(await accessibilityFaults(page), [])
  answer.status = 200
  await page.getByRole('button', { name: 'Enable pipeline' }).click()
  t.strictSame(await accessibilityFaults(page), [])
  t.equal(await page.getByLabel('Send the latest').isChecked(), true)
  await page.getByLabel('Discard them').check()
  await inDialog(page, 'Enable').click()
  await page.getByText('pipeline is enabled').waitFor()
  await page.getByLabel('State').selectOption('Discarded')
  const deliveries = page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem')
  await deliveries.filter({ hasText: 'Discarded' }).nth(1).waitFor()
  answer.status = 503
  await commit()
  await server.administer('POST', 'repos/ocean/refresh')
  await page.getByRole('button', { name: 'Disable pipeline' }).click()
  await page.getByText('1 delivery is held').waitFor()
  await page.getByRole('button', { name: 'Enable pipeline' }).click()
  t.equal(await page.getByLabel('Send it').isChecked(), true)
  t.equal(await page.getByRole('radio').count(), 2)
})

t.test('the events that a webhook missed are replayed, and a replay can be cancelled', { skip }, async (t) => {
  const { page, server, commit, addWebhook } = await openSettings(t)
  const answer = { status: 200 }
  const { origin, requests } = await receive(t, answer)
  const webhook = `repos/ocean/receivers/${await addWebhook(`${origin}/hook`)}`
  const move = async () => {
    await commit()
    await server.administer('POST', 'repos/ocean/refresh')
  }
  await server.administer('PATCH', webhook, { kind: 'webhook', enabled: false })
  await move()
  await move()
  await server.administer('PATCH', webhook, { kind: 'webhook', enabled: true, resume: 'none' })
  // A failed delivery that waits for its retry keeps the replay waiting.
  answer.status = 503
  await move()
  const deliveries = page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem')
  const failed = deliveries.filter({ hasText: 'Failed' })
  await failed.waitFor()
  t.equal(await page.getByRole('button', { name: 'Replay events' }).count(), 0, 'no webhook is chosen')
  await page.getByRole('button', { name: 'Deliveries pipeline' }).click()
  const replay = async (choice: string) => {
    await page.getByRole('button', { name: 'Replay events' }).click()
    await page.getByLabel('Since').fill('2020-01-01T00:00')
    await page.getByRole('radio', { name: choice }).check()
    t.strictSame(await accessibilityFaults(page), [])
    await inDialog(page, 'Replay').click()
    await page.getByText('2 deliveries to pipeline will be sent again.').waitFor()
    await page.getByText(/^2 deliveries to send again. The next event was recorded/).waitFor()
    t.strictSame(await accessibilityFaults(page), [])
  }
  for (const choice of ['All Also', 'All, as new']) {
    await replay(choice)
    await page.getByRole('button', { name: 'Cancel the replay' }).click()
    await page.getByText('to send again').waitFor({ state: 'detached' })
  }
  await replay('Only those given up or discarded')
  answer.status = 200
  await failed.getByRole('button').click()
  await inDialog(page, 'Redeliver').click()
  await inDialog(page, 'Done').click()
  await deliveries.filter({ hasText: 'Delivered' }).nth(2).waitFor()
  await page.getByText('to send again').waitFor({ state: 'detached' })
  const sequences = requests.map(({ headers }) => headers['webhook-sequence'])
  t.strictSame(sequences.slice(-3), ['4', '2', '3'], 'in order, after what was new')

  await page.getByRole('button', { name: 'Replay events' }).click()
  await page.getByLabel('Since').fill('2020-01-01T00:00')
  await page.getByLabel('Until').fill('2019-01-01T00:00')
  await inDialog(page, 'Replay').click()
  await page.getByText('must be before').waitFor()
})

t.test('the log turns its pages and narrows to a receiver', { skip }, async (t) => {
  const { page, server, commit, addWebhook } = await openSettings(t)
  const { origin } = await receive(t, { status: 200 })
  for (const alias of ['one', 'two']) {
    await addWebhook(`${origin}/${alias}`, { alias })
  }
  for (let moves = 0; moves < 12; moves++) {
    await commit()
    await server.administer('POST', 'repos/ocean/refresh')
  }
  // A poll during these commits shows a page with fewer entries until the next poll.
  await page.reload()
  const log = page.getByRole('region', { name: 'Deliveries' })
  await log.getByRole('button', { name: 'Older' }).click()
  await log.getByRole('button', { name: 'Newest' }).waitFor()
  await untilListed(log, 4)
  const isFocused = (name: string) =>
    log.getByRole('button', { name }).evaluate((element) => element === document.activeElement)
  t.ok(await isFocused('Older'), 'on the last page too')
  await log.getByRole('button', { name: 'Newest' }).click()
  await untilListed(log, 20)
  t.ok(await isFocused('Newest'))
  await page.getByRole('button', { name: 'Deliveries one' }).click()
  await untilListed(log, 12)
  t.strictSame(await accessibilityFaults(page), [])
})

/** Waits until a list has this many items. It shows its former items until the service has answered. */
async function untilListed(list: Locator, count: number) {
  const items = list.getByRole('listitem')
  await items.nth(count).waitFor({ state: 'detached' })
  await items.nth(count - 1).waitFor()
}

t.test(
  'a receiver that the configuration file declares can only be tested, enabled and disabled',
  { skip },
  async (t) => {
    const { origin } = await receive(t, { status: 200 })
    const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const webhooks = [{ org: 'acme', repo: 'ocean', url: `${origin}/hook`, alias: 'declared', signingSecret }]
    const { page } = await openSettings(t, { notifications: { webhooks } })
    await page.getByText('declared in the configuration file').waitFor()
    t.equal(await page.getByRole('button', { name: /^(Edit|Delete) declared/ }).count(), 0)
    await page.getByRole('button', { name: 'Test declared' }).click()
    await page.getByText('answered 200').waitFor()
    await inDialog(page, 'Done').click()
    await page.getByRole('button', { name: 'Rotate secret declared' }).click()
    await inDialog(page, 'Rotate secret').click()
    await page.getByText('The configuration file declares the signing secret of this webhook').waitFor()
    t.strictSame(await accessibilityFaults(page), [])
    await inDialog(page, 'Cancel').click()
    await page.getByRole('button', { name: 'Disable declared' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
  },
)

t.test('the page says that the head is not in the search index, and why', { skip }, async (t) => {
  const { page, server } = await openSettings(t, { hasSearch: true })
  const listUnfinished = () =>
    server.db.selectFrom('heads').select('branch').whereRef('indexed_snapshot_id', 'is distinct from', 'snapshot_id')
  await waitUntil(async () => (await listUnfinished().execute()).length === 0)
  const waiting = { indexed_snapshot_id: '', index_due_at: Date.now() + 3_600_000 }
  await server.db.updateTable('heads').set(waiting).execute()
  await poll(page)
  await page.getByText('Not in the search index yet').waitFor()
  await server.db.updateTable('heads').set({ index_problem: 'The store refused the credentials' }).execute()
  await poll(page)
  await page.getByText('Not in the search index: The store refused the credentials').waitFor()
  t.strictSame(await accessibilityFaults(page), [])
})
