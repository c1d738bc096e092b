import { countHeld, noteFormatVersion, readHead, recordHeadMove } from '@floe/storage/database'
import t from 'tap'
import { reachableEngines } from './engines.ts'
import { at, claim, moveHead, repositoryWith, setEnabled, summary, webhook } from './recorded.ts'

const event = { payload: '{"to":"A"}', line: 'now at A' }

for (const engine of await reachableEngines(t)) {
  t.test(`${engine.name}: a head move changes the head and waits for every enabled receiver`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [webhook('one'), webhook('two'), webhook('deaf', { events: [] })])
    t.equal(await readHead(db, repoId, 'main'), null)
    await moveHead(db, repoId, ['A', 'B'], at(1))
    t.strictSame(await readHead(db, repoId, 'main'), { snapshotId: 'B', sequence: 2, formatVersion: null })
    t.strictSame(summary(await claim(db, at(2))), ['one A', 'two A'])
  })

  t.test(`${engine.name}: a head move is held for every disabled receiver that selects it`, async (t) => {
    const { db } = await engine.fresh(t)
    const declared = [webhook('off'), webhook('deaf', { events: [] }), webhook('on')]
    const { repoId, receivers } = await repositoryWith(db, declared)
    for (const alias of ['off', 'deaf']) await setEnabled(db, receivers.get(alias), false, at(1))
    await moveHead(db, repoId, ['A', 'B'], at(2))
    const ids = [...receivers.values()].map(({ id }) => id)
    t.strictSame([...(await countHeld(db, ids))], [[receivers.get('off')?.id, 2]])
    t.strictSame(summary(await claim(db, at(3))), ['on A'])
  })

  t.test(`${engine.name}: without receivers the head advances and nothing waits`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    await moveHead(db, repoId, ['A'], at(1))
    t.strictSame(await readHead(db, repoId, 'main'), { snapshotId: 'A', sequence: 1, formatVersion: null })
    t.strictSame(await claim(db, at(2)), [])
  })

  t.test(`${engine.name}: a move from a head that was left is outdated and changes nothing`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [webhook('one')])
    await moveHead(db, repoId, ['A', 'B', 'A'], at(1))
    const move = { repoId, branch: 'main', snapshotId: 'X', event }
    for (const previous of [null, { snapshotId: 'A', sequence: 1 }, { snapshotId: 'B', sequence: 2 }]) {
      t.strictSame(await recordHeadMove(db, { ...move, previous }, at(2)), { kind: 'outdated' })
    }
    t.strictSame(await readHead(db, repoId, 'main'), { snapshotId: 'A', sequence: 3, formatVersion: null })
    t.equal((await db.selectFrom('deliveries').selectAll().execute()).length, 3)
  })

  t.test(`${engine.name}: the format version that was noted never goes back`, async (t) => {
    const { db } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [])
    await moveHead(db, repoId, ['A'], at(1))
    const noted: unknown[] = []
    for (const version of [1, 2, 1]) {
      await noteFormatVersion(db, repoId, 'main', version)
      noted.push((await readHead(db, repoId, 'main'))?.formatVersion)
    }
    t.strictSame(noted, [1, 2, 2])
    await moveHead(db, repoId, ['B'], at(2))
    t.strictSame(await readHead(db, repoId, 'main'), { snapshotId: 'B', sequence: 2, formatVersion: 2 })
  })

  t.test(`${engine.name}: of watchers that see the same move at once, one records it`, async (t) => {
    const { db, connect } = await engine.fresh(t)
    const { repoId } = await repositoryWith(db, [webhook('one'), webhook('two')])
    const watchers = [db, await connect(), await connect(), await connect()]
    for (const snapshotId of ['A', 'B', 'C', 'D', 'E']) {
      const previous = await readHead(db, repoId, 'main')
      const move = { repoId, branch: 'main', previous, snapshotId, event }
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

  t.test(`${engine.name}: a move that cannot be recorded whole is not recorded at all`, async (t) => {
    const { db } = await engine.fresh(t)
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
    const move = { repoId, branch: 'main', previous: null, snapshotId: 'A', event }
    await t.rejects(recordHeadMove(db, move, at(1)), /unique/i, 'an event of this number exists')
    t.equal(await readHead(db, repoId, 'main'), null)
  })
}
