import {
  addReceiver,
  findReceiver,
  listAudit,
  listReceivers,
  maxReceivers,
  openReceiver,
  updateReceiver,
} from '@floe/storage/database'
import { t } from 'tap'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { at, claim, finish, moveHead, repositoryWith, setEnabled, summary, webhook } from '../recorded.ts'
import { create, nameOutcomes, newWebhook, optionsAt } from './edit-receivers.ts'
import { rememberRepository } from '../remember-repository.ts'

const test = await testOnEngines(t)

test('an added receiver is found by its address, with its secrets sealed', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  const { receiver, signingSecret } = await create(db, repoId)
  t.match(receiver, { origin: 'one.example.org:443', isDeclared: false, isEnabled: true, version: 1 })
  t.strictSame(await findReceiver(db, receiver), receiver)
  t.equal(await findReceiver(db, { ...receiver, repoId: 'of another' }), undefined)
  t.strictSame(openReceiver(receiver, secrets, at(0)), {
    kind: 'webhook',
    url: 'https://one.example.org/hook',
    service: null,
    filter: receiver.filter,
    secretToken: 'open sesame',
    headers: {},
    signingSecrets: [signingSecret],
  })
  const url = 'https://hooks.slack.com/services/hush'
  const chat = await create(db, repoId, { kind: 'chat', alias: 'two', url, service: 'slack', secretToken: null })
  t.match(chat, { signingSecret: null, receiver: { origin: 'hooks.slack.com:443', signingSecrets: [] } })
  t.match(openReceiver(chat.receiver, secrets, at(0)), { url, service: 'slack', signingSecrets: [] })
})

test('an alias is unique in a repository, over webhooks and chats', async (t, { db, connect }) => {
  const { repoId } = await repositoryWith(db, [])
  const processes = [db, await connect(), await connect()]
  const outcomes = await nameOutcomes(processes.map((one) => addReceiver(one, newWebhook(repoId), optionsAt(0))))
  t.strictSame(outcomes, ['AliasInUseError', 'AliasInUseError', 'done'])
  const chat = { ...newWebhook(repoId), kind: 'chat', service: 'slack', secretToken: null } as const
  await t.rejects(addReceiver(db, chat, optionsAt(0)), { name: 'AliasInUseError' })
  const { receiver } = await create(db, repoId, { alias: 'two' })
  await t.rejects(updateReceiver(db, receiver, { alias: 'one' }, optionsAt(1)), { name: 'AliasInUseError' })
  t.strictSame(await findReceiver(db, receiver), receiver, 'it is as it was')
  const elsewhere = await rememberRepository(db, 'acme', 'elsewhere', at(0))
  await create(db, elsewhere)
  t.equal((await listAudit(db, { repoId, limit: 9 })).length, 2, 'what was refused is not told')
})

test(`a repository has no more than ${maxReceivers}, however many are added at once`, async (t, { db, connect }) => {
  const { repoId } = await repositoryWith(db, [webhook('declared')])
  const processes = [db, await connect(), await connect()]
  const outcomes = await nameOutcomes(
    Array.from({ length: maxReceivers + 5 }, (_, index) =>
      addReceiver(processes[index % 3] ?? db, newWebhook(repoId, `hook${index}`), optionsAt(0)),
    ),
  )
  t.equal(outcomes.filter((one) => one === 'done').length, maxReceivers - 1)
  t.equal(outcomes.filter((one) => one === 'too-many-receivers').length, 6)
  t.equal((await listReceivers(db, { org: 'acme', repoId })).length, maxReceivers)
})

test('a receiver that is added disabled gets nothing until it is enabled, and nothing from before it', async (t, {
  db,
}) => {
  const { repoId } = await repositoryWith(db, [])
  await moveHead(db, repoId, ['before'], at(0))
  const { receiver } = await create(db, repoId, { isEnabled: false })
  t.match(receiver, { isEnabled: false, disabledReason: 'disabled by an administrator' })
  await moveHead(db, repoId, ['A'], at(1))
  t.strictSame(await claim(db, at(1)), [])
  await setEnabled(db, receiver, true, at(2), 'all')
  await moveHead(db, repoId, ['B'], at(3))
  const held = await claim(db, at(4))
  t.strictSame(summary(held), ['one A'])
  await finish(db, held, { kind: 'delivered' }, at(4))
  t.strictSame(summary(await claim(db, at(5))), ['one B'])
})
