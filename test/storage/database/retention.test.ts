import {
  countHeld,
  createApiKey,
  deleteExpired,
  listApiKeys,
  revokeApiKey,
  type ApiKeyGrant,
  type Database,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from './engines.ts'
import { at, claim, finish, moveHead, repositoryWith, setEnabled, summary, webhook } from './recorded.ts'

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

test('what is held for a disabled receiver is deleted with its event', async (t, { db }) => {
  const { repoId, receivers } = await repositoryWith(db, [webhook('one')])
  await setEnabled(db, receivers.get('one'), false, at(0))
  for (const [index, id] of ['A', 'B', 'C', 'D'].entries()) await moveHead(db, repoId, [id], at(index))
  await deleteExpired(db, {
    attemptsBefore: at(2),
    eventsBefore: at(2),
    auditBefore: at(2),
    keysBefore: at(2),
    limit: 100,
  })
  const { id = '' } = receivers.get('one') ?? {}
  t.equal((await countHeld(db, [id])).get(id), 2)
  await setEnabled(db, receivers.get('one'), true, at(4), 'all')
  const next = await claim(db, at(5))
  t.strictSame(summary(next), ['one C'])
  await finish(db, next, { kind: 'delivered' }, at(5))
  t.strictSame(summary(await claim(db, at(6))), ['one D'])
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

test('a queue whose first delivery has expired goes on with the next', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one'), webhook('two')])
  await moveHead(db, repoId, ['A'], at(1))
  const underWay = await claim(db, at(2))
  await deleteExpired(db, {
    attemptsBefore: at(9),
    eventsBefore: at(9),
    auditBefore: at(9),
    keysBefore: at(9),
    limit: 10,
  })
  t.equal((await finish(db, underWay.slice(0, 1), { kind: 'delivered' }, at(10))).length, 1, 'it is gone')
  await moveHead(db, repoId, ['B'], at(11))
  t.equal((await claim(db, at(12))).length, 1)
  t.strictSame(summary(await claim(db, at(20_000))), ['one B', 'two B'], 'after the leases')
})
