import {
  mainAlone,
  countHeld,
  recordStream,
  listHeads,
  recordFormatVersion,
  listMoveQuestions,
  openDatabase,
  readHead,
  readHeads,
  recordFirstHeads,
  recordHeadMove,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { explainQueries } from '../explain-queries.ts'
import { at, claim, commit, moveHead, repositoryWith, setEnabled, summary, webhook } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const event = { payload: '{"to":"A"}', line: 'now at A' }

const test = await testOnEngines(t)

// Proves: every enabled webhook and chat of the repository that selects the event is notified
test('a head move changes the head and waits for every enabled receiver', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one'), webhook('two'), webhook('deaf', { events: [] })])
  t.equal(await readHead(db, repoId, 'main'), null)
  await moveHead(db, repoId, ['A', 'B'], at(1))
  const facts = {
    formatVersion: null,
    containers: null,
    metadata: null,
    recordedSelection: mainAlone,
    hasOtherRefs: false,
  }
  const head = { snapshotId: 'B', sequence: 2, ...facts }
  t.strictSame(await readHead(db, repoId, 'main'), head)
  t.strictSame(summary(await claim(db, at(2))), ['one A', 'two A'])
})

// Proves: a disabled webhook or chat misses no head move: its notifications are held until it is enabled
test('a head move is held for every disabled receiver that selects it', async (t, { db }) => {
  const declared = [webhook('off'), webhook('deaf', { events: [] }), webhook('on')]
  const { repoId, receivers } = await repositoryWith(db, declared)
  for (const alias of ['off', 'deaf']) await setEnabled(db, receivers.get(alias), false, at(1))
  await moveHead(db, repoId, ['A', 'B'], at(2))
  const ids = [...receivers.values()].map(({ id }) => id)
  t.strictSame([...(await countHeld(db, ids))], [[receivers.get('off')?.id, 2]])
  t.strictSame(summary(await claim(db, at(3))), ['on A'])
})

test('a move from a head that was left is outdated and changes nothing', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['A', 'B', 'A'], at(1))
  const move = { repoId, branch: 'main', snapshotId: 'X', commit, event }
  for (const previous of [null, { snapshotId: 'A', sequence: 1 }, { snapshotId: 'B', sequence: 2 }]) {
    t.strictSame(await recordHeadMove(db, { ...move, previous }, at(2)), { kind: 'outdated' })
  }
  t.match(await readHead(db, repoId, 'main'), { snapshotId: 'A', sequence: 3 })
  t.equal((await db.selectFrom('deliveries').selectAll().execute()).length, 3)
})

test('the format version that was noted never goes back', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  await moveHead(db, repoId, ['A'], at(1))
  const noted: unknown[] = []
  for (const version of [1, 2, 1]) {
    await recordFormatVersion(db, repoId, 'main', version)
    noted.push((await readHead(db, repoId, 'main'))?.formatVersion)
  }
  t.strictSame(noted, [1, 2, 2])
  await moveHead(db, repoId, ['B'], at(2))
  t.strictSame(await readHead(db, repoId, 'main'), {
    snapshotId: 'B',
    sequence: 2,
    formatVersion: 2,
    containers: null,
    metadata: null,
    recordedSelection: mainAlone,
    hasOtherRefs: false,
  })
})

// Proves: each head move has one notification
test('of watchers that see the same move at once, one records it', async (t, { db, connect }) => {
  const { repoId } = await repositoryWith(db, [webhook('one'), webhook('two')])
  const watchers = [db, await connect(), await connect(), await connect()]
  for (const snapshotId of ['A', 'B', 'C', 'D', 'E']) {
    const previous = await readHead(db, repoId, 'main')
    const move = { repoId, branch: 'main', previous, snapshotId, commit, event }
    const results = await Promise.all(watchers.map((watcher) => recordHeadMove(watcher, move, at(1))))
    const kinds = results.map(({ kind }) => kind)
    t.strictSame(kinds.toSorted(), ['outdated', 'outdated', 'outdated', 'recorded'])
  }
  const events = await db.selectFrom('events').select('sequence').orderBy('sequence').execute()
  t.strictSame(
    events.map(({ sequence }) => sequence),
    [1, 2, 3, 4, 5],
  )
  t.equal((await db.selectFrom('deliveries').selectAll().execute()).length, 10)
})

test('a move that cannot be recorded whole is not recorded at all', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  await moveHead(db, repoId, ['before'], at(0))
  await db.deleteFrom('heads').execute()
  const move = { repoId, branch: 'main', previous: null, snapshotId: 'A', commit, event }
  await t.rejects(recordHeadMove(db, move, at(1)), /unique/i, 'an event of this number exists')
  t.equal(await readHead(db, repoId, 'main'), null)
})

test('a move is recorded for more receivers than a statement has parameters', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  const row = await db.selectFrom('receivers').selectAll().executeTakeFirstOrThrow()
  const added = 4_800
  const atOnce = 800
  for (let first = 1; first < added; first += atOnce) {
    const copies = Array.from({ length: atOnce }, (_, index) => ({
      ...row,
      id: `r${first + index}`,
      alias: `${first + index}`,
    }))
    await db.insertInto('receivers').values(copies).execute()
  }
  await moveHead(db, repoId, ['A'], at(1))
  const { count } = await db
    .selectFrom('undelivered')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  const all = added + 1
  t.equal(count, all)
  t.equal((await claim(db, at(2), { limit: all })).length, all)
})

test('first heads are recorded together, where nobody could receive an event', async (t, { db, connect }) => {
  const [alone, other, known] = await Promise.all(
    ['alone', 'other', 'known'].map((name) => rememberRepository(db, 'acme', name, at(0))),
  )
  const { repoId: heard } = await repositoryWith(db, [webhook('one', { events: [] })], 'heard')
  const streamed = await rememberRepository(db, 'streamed', 'weather', at(0))
  await recordStream(db, 'streamed')
  await recordStream(db, 'streamed')
  const first = (repoId = '', snapshotId = 'A') => ({
    repoId,
    branch: 'main',
    snapshotId,
    commit,
    formatVersion: 2,
    containers: '[]',
  })
  await recordFirstHeads(db, [first(known, 'before')], at(1))
  const heads = [alone, other, known, heard, streamed].map((id) => first(id))
  t.strictSame(await recordFirstHeads(db, heads, at(2)), new Set([alone, other]))
  const facts = {
    formatVersion: 2,
    containers: '[]',
    metadata: null,
    recordedSelection: mainAlone,
    hasOtherRefs: false,
  }
  const head = { snapshotId: 'A', sequence: 1, ...facts }
  const recorded = [
    [alone, head],
    [other, head],
    [known, { ...head, snapshotId: 'before' }],
  ] as const
  const found = await readHeads(db, [alone, other, known, heard, streamed].map(String), 'main')
  t.strictSame(Object.fromEntries(found), Object.fromEntries(recorded))
  const [listed] = (await listHeads(db, 'acme', ['alone'])).values()
  t.strictSame(listed?.commit, commit)
  t.equal((await db.selectFrom('events').selectAll().execute()).length, 0)
  await moveHead(db, String(alone), ['B'], at(3))
  t.match(await readHead(db, String(alone), 'main'), { snapshotId: 'B', sequence: 2 }, 'the next move is an event')
  const both = [db, await connect()]
  await db.deleteFrom('heads').execute()
  const won = await Promise.all(both.map((one) => recordFirstHeads(one, [first(alone), first(other)], at(4))))
  t.equal(
    won.reduce((sum, { size }) => sum + size, 0),
    2,
    'each head is recorded by one process',
  )
})

test('the heads of named repositories are listed with their commits', async (t, { db }) => {
  const weather = await rememberRepository(db, 'acme', 'weather', at(0))
  const ice = await rememberRepository(db, 'acme', 'ice', at(0))
  await rememberRepository(db, 'acme', 'unseen', at(0))
  const elsewhere = await rememberRepository(db, 'other', 'weather', at(0))
  await moveHead(db, elsewhere, ['Z'], at(1))
  await moveHead(db, weather, ['A', 'B'], at(1))
  await moveHead(db, ice, ['C'], at(1))
  await recordFormatVersion(db, weather, 'main', 2)
  t.strictSame(
    await listHeads(db, 'acme', ['weather', 'unseen', 'nowhere']),
    new Map([['weather', { snapshotId: 'B', formatVersion: 2, metadata: null, commit }]]),
  )
  t.strictSame(await listHeads(db, 'acme', []), new Map())
})

t.test('of the receivers of an organisation, only those that can get the event are read', async (t) => {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  const { repoId } = await repositoryWith(db, [webhook('one')])
  const first = { repoId, branch: 'main', snapshotId: 'A', formatVersion: 2, containers: null, commit }
  const plans = [
    await explainQueries(db, (spied) => recordFirstHeads(spied, [first], at(1))),
    await explainQueries(db, (spied) => listMoveQuestions(spied, { repoId, branch: 'main' }, at(1))),
    await explainQueries(db, (spied) => moveHead(spied, repoId, ['A'], at(1))),
  ]
  for (const steps of plans.map((plan) => plan.flat().filter((step) => step.includes('receivers')))) {
    t.ok(steps.length > 0)
    t.notMatch(steps.join('\n'), /\(org=\?\)/)
  }
})
