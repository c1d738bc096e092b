// Reminders on their way to real receivers, from an expectation that is added over HTTP.
import { parseNotification } from '@floe/client'
import { expectationEventNames } from '@floe/contract/lists'
import { t } from 'tap'
import { receive, startAdministration } from '../administration/start-administration.ts'
import { expectationsPath, sampleBody, sampleKinds } from '../administration/sample-expectations.ts'
import { waitUntil } from '../wait-until.ts'

const hourMs = 3_600_000

t.test('while a branch is unmet, receivers are reminded once a period', async (t) => {
  const [webhook, chat] = await Promise.all([receive(t, { status: 204 }), receive(t, { status: 204 })])
  let passedMs = 0
  const server = await startAdministration(t, { now: () => Date.now() + passedMs })
  for (const [kind, { origin: url }] of Object.entries({ webhook, chat }))
    await server.administer('POST', 'receivers', { kind, url, alias: kind, events: expectationEventNames })
  await server.notifier.start()
  const remind = { kind: 'contract', severity: 'critical', remind: '4h' }
  const added = await server.administer('POST', expectationsPath, sampleBody('contract', remind))
  const { id, ...shown } = await added.json()
  t.match(shown, remind)
  const passTime = async (ms: number) => {
    passedMs += ms
    t.equal((await server.administer('POST', 'repos/satellite/refresh')).status, 200)
  }
  /** Waits until each receiver has this many messages, and returns the last one. */
  const readSent = async (count: number) => {
    await waitUntil(() => webhook.requests.length >= count && chat.requests.length >= count)
    t.same([webhook.requests.length, chat.requests.length], [count, count])
    const last = parseNotification(webhook.requests.at(-1)?.body ?? '')
    return { ...last, line: JSON.parse(chat.requests.at(-1)?.body ?? '').text }
  }
  const first = await readSent(1)
  t.match(first, { details: { severity: 'critical', remind: '4h', reminder: false }, line: /^CRITICAL, BREAKS / })
  const since = first.event === 'ExpectationUnmet' ? first.details.since : undefined
  await passTime(3.9 * hourMs)
  await passTime(0.1 * hourMs)
  const reminder = { event: 'ExpectationUnmet', details: { reminder: true, since, expectation_id: id } }
  t.match(await readSent(2), { ...reminder, line: /^CRITICAL, STILL BREAKS tile server: .*; unmet since / })
  await passTime(9 * hourMs)
  t.match(await readSent(3), reminder, 'what was missed is not made up for')
  await passTime(3.9 * hourMs)
  await server.administer('PATCH', `${expectationsPath}/${id}`, { kind: 'contract', ...sampleKinds.contract.change })
  t.match(await readSent(4), { event: 'ExpectationMet', details: { reminder: false, since }, line: /^KEEPS / })
  await passTime(9 * hourMs)
  const told = server.db.selectFrom('events').select('name').where('name', 'in', expectationEventNames)
  t.equal((await told.execute()).length, 4)
})
