import {
  applyDeclaredReceivers,
  listOwnersOfDeclared,
  listReceivers,
  listWantedSelections,
  mainAlone,
  openReceiver,
  redeliver,
  resealSecrets,
} from '@floe/storage/database'
import { t } from 'tap'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import {
  at,
  by,
  claim,
  finish,
  moveHead,
  nextDueAt,
  repositoryWith,
  setEnabled,
  summary,
  webhook,
} from '../recorded.ts'

const test = await testOnEngines(t)

test('declaring the same twice, or at once, is declaring it once', async (t, { db, connect }) => {
  const chat = webhook('chat', { kind: 'chat', service: 'slack', url: 'https://hooks.slack.com/services/x' })
  const declared = [webhook('one', { secretToken: 'geheim' }), chat]
  const { repoId, receivers } = await repositoryWith(db, declared)
  const one = receivers.get('one')
  t.match(one, { kind: 'webhook', filter: { events: ['NewCommit'] }, isEnabled: true, version: 1, failingSince: null })
  const receiver = one && openReceiver(one, secrets, at(1))
  t.match(receiver, { secretToken: 'geheim', signingSecrets: [/^whsec_[A-Za-z0-9+/]{43}=$/] })
  t.strictSame(receivers.get('chat')?.signingSecrets, [], 'chats are not signed')
  const processes = [db, await connect(), await connect()]
  await Promise.all(
    processes.map((process) =>
      applyDeclaredReceivers(process, { org: 'acme', repoId }, declared, { secrets, now: at(1_000) }),
    ),
  )
  t.strictSame(await listReceivers(db, { org: 'acme', repoId }), [...receivers.values()])
})

test('files that differ in their order are applied at once', async (t, { db, connect }) => {
  const { repoId } = await repositoryWith(db, [])
  const aliases = Array.from({ length: 9 }, (_, index) => `hook-${index}`)
  const files = [aliases, [...aliases].reverse(), aliases.toSpliced(0, 1)].map((file) =>
    file.map((alias) => webhook(alias)),
  )
  const processes = [db, await connect(), await connect()]
  const applied = processes.map((process, index) =>
    applyDeclaredReceivers(process, { org: 'acme', repoId }, files[index] ?? [], { secrets, now: at(1) }),
  )
  await t.resolves(Promise.all(applied))
  const present = (await listReceivers(db, { org: 'acme', repoId })).map(({ alias }) => alias).sort()
  t.strictSame(present.slice(-8), aliases.slice(-8))
})

test('a change of the declaration keeps id, signing secret and deliveries', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one'), webhook('two')])
  await moveHead(db, repoId, ['A'], at(1))
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [webhook('one', { url: 'https://new.example.org' })], {
    secrets,
    now: at(2),
  })
  const before = receivers.get('one')
  const [after] = await listReceivers(db, { org: 'acme', repoId })
  t.strictSame(after && openReceiver(after, secrets, at(2)).url, 'https://new.example.org')
  t.strictSame(after, { ...before, url: after?.url, origin: 'new.example.org:443', version: 2, updatedAt: at(2) })
  t.match(await claim(db, at(3)), [{ origin: 'new.example.org:443', receiver: { alias: 'one' } }])
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [], { secrets, now: at(4) })
  t.strictSame(await listReceivers(db, { org: 'acme', repoId }), [], 'what is not declared any more is gone')
  t.strictSame(await claim(db, at(5)), [], 'nothing more is sent to it')
})

test('an organisation has declared receivers of its own, even before it has repositories', async (t, {
  db,
  connect,
}) => {
  const ofOrg = { org: 'acme', repoId: null }
  const filter = { repos: ['wea*'], events: ['NewCommit', 'ReceiverFailing'] } as const
  const processes = [db, await connect(), await connect()]
  await Promise.all(
    processes.map((process) =>
      applyDeclaredReceivers(process, ofOrg, [webhook('one', filter), webhook('two', filter)], { secrets, now: at(0) }),
    ),
  )
  const present = await listReceivers(db, ofOrg)
  t.match(present, [{ filter }, { filter }])
  const { repoId } = await repositoryWith(db, [webhook('one')])
  const owners = await listOwnersOfDeclared(db)
  t.strictSame(new Set(owners), new Set([ofOrg, { org: 'acme', repoId }]))

  const changed = webhook('one', { ...filter, repos: ['**'] })
  const before = present.find(({ alias }) => alias === 'one')
  await applyDeclaredReceivers(db, ofOrg, [changed], { secrets, now: at(1) })
  const [after] = await listReceivers(db, ofOrg)
  t.strictSame(after, {
    ...before,
    filter: { ...before?.filter, repos: ['**'] },
    url: after?.url,
    version: 2,
    updatedAt: at(1),
  })
  await applyDeclaredReceivers(db, ofOrg, [], { secrets, now: at(2) })
  t.strictSame(await listOwnersOfDeclared(db), [{ org: 'acme', repoId }], 'those of repositories stay')
})

test('a declared signing secret takes the place of the one before, which signs for 24 hours', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  const declareAt = async (signingSecret: string | null, ms: number) => {
    await applyDeclaredReceivers(db, { org: 'acme', repoId }, [webhook('one', { signingSecret })], {
      secrets,
      now: at(ms),
    })
    const [one] = await listReceivers(db, { org: 'acme', repoId })
    if (one === undefined) throw new Error('it is gone')
    return { version: one.version, signing: openReceiver(one, secrets, at(ms)).signingSecrets }
  }
  const first = receivers.get('one')
  const [made = ''] = first === undefined ? [] : openReceiver(first, secrets, at(0)).signingSecrets
  t.strictSame(await declareAt('whsec_a', 1), { version: 2, signing: ['whsec_a', made] })
  t.strictSame(await declareAt('whsec_a', 2), { version: 2, signing: ['whsec_a', made] }, 'the next start')
  t.strictSame(await declareAt('whsec_b', 3), { version: 3, signing: ['whsec_b', 'whsec_a', made] })
  const day = 86_400_000
  t.strictSame(await declareAt('whsec_b', day + 2), { version: 3, signing: ['whsec_b', 'whsec_a'] })
  t.strictSame(await declareAt('whsec_a', day + 2), { version: 4, signing: ['whsec_a', 'whsec_b'] }, 'and back')
  t.strictSame(await declareAt(null, 2 * day + 3), { version: 5, signing: ['whsec_a'] }, 'left out, it stays')
  t.strictSame(await declareAt(null, 2 * day + 4), { version: 5, signing: ['whsec_a'] })
  await resealSecrets(db, secrets)
  t.notMatch(JSON.stringify(await db.selectFrom('receivers').selectAll().execute()), /whsec_/)
})

test('a repository with receivers is polled often if one of them is enabled', async (t, { db }) => {
  const weather = await repositoryWith(db, [webhook('one'), webhook('two')])
  const quiet = await repositoryWith(db, [webhook('one')], 'quiet')
  await repositoryWith(db, [], 'none')
  await setEnabled(db, quiet.receivers.get('one'), false, at(1))
  const { repositories } = await listWantedSelections(db, mainAlone, at(2))
  t.match(
    repositories,
    new Map([
      [weather.repoId, [{ isFollowed: true }]],
      [quiet.repoId, [{ isFollowed: false }]],
    ]),
  )
})

test('the last attempt disables the receiver and holds what waits', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A', 'B'], at(1))
  const claims = await claim(db, at(2))
  await finish(db, claims, { kind: 'dead', disableReason: 'refused 12 times' }, at(3))
  t.match(await listReceivers(db, { org: 'acme', repoId }), [
    {
      isEnabled: false,
      disabledReason: 'refused 12 times',
      failingSince: at(3),
      lastFailure: { status: 500, error: String },
    },
  ])
  t.strictSame(await claim(db, at(60_000)), [])
  t.equal(await nextDueAt(db), null)
  await t.rejects(redeliver(db, { org: 'acme', repoId, id: claims[0]?.deliveryId ?? '' }, { by, now: at(4) }), {
    code: 'receiver-disabled',
  })
  await moveHead(db, repoId, ['C'], at(5))
  await setEnabled(db, receivers.get('one'), true, at(6), 'all')
  await setEnabled(db, receivers.get('one'), true, at(6), 'none')
  const next = await claim(db, at(6))
  t.strictSame(summary(next), ['one B'], 'the dead one stays dead')
  await finish(db, next, { kind: 'delivered' }, at(7))
  const last = await claim(db, at(7))
  t.strictSame(summary(last), ['one C'], 'and what happened meanwhile follows')
  await finish(db, last, { kind: 'delivered' }, at(7))
  t.strictSame(await claim(db, at(8)), [])
  t.match(await listReceivers(db, { org: 'acme', repoId }), [
    { isEnabled: true, lastSuccessAt: at(7), failingSince: null, lastFailure: null },
  ])
})

test('a disabled receiver that gets another URL sends its latest again', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A', 'B', 'C'], at(1))
  await finish(db, await claim(db, at(2)), { kind: 'gone', disableReason: 'answered 410' }, at(3))
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [webhook('one')], { secrets, now: at(4) })
  t.strictSame(await claim(db, at(5)), [], 'the same declaration leaves it as it is')
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, [webhook('one', { url: 'https://new.example.org/' })], {
    secrets,
    now: at(6),
  })
  t.strictSame(summary(await claim(db, at(7))), ['one C'])
})
