import {
  createApiKey,
  deleteExpired,
  listApiKeys,
  revokeApiKey,
  type ApiKeyGrant,
  type Database,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from './engines.ts'
import { at, claim, finish, moveHead, repositoryWith, webhook } from './recorded.ts'

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
  const expiry = { attemptsBefore: at(3), eventsBefore: at(2), auditBefore: at(0), keysBefore: at(0), limit: 1 }
  const steps: number[] = []
  do steps.push(await deleteExpired(db, expiry))
  while (steps.at(-1) !== 0)
  t.strictSame(steps, [2, 2, 1, 0])
  const attempts = await db.selectFrom('attempts').select('started_at').execute()
  t.strictSame(attempts, [{ started_at: at(3).getTime() }])
  const events = await db.selectFrom('events').select('sequence').orderBy('sequence').execute()
  t.strictSame(events, [{ sequence: 3 }, { sequence: 4 }])
})

test('a key that has ended is deleted, unless others were made with it', async (t, { db }) => {
  const revoked = await makeKey(db)
  const child = await makeKey(db, { createdBy: revoked })
  await revokeApiKey(db, revoked, { now: at(1), keepsDescendants: true })
  await makeKey(db, { expiresAt: at(1) })
  const lasting = await makeKey(db, { expiresAt: at(3) })
  const expiry = { attemptsBefore: at(0), eventsBefore: at(0), auditBefore: at(0), limit: 10 }
  const listIds = async () => (await listApiKeys(db, 'acme')).map(({ id }) => id).sort()
  t.equal(await deleteExpired(db, { ...expiry, keysBefore: at(1) }), 0)
  t.equal(await deleteExpired(db, { ...expiry, keysBefore: at(2) }), 1)
  t.strictSame(await listIds(), [revoked, child, lasting].sort())
  await revokeApiKey(db, child, { now: at(2), keepsDescendants: false })
  t.equal(await deleteExpired(db, { ...expiry, keysBefore: at(3) }), 1)
  t.equal(await deleteExpired(db, { ...expiry, keysBefore: at(3) }), 1)
  t.strictSame(await listIds(), [lasting])
})
