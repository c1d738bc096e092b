// Which notices the attempts of receivers cause, and who gets them.
import { defaultFilter } from '@floe/contract/lists'
import {
  addReceiver,
  type ClaimedDelivery,
  type Database,
  findDelivery,
  findReceiver,
  nameQueue,
  type Notice,
  recordStateChanges,
  redeliver,
  releaseStrays,
  updateReceiver,
} from '@floe/storage/database'
import { sql } from 'kysely'
import { t } from 'tap'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { newWebhook } from '../receivers/edit-receivers.ts'
import { at, by, claim, describe, finish, moveHead, repositoryWith, setEnabled, webhook } from '../recorded.ts'

const gone = { kind: 'gone', disableReason: 'gone' } as const
const dead = { kind: 'dead', disableReason: 'dead' } as const
const delivered = { kind: 'delivered' } as const
const retry = { kind: 'retry', dueAt: at(0) } as const

const test = await testOnEngines(t)

/** Adds a webhook of the organisation that selects the notices about receivers. */
async function addListener(db: Database, alias: string, repos = ['**']) {
  const events = ['ReceiverDisabled', 'ReceiverFailing'] as const
  const listener = { ...newWebhook('', alias), repoId: null, filter: { ...defaultFilter, repos, events } }
  return (await addReceiver(db, listener, { secrets, by, now: at(0) })).receiver
}

/** `ALIAS: NOTICE about ALIAS #SEQUENCE` of each delivery of a notice, sorted. */
async function listNotices(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .innerJoin('receivers', 'receivers.id', 'receiver_id')
    .select(['alias', 'payload', 'sequence', 'position'])
    .where('ref', '=', 'notice')
    .execute()
  const lines = rows.map(({ alias, payload, sequence }) => {
    // `describe` of the tests has written it.
    const notice = JSON.parse(payload) as Notice
    return `${alias}: ${notice.name} about ${'receiver' in notice ? notice.receiver.alias : ''} #${sequence}`
  })
  return lines.sort()
}

async function claimOf(db: Database, alias: string, ms: number): Promise<ClaimedDelivery[]> {
  const claims = (await claim(db, at(ms))).filter(({ receiver }) => receiver.alias === alias)
  await releaseStrays(db, { replica: 'a', busy: new Set(claims.map(nameQueue)), until: at(ms) })
  return claims
}

test('a receiver that is disabled is told of once, to the others of the organisation that ask', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one'), webhook('other')])
  await addListener(db, 'all')
  await addListener(db, 'elsewhere', ['ocean'])
  await addReceiver(
    db,
    { ...newWebhook('', 'commits'), repoId: null, filter: { ...defaultFilter, repos: ['**'] } },
    { secrets, by, now: at(0) },
  )
  await moveHead(db, repoId, ['A'], at(1))
  const claims = await claim(db, at(2))
  const one = claims.find(({ receiver }) => receiver.alias === 'one')
  t.strictSame(await finish(db, one ? [one] : [], gone, at(3)), [])
  t.strictSame(await listNotices(db), ['all: ReceiverDisabled about one #1'])
  t.equal((await finish(db, one ? [one] : [], gone, at(4))).length, 1, 'its lease has ended')
  const other = claims.find(({ receiver }) => receiver.alias === 'other')
  await finish(db, other ? [other] : [], dead, at(5))
  t.strictSame(await listNotices(db), ['all: ReceiverDisabled about one #1', 'all: ReceiverDisabled about other #2'])
  const [notice] = await claimOf(db, 'all', 6)
  t.match(JSON.parse(notice?.event.payload ?? ''), {
    org: 'acme',
    repo: 'weather',
    receiver: { id: one?.receiver.id, repoId },
    reason: 'gone',
    failingSince: at(3).toISOString(),
    lastStatus: 500,
  })
  const states = await db
    .selectFrom('undelivered')
    .select('state')
    .where('receiver_id', '=', one?.receiver.id ?? '')
    .execute()
  t.strictSame(states, [{ state: 'dead' }], 'the attempt is recorded as before')
})

for (const next of [gone, dead]) {
  test(`an attempt that is ${next.kind} disables no receiver that was changed meanwhile`, async (t, { db }) => {
    const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
    await addListener(db, 'all')
    await db.updateTable('receivers').set({ is_declared: 0 }).execute()
    const receiver = receivers.get('one')
    if (receiver === undefined) throw new Error('there is no such receiver')
    await moveHead(db, repoId, ['A'], at(1))
    const [late] = await claim(db, at(2))
    const url = 'https://repaired.example.org/hook'
    await updateReceiver(db, receiver, { url }, { secrets, by, now: at(3) })
    t.strictSame(await finish(db, late ? [late] : [], next, at(4)), [])
    t.match(await findReceiver(db, receiver), { isEnabled: true, disabledReason: null })
    const again = await claim(db, at(4))
    t.match(again, [{ deliveryId: late?.deliveryId, attempt: 2 }], 'it is sent to the new URL at once')
    await setEnabled(db, receiver, false, at(5))
    t.strictSame(await finish(db, again, next, at(6)), [])
    t.match(await findReceiver(db, receiver), { disabledReason: 'disabled by an administrator' })
    t.strictSame(await listNotices(db), [])
    await setEnabled(db, receiver, true, at(7))
    t.strictSame(await finish(db, await claim(db, at(8)), next, at(9)), [])
    t.match(await findReceiver(db, receiver), { isEnabled: false, disabledReason: next.disableReason })
  })
}

test('the failure of a redelivery after a change of its receiver changes nothing', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A'], at(1))
  const first = await claim(db, at(2))
  await finish(db, first, delivered, at(3))
  const id = first[0]?.deliveryId ?? ''
  await redeliver(db, { org: 'acme', repoId, id }, { by, now: at(4) })
  const again = await claim(db, at(5))
  await setEnabled(db, receivers.get('one'), false, at(6))
  await setEnabled(db, receivers.get('one'), true, at(7))
  t.strictSame(await finish(db, again, gone, at(8)), [])
  t.match(await findDelivery(db, { org: 'acme', repoId, id }), { state: 'delivered', attemptCount: 2 })
  t.strictSame(await claim(db, at(9)), [])
})

test('a receiver of an organisation hears nothing about itself', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  const first = await addListener(db, 'first')
  const second = await addListener(db, 'second')
  for (const listener of [first, second]) {
    const events = ['NewCommit', 'ReceiverDisabled'] as const
    await updateReceiver(db, listener, { filter: { events } }, { secrets, by, now: at(0) })
  }
  await moveHead(db, repoId, ['A'], at(1))
  await finish(db, await claimOf(db, 'first', 2), gone, at(3))
  t.strictSame(await listNotices(db), ['second: ReceiverDisabled about first #1'])
  await finish(db, await claimOf(db, 'second', 20_000), gone, at(20_001))
  t.strictSame(
    await listNotices(db),
    ['first: ReceiverDisabled about second #2', 'second: ReceiverDisabled about first #1'],
    'the first is held',
  )
})

// Proves: `ReceiverFailing` is sent after the third attempt, and again only after a success
test('a receiver that fails three attempts is told of once, until it accepts something', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  await addListener(db, 'all')
  await moveHead(db, repoId, ['A', 'B', 'C'], at(1))
  const attempt = async (ms: number, next: Parameters<typeof finish>[2]) =>
    t.strictSame(await finish(db, await claimOf(db, 'one', ms), next, at(ms)), [])
  await attempt(10, retry)
  await attempt(20, retry)
  t.strictSame(await listNotices(db), [])
  await attempt(30, retry)
  t.strictSame(await listNotices(db), ['all: ReceiverFailing about one #1'])
  await attempt(40, retry)
  await attempt(50, delivered)
  for (const ms of [60, 70, 80]) await attempt(ms, retry)
  const twice = ['all: ReceiverFailing about one #1', 'all: ReceiverFailing about one #2']
  t.strictSame(await listNotices(db), twice)
  await attempt(90, dead)
  await setEnabled(db, receivers.get('one'), true, at(100), 'all')
  for (const ms of [110, 120, 130]) await attempt(ms, retry)
  t.strictSame(await listNotices(db), [
    'all: ReceiverDisabled about one #3',
    ...twice,
    'all: ReceiverFailing about one #4',
  ])
})

test('attempts of several processes that fail at the same time cause one notice', async (t, { db, connect }) => {
  const names = ['weather', 'ocean', 'ice', 'land']
  const repositories = await Promise.all(names.map((name) => repositoryWith(db, [webhook(`own-${name}`)], name)))
  const events = ['NewCommit', 'ReceiverDisabled', 'ReceiverFailing'] as const
  for (const alias of ['first', 'second']) {
    const listener = { ...newWebhook('', alias), repoId: null, filter: { ...defaultFilter, repos: ['**'], events } }
    await addReceiver(db, listener, { secrets, by, now: at(0) })
  }
  for (const { repoId } of repositories) await moveHead(db, repoId, ['A'], at(1))
  const processes = [db, await connect(), await connect(), await connect()]
  const failTogether = async (next: Parameters<typeof finish>[2], ms: number) => {
    const commits = (await claim(db, at(ms))).filter(({ event }) => event.line === 'now at A')
    t.equal(commits.length, 12)
    const third = commits.map((one) => ({ ...one, scheduledAttempt: 3 }))
    const share = (index: number) => third.filter((_, place) => place % processes.length === index)
    await Promise.all(processes.map((one, index) => finish(one, share(index), next, at(ms))))
  }
  const countNotices = async (name: 'ReceiverDisabled' | 'ReceiverFailing') => {
    const recorded = await db.selectFrom('events').select('id').where('name', '=', name).execute()
    return recorded.length
  }
  await failTogether(retry, 2)
  t.equal(await countNotices('ReceiverFailing'), 6, 'one about each receiver')
  await failTogether(gone, 20_000)
  t.equal(await countNotices('ReceiverDisabled'), 6)
  t.equal(await countNotices('ReceiverFailing'), 6)
})

// Proves: a receiver that is disabled causes one `ReceiverDisabled`, however many of its attempts fail
test('of attempts that end together, the first that disables a receiver counts', async (t, { db }) => {
  const repositories = await Promise.all(['a', 'b', 'c', 'd'].map((name) => repositoryWith(db, [], name)))
  await addListener(db, 'all')
  await addReceiver(
    db,
    { ...newWebhook('', 'one'), repoId: null, filter: { ...defaultFilter, repos: ['**'] } },
    { secrets, by, now: at(0) },
  )
  for (const { repoId } of repositories) await moveHead(db, repoId, ['A'], at(1))
  const claims = (await claim(db, at(2))).map((one) => ({ ...one, scheduledAttempt: 3 }))
  const ends = [retry, gone, dead, retry]
  const outcome = { startedAt: at(2), durationMs: 1, status: 500, error: 'answered 500', responseExcerpt: null }
  const attempts = claims.map((claim, place) => ({ claim, outcome, next: ends[place] ?? retry }))
  const { recorded, lost } = await recordStateChanges(db, attempts, describe, at(3))
  t.strictSame(lost, [])
  t.strictSame(
    recorded.map(({ next }) => next),
    [retry, gone, { kind: 'retry', dueAt: at(3) }, retry],
  )
  t.strictSame(
    (await listNotices(db)).map((line) => line.replace(/ #\d+$/, '')),
    ['all: ReceiverDisabled about one', 'all: ReceiverFailing about one'],
  )
  const { rows } = await sql<{ state: string }>`
    select undelivered.state from undelivered
    inner join receivers on receivers.id = receiver_id where alias = 'one' order by state`.execute(db)
  t.strictSame(
    rows.map(({ state }) => state),
    ['dead', 'pending', 'pending', 'pending'],
    'the others are held',
  )
  t.strictSame(
    (await claim(db, at(4))).map(({ receiver }) => receiver.alias),
    ['all', 'all'],
  )
})

test('the statements that record attempts do not become more with the attempts', async (t, { db }) => {
  const countStatements = async (prefix: string, receivers: number) => {
    const names = [`${prefix}-one`, `${prefix}-two`]
    for (const org of names) {
      const aliases = Array.from({ length: receivers }, (_, index) => `hook${index}`)
      const { repoId } = await repositoryWith(
        db,
        aliases.map((alias) => webhook(alias)),
        'weather',
        org,
      )
      const events = ['ReceiverDisabled', 'ReceiverFailing'] as const
      const listener = {
        ...newWebhook('', 'all'),
        org,
        repoId: null,
        filter: { ...defaultFilter, repos: ['**'], events },
      }
      await addReceiver(db, listener, { secrets, by: { ...by, org }, now: at(0) })
      await moveHead(db, repoId, ['A'], at(1))
    }
    const claims = (await claim(db, at(2))).filter(({ receiver }) => names.includes(receiver.org))
    let statements = 0
    const counted = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements++
        return result
      },
    })
    const third = claims.map((one) => ({ ...one, scheduledAttempt: 3 }))
    t.strictSame(await finish(counted, third, retry, at(3)), [])
    return statements
  }
  const few = await countStatements('few', 1)
  t.equal(await countStatements('many', 20), few)
  t.equal((await listNotices(db)).length, 42)
})

test('without a receiver that asks, nothing is recorded', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A'], at(1))
  await finish(db, await claim(db, at(2)), gone, at(3))
  t.strictSame(await db.selectFrom('events').select('name').execute(), [{ name: 'NewCommit' }])
})
