// What receivers ask about the changes of a head move, and which of them get it.
import { defaultFilter } from '@floe/contract/lists'
import { applyDeclaredReceivers, listMoveQuestions, readHead, recordHeadMove } from '@floe/storage/database'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { t } from 'tap'
import { at, claim, commit, moveHead, repositoryWith, webhook } from '../recorded.ts'

const test = await testOnEngines(t)

test('a head move goes to the receivers whose searches find something, and to those unknown to it', async (t, {
  db,
}) => {
  const { repoId } = await repositoryWith(db, [])
  const wind = { q: 'wind', units: ['m s-1'] }
  const declared = [
    webhook('all', { repos: ['**'] }),
    webhook('wind', { repos: ['**'], search: wind }),
    webhook('same-wind', { repos: ['wea*'], search: wind }),
    webhook('ice', { repos: ['**'], search: { q: 'ice' } }),
    webhook('ice-below', { repos: ['**'], search: { q: 'ice' }, paths: ['forecast/**'] }),
    webhook('late', { repos: ['**'], search: { q: 'late' } }),
    webhook('elsewhere', { repos: ['sea'], search: { q: 'elsewhere' } }),
    webhook('tags', { repos: ['**'], events: ['TagCreated'], search: { q: 'tags' } }),
  ]
  await applyDeclaredReceivers(db, { org: 'acme', repoId: null }, declared, { secrets, now: at(0) })
  await moveHead(db, repoId, ['A'], at(1))
  t.equal((await claim(db, at(2))).length, 6, 'what is unknown goes to all')
  const filters = await listMoveQuestions(db, { repoId, branch: 'main' }, at(2))
  t.strictSame([...(filters?.searches.values() ?? [])].map(({ q }) => q ?? '').sort(), ['ice', 'late', 'wind'])
  t.strictSame(filters?.searches.get(JSON.stringify(wind)), wind)
  t.equal(await listMoveQuestions(db, { repoId, branch: 'dev' }, at(2)), undefined)
  const found = new Map([
    [JSON.stringify(wind), false],
    [JSON.stringify({ q: 'ice' }), true],
  ])
  const changes = { text: 'null', matches: new Map([[JSON.stringify(['forecast/**']), false]]), found }
  const previous = await readHead(db, repoId, 'main')
  const event = { payload: '{"to":"B"}', line: 'now at B' }
  await recordHeadMove(db, { repoId, branch: 'main', previous, snapshotId: 'B', commit, event, changes }, at(3))
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .innerJoin('receivers', 'receivers.id', 'deliveries.receiver_id')
    .select('alias')
    .where('payload', '=', event.payload)
    .execute()
  t.strictSame(rows.map(({ alias }) => alias).sort(), ['all', 'ice', 'late'])
})

test('nothing is asked about a head move if no receiver filters by its changes', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('all')])
  t.equal(defaultFilter.search, null)
  t.equal(await listMoveQuestions(db, { repoId, branch: 'main' }, at(2)), undefined)
})
