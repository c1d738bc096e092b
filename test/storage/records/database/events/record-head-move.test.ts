// The event SchemaChanged, beside the NewCommit of its head move.
import { defaultFilter, type EventFilter } from '@floe/contract/lists'
import {
  applyDeclaredReceivers,
  type Database,
  type Head,
  listMoveQuestions,
  mainAlone,
  readEvents,
  readHead,
  recordHeadMove,
  recordStreamSelections,
} from '@floe/storage/database'
import { t } from 'tap'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { at, claim, commit, repositoryWith, setEnabled, webhook } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const test = await testOnEngines(t)

const bothEvents: EventFilter['events'] = ['NewCommit', 'SchemaChanged']

async function move(db: Database, repoId: string, snapshotId: string, verdict?: 'breaking' | 'compatible') {
  const previous = await readHead(db, repoId, 'main')
  const describe = (event: string) => ({ payload: JSON.stringify({ event, to: snapshotId }), line: event })
  const schemaChange = verdict && { ...describe('SchemaChanged'), verdict }
  const event = describe('NewCommit')
  await recordHeadMove(db, { repoId, branch: 'main', previous, snapshotId, commit, event, schemaChange }, at(1))
}

test('a verdict follows the commit of its move, with the number of the move', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [
    webhook('all', { events: bothEvents, compatibility: ['breaking', 'compatible'] }),
    webhook('usual', { events: bothEvents }),
    webhook('commits'),
    webhook('dev', { events: bothEvents, branches: ['dev'] }),
  ])
  await move(db, repoId, 'A')
  await move(db, repoId, 'B', 'compatible')
  await move(db, repoId, 'C')
  await move(db, repoId, 'D', 'breaking')
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .innerJoin('receivers', 'receivers.id', 'receiver_id')
    .select(['alias', 'name', 'sequence'])
    .orderBy('deliveries.number')
    .execute()
  const list = (alias: string) => rows.filter((row) => row.alias === alias).map((row) => `${row.name} ${row.sequence}`)
  const commits = ['NewCommit 1', 'NewCommit 2', 'NewCommit 3', 'NewCommit 4']
  t.strictSame(list('all'), [...commits.slice(0, 2), 'SchemaChanged 2', ...commits.slice(2), 'SchemaChanged 4'])
  t.strictSame(list('usual'), [...commits, 'SchemaChanged 4'])
  t.strictSame(list('commits'), commits)
  t.strictSame(list('dev'), [])
  const { events } = await readEvents(db, { org: 'acme', repos: null, after: 0, through: 6, limit: 100 })
  t.strictSame(
    events.map(({ name, branch, verdict }) => [name, branch, verdict]),
    [
      ['NewCommit', 'main', null],
      ['NewCommit', 'main', null],
      ['SchemaChanged', 'main', 'compatible'],
      ['NewCommit', 'main', null],
      ['NewCommit', 'main', null],
      ['SchemaChanged', 'main', 'breaking'],
    ],
  )
})

// Proves: a receiver that is enabled with the latest held deliveries gets the last commit beside the last verdict
test('the latest of what was held has the last commit and the last verdict', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('hook', { events: bothEvents })])
  const receiver = receivers.get('hook')
  if (receiver === undefined) throw new Error('the webhook is not there')
  await setEnabled(db, receiver, false, at(0))
  await move(db, repoId, 'A')
  await move(db, repoId, 'B', 'breaking')
  await move(db, repoId, 'C')
  await setEnabled(db, receiver, true, at(2), 'latest')
  const waiting = await db
    .selectFrom('undelivered')
    .innerJoin('deliveries', 'deliveries.number', 'delivery_number')
    .innerJoin('events', 'events.number', 'event_number')
    .select(['name', 'sequence'])
    .where('queue_position', 'is not', null)
    .orderBy('queue_position')
    .execute()
  t.strictSame(
    waiting.map(({ name, sequence }) => `${name} ${sequence}`),
    ['SchemaChanged 2', 'NewCommit 3'],
  )
  t.equal((await claim(db, at(3))).length, 1, 'one after the other')
})

test('what receivers and streams ask about head moves is read together', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [
    webhook('commits'),
    webhook('verdicts', { events: ['SchemaChanged'], paths: ['a/**'], compatibility: ['breaking'] }),
    webhook('dev', { events: bothEvents, branches: ['dev'], include_changes: true }),
  ])
  const ask = async (branch: string, ms: number) => {
    const questions = await listMoveQuestions(db, { repoId, branch }, at(ms))
    if (questions === undefined) return undefined
    const { paths, wantsChanges, verdicts } = questions
    return { paths: [...paths.values()], wantsChanges, verdicts: [...verdicts].sort() }
  }
  const ofMain = { paths: [['a/**']], wantsChanges: false, verdicts: ['breaking'] }
  t.strictSame(await ask('main', 0), ofMain)
  t.strictSame(await ask('dev', 0), { paths: [], wantsChanges: true, verdicts: ['breaking', 'unknown'] })
  t.equal(await ask('other', 0), undefined)
  const stream = { org: 'acme', repos: ['w*'], names: null, selection: mainAlone }
  const filter: EventFilter = {
    ...defaultFilter,
    events: ['SchemaChanged'],
    branches: ['main', 'other'],
    compatibility: ['compatible'],
  }
  await recordStreamSelections(db, [{ ...stream, filter }], { now: at(0), until: at(100) })
  t.strictSame(await ask('main', 1), { ...ofMain, verdicts: ['breaking', 'compatible'] })
  t.strictSame(await ask('other', 1), { paths: [], wantsChanges: false, verdicts: ['compatible'] })
  t.equal(await ask('other', 100), undefined, 'the stream is over')
})

test('a chat of an organisation is not told first heads from before it was added', async (t, { db }) => {
  const chat = (alias: string, repos: EventFilter['repos']) => webhook(alias, { kind: 'chat', service: 'slack', repos })
  const first = await repositoryWith(db, [chat('team', null)])
  const ofOrganisation = [chat('everybody', ['**']), webhook('all', { repos: ['**'] })]
  await applyDeclaredReceivers(db, { org: 'acme', repoId: null }, ofOrganisation, { secrets, now: at(1) })
  const later = await rememberRepository(db, 'acme', 'later', at(2))
  const record = (repoId: string, snapshotId: string, writtenAt: Date, previous: Head | null) => {
    const event = { payload: '{}', line: snapshotId }
    const head = { repoId, branch: 'main', snapshotId, commit: { ...commit, writtenAt } }
    return recordHeadMove(db, { ...head, previous, event }, at(3))
  }
  await record(first.repoId, 'FIRST', at(0), null)
  await record(first.repoId, 'RESET', at(0), await readHead(db, first.repoId, 'main'))
  await record(later, 'NEW', at(2), null)
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.number', 'event_number')
    .innerJoin('receivers', 'receivers.id', 'receiver_id')
    .select(['alias', 'line'])
    .orderBy('deliveries.number')
    .execute()
  const told = Map.groupBy(rows, ({ line }) => line)
  const list = (line: string) =>
    told
      .get(line)
      ?.map(({ alias }) => alias)
      .sort()
  t.strictSame(list('FIRST'), ['all', 'team'], 'a repository has one first head, so its own chat is told')
  t.strictSame(list('RESET'), ['all', 'everybody', 'team'], 'a move is told whenever its commit was written')
  t.strictSame(list('NEW'), ['all', 'everybody'], 'the repository is new')
})
