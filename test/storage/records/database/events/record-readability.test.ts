import { defaultFilter } from '@floe/contract/lists'
import { addReceiver, type Database, listUnreadable, recordReadability } from '@floe/storage/database'
import { t } from 'tap'
import { secrets } from '../../../sample-secrets.ts'
import { testOnEngines } from '../engines.ts'
import { at, by, claim, describe, repositoryWith } from '../recorded.ts'
import { newWebhook } from '../receivers/edit-receivers.ts'

const test = await testOnEngines(t)

async function addListener(db: Database, repos = ['**']) {
  const events = ['RepositoryUnreadable', 'RepositoryBack'] as const
  await addReceiver(
    db,
    { ...newWebhook(''), repoId: null, filter: { ...defaultFilter, repos, events } },
    { secrets, by, now: at(0) },
  )
}

test('each change is told of once, whoever sees it', async (t, { db, connect }) => {
  const { repoId } = await repositoryWith(db, [])
  await addListener(db)
  const listEvents = () => db.selectFrom('events').select(['name', 'sequence']).orderBy('sequence').execute()
  const processes = [db, await connect(), await connect()]
  const failed = { repoId, failure: { since: at(1), reason: 'store-failed' } }
  const read = { repoId, failure: null }
  const unreadable = { name: 'RepositoryUnreadable', sequence: 1 }
  await recordReadability(db, read, describe, at(2))
  t.strictSame(await listEvents(), [])
  await Promise.all(processes.map((one) => recordReadability(one, failed, describe, at(60_001))))
  t.strictSame(await listEvents(), [unreadable])
  t.strictSame(await listUnreadable(db, [repoId]), new Set([repoId]))
  const [notice] = await claim(db, at(60_002))
  t.match(notice?.event, { sequence: 1, line: 'RepositoryUnreadable' })
  await Promise.all(processes.map((one) => recordReadability(one, read, describe, at(70_000))))
  t.strictSame(await listEvents(), [unreadable, { name: 'RepositoryBack', sequence: 2 }])
  t.strictSame(await listUnreadable(db, [repoId]), new Set())
  const { payload } = await db
    .selectFrom('events')
    .select('payload')
    .where('sequence', '=', 2)
    .executeTakeFirstOrThrow()
  t.match(JSON.parse(payload), { repo: 'weather', since: at(1).toISOString() })
})

test('a change that nobody asks for is recorded without a notice', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [])
  await addListener(db, ['ocean'])
  await recordReadability(db, { repoId, failure: { since: at(1), reason: 'store-failed' } }, describe, at(2))
  t.strictSame(await listUnreadable(db, [repoId]), new Set([repoId]))
  t.strictSame(await db.selectFrom('events').select('name').execute(), [])
})
