import {
  applyDeclaredReceivers,
  createApiKey,
  createAuthorization,
  deleteExpired,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKeyGrant,
  type Database,
  type Expiry,
  type ExpiryStep,
} from '@floe/storage/database'
import { t } from 'tap'
import { secrets } from '../../sample-secrets.ts'
import { testOnEngines } from './engines.ts'
import { at, claim, expire, finish, moveHead, repositoryWith, summary, webhook } from './recorded.ts'

/** Makes an API key and returns its id. */
async function makeKey(db: Database, grant: Partial<ApiKeyGrant> = {}): Promise<string> {
  const text = await createApiKey(db, { org: 'acme', role: 'admin', repos: null, ...grant }, at(0))
  return text.slice(5, 21)
}

/**
 * Deletes what has expired as the service does: each step begins where the one before ended. Returns what each deleted.
 */
async function expireInSteps(
  db: Database,
  times: Partial<Expiry>,
  afterStep: () => Promise<void> = async () => {},
): Promise<readonly number[]> {
  const nothing = {
    attemptsBefore: at(0),
    eventsBefore: at(0),
    auditBefore: at(0),
    keysBefore: at(0),
    sessionsBefore: at(0),
    limit: 1_000,
  }
  const steps: number[] = []
  for (let step: ExpiryStep | undefined; step?.deleted !== 0;) {
    step = await deleteExpired(db, { ...nothing, ...times, cursor: step?.cursor })
    steps.push(step.deleted)
    await afterStep()
  }
  return steps
}

const test = await testOnEngines(t)

test('what has expired is deleted in small steps', async (t, { db }) => {
  const { repoId } = await repositoryWith(db, [webhook('one')])
  for (const [index, snapshotId] of ['A', 'B', 'C', 'D'].entries()) {
    await moveHead(db, repoId, [snapshotId], at(index))
    await finish(db, await claim(db, at(index)), { kind: 'delivered' }, at(index))
  }
  const steps = await expireInSteps(db, { attemptsBefore: at(3), eventsBefore: at(2), limit: 1 })
  t.strictSame(steps, [2, 2, 2, 1, 0])
  const attempts = await db.selectFrom('attempts').select('started_at').execute()
  t.strictSame(attempts, [{ started_at: at(3).getTime() }])
  const events = await db.selectFrom('events').select('sequence').orderBy('sequence').execute()
  t.strictSame(events, [{ sequence: 3 }, { sequence: 4 }])
})

test('the queues of a repository are deleted with its last event, and the next event makes new ones', async (t, {
  db,
}) => {
  const one = webhook('one')
  const { repoId } = await repositoryWith(db, [one])
  const { repoId: other } = await repositoryWith(db, [one], 'ocean')
  await applyDeclaredReceivers(db, { org: 'acme', repoId: null }, [webhook('all', { repos: ['**'] })], {
    secrets,
    now: at(0),
  })
  await moveHead(db, repoId, ['A', 'B'], at(0))
  await moveHead(db, other, ['C'], at(2))
  await finish(db, await claim(db, at(2)), { kind: 'delivered' }, at(2))
  const listQueues = async () => {
    const rows = await db.selectFrom('queues').select('repo_id').orderBy('repo_id').execute()
    return rows.map(({ repo_id }) => repo_id)
  }
  t.strictSame(await listQueues(), [repoId, repoId, other, other].sort())
  await expireInSteps(db, { eventsBefore: at(1), limit: 1 })
  t.strictSame(await listQueues(), [other, other], 'also those with deliveries that were never sent')
  await moveHead(db, repoId, ['D'], at(3))
  t.strictSame(summary(await claim(db, at(3))), ['all D', 'one D'])
  const { sequence } = await db
    .selectFrom('heads')
    .select('sequence')
    .where('repo_id', '=', repoId)
    .executeTakeFirstOrThrow()
  t.equal(sequence, 3, 'numbers go on')
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
  await expireInSteps(db, { eventsBefore: at(1), limit: 2 }, async () => {
    left.push([(await list('deliveries')).length, (await list('events')).length])
  })
  t.strictSame(left, [
    [8, 2],
    [6, 2],
    [4, 1],
    [2, 1],
    [0, 1],
    [0, 0],
    [0, 0],
  ])
})

test('events without deliveries, and those of one moment, are deleted too', async (t, { db }) => {
  const quiet = await repositoryWith(db, [], 'quiet')
  const { repoId } = await repositoryWith(db, [webhook('one'), webhook('two')])
  await moveHead(db, quiet.repoId, ['A', 'B', 'C'], at(0))
  await moveHead(db, repoId, ['A', 'B', 'C'], at(0))
  await moveHead(db, quiet.repoId, ['D'], at(1))
  await moveHead(db, repoId, ['D'], at(2))
  for (const limit of [1, 2, 3]) {
    const steps = await expireInSteps(db, { eventsBefore: at(limit), limit })
    t.ok(
      steps.every((deleted) => deleted <= 2 * limit),
      steps.join(),
    )
    const left = await db.selectFrom('events').select('created_at').orderBy('created_at').execute()
    t.strictSame(
      left.map(({ created_at }) => created_at),
      [at(1), at(2)].filter((time) => time >= at(limit)).map((time) => time.getTime()),
    )
  }
  t.strictSame(await db.selectFrom('deliveries').select('id').execute(), [])
  t.strictSame(await db.selectFrom('undelivered').select('state').execute(), [])
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

test('what was given for a key is deleted when it has expired, or with the key', async (t, { db }) => {
  const give = async (now: Date) => {
    const text = await createApiKey(db, { org: 'acme', role: 'reader', repos: null }, at(0))
    const key = await findApiKey(db, text, at(0))
    if (key === undefined) throw new Error('the key is missing')
    await createAuthorization(db, key, text, { name: 'a client', host: 'example.org' }, [], now)
    return key.id
  }
  await give(at(1))
  const ended = await give(at(2))
  const codeEnd = at(1).getTime() + 60_000
  const count = async () => (await db.selectFrom('authorizations').select('id').execute()).length
  t.equal(await expire(db, { sessionsBefore: new Date(codeEnd) }), 0)
  t.equal(await expire(db, { sessionsBefore: new Date(codeEnd + 1) }), 1)
  t.equal(await count(), 1)
  await db.deleteFrom('api_keys').where('id', '=', ended).execute()
  t.equal(await count(), 0)
})
