import { createApiKey, listApiKeys, revokeApiKey, type ApiKeyGrant, type Database } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from './engines.ts'
import { at, claim, expire, finish, moveHead, repositoryWith, webhook } from './recorded.ts'

/** Makes an API key and returns its id. */
async function makeKey(db: Database, grant: Partial<ApiKeyGrant> = {}): Promise<string> {
  const text = await createApiKey(db, { org: 'acme', role: 'admin', repos: null, ...grant }, at(0))
  return text.slice(5, 21)
}

const test = await testOnEngines(t)

test('what has expired is deleted in small steps', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  for (const [index, snapshotId] of ['A', 'B', 'C', 'D'].entries()) {
    await moveHead(db, repoId, [snapshotId], at(index))
    await finish(db, await claim(db, at(index)), { kind: 'delivered' }, at(index))
  }
  const steps: number[] = []
  do steps.push(await expire(db, { attemptsBefore: at(3), eventsBefore: at(2), limit: 1 }))
  while (steps.at(-1) !== 0)
  t.strictSame(steps, [2, 2, 2, 1, 0])
  const attempts = await db.selectFrom('attempts').select('started_at').execute()
  t.strictSame(attempts, [{ started_at: at(3).getTime() }])
  const events = await db.selectFrom('events').select('sequence').orderBy('sequence').execute()
  t.strictSame(events, [{ sequence: 3 }, { sequence: 4 }])
})

test('no step deletes more deliveries than its limit, and an event goes after its deliveries', async (t, { db }) => {
  const aliases = ['a', 'b', 'c', 'd', 'e']
  const { repoId } = await repositoryWith(
    db,
    aliases.map((alias) => webhook(alias)),
  )
  await moveHead(db, repoId, ['A', 'B'], at(0))
  const list = (table: 'deliveries' | 'events') => db.selectFrom(table).select('id').execute()
  const left: (readonly [number, number])[] = []
  while ((await expire(db, { eventsBefore: at(1), limit: 2 })) > 0) {
    left.push([(await list('deliveries')).length, (await list('events')).length])
  }
  t.strictSame(left, [
    [8, 2],
    [6, 2],
    [4, 1],
    [2, 1],
    [0, 1],
    [0, 0],
  ])
})

test('a key that has ended is deleted, unless others were made with it', async (t, { db }) => {
  const revoked = await makeKey(db)
  const child = await makeKey(db, { createdBy: revoked })
  await revokeApiKey(db, revoked, { now: at(1), keepsDescendants: true })
  await makeKey(db, { expiresAt: at(1) })
  const lasting = await makeKey(db, { expiresAt: at(3) })
  const listIds = async () => (await listApiKeys(db, 'acme')).map(({ id }) => id).sort()
  t.equal(await expire(db, { keysBefore: at(1) }), 0)
  t.equal(await expire(db, { keysBefore: at(2) }), 1)
  t.strictSame(await listIds(), [revoked, child, lasting].sort())
  await revokeApiKey(db, child, { now: at(2), keepsDescendants: false })
  t.equal(await expire(db, { keysBefore: at(3) }), 1)
  t.equal(await expire(db, { keysBefore: at(3) }), 1)
  t.strictSame(await listIds(), [lasting])
})
