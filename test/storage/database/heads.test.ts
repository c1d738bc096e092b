import {
  countHeld,
  listHeads,
  recordHeadCommit,
  recordFormatVersion,
  readHead,
  recordHeadMove,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from './engines.ts'
import { at, claim, commit, moveHead, repositoryWith, setEnabled, summary, webhook } from './recorded.ts'
import { rememberRepository } from './remember-repository.ts'

const event = { payload: '{"to":"A"}', line: 'now at A' }

const test = await testOnEngines(t)

test('a head move changes the head and waits for every enabled receiver', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one'), webhook('two'), webhook('deaf', { events: [] })])
  t.equal(await readHead(db, repoId, 'main'), null)
  await moveHead(db, repoId, ['A', 'B'], at(1))
  t.strictSame(await readHead(db, repoId, 'main'), {
    snapshotId: 'B',
    sequence: 2,
    formatVersion: null,
    hasCommit: true,
  })
  t.strictSame(summary(await claim(db, at(2))), ['one A', 'two A'])
})

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
  t.strictSame(await readHead(db, repoId, 'main'), {
    snapshotId: 'A',
    sequence: 3,
    formatVersion: null,
    hasCommit: true,
  })
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
  t.strictSame(await readHead(db, repoId, 'main'), { snapshotId: 'B', sequence: 2, formatVersion: 2, hasCommit: true })
})

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
  const taken = {
    id: 'x',
    repo_id: repoId,
    branch: 'main',
    sequence: 1,
    name: 'NewCommit',
    ...event,
    created_at: 1,
  } as const
  await db.insertInto('events').values(taken).execute()
  const move = { repoId, branch: 'main', previous: null, snapshotId: 'A', commit, event }
  await t.rejects(recordHeadMove(db, move, at(1)), /unique/i, 'an event of this number exists')
  t.equal(await readHead(db, repoId, 'main'), null)
})

test('a move is recorded for more receivers than a statement has parameters', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  const row = await db.selectFrom('receivers').selectAll().executeTakeFirstOrThrow()
  for (let first = 1; first < 4_200; first += 1_200) {
    const copies = Array.from({ length: 1_200 }, (_, index) => ({
      ...row,
      id: `r${first + index}`,
      alias: `${first + index}`,
    }))
    await db.insertInto('receivers').values(copies).execute()
  }
  await moveHead(db, repoId, ['A'], at(1))
  const { count } = await db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  t.equal(count, 4_801)
  t.equal((await claim(db, at(2), { limit: 4_801, perOrigin: 4_801 })).length, 4_801)
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
    new Map([['weather', { snapshotId: 'B', formatVersion: 2, commit }]]),
  )
  t.strictSame(await listHeads(db, 'acme', []), new Map())
})

test('a head of an older database gets its commit, unless it has moved', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  await moveHead(db, repoId, ['A'], at(1))
  await db.updateTable('heads').set({ message: null, author: null, written_at: null }).execute()
  t.match(await readHead(db, repoId, 'main'), { hasCommit: false })
  t.match((await listHeads(db, 'acme', ['weather'])).get('weather'), { snapshotId: 'A', commit: null })
  const main = { repoId, branch: 'main' }
  const anonymous = { ...commit, author: null }
  await recordHeadCommit(db, { ...main, snapshotId: 'B' }, anonymous)
  t.match(await readHead(db, repoId, 'main'), { hasCommit: false })
  await recordHeadCommit(db, { ...main, snapshotId: 'A' }, anonymous)
  t.match((await listHeads(db, 'acme', ['weather'])).get('weather'), { commit: anonymous })
})
