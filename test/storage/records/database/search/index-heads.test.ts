import {
  type Database,
  findHeadToIndex,
  finishIndexing,
  forgetIndex,
  IndexLeaseLostError,
  insertHead,
  leaseHead,
  postponeIndexing,
  readIndexLag,
  readIndexState,
  recordMetadata,
  removeOutdated,
  removeReplica,
  replaceShard,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { at, commit, moveHead } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const test = await testOnEngines(t)

const bounds = { west: 0, south: 0, east: 1, north: 1, starts_at: null, ends_at: null }

/** A shard with one dataset. */
const shard = {
  summary: { datasets: 1, length: 10, counts: '0101', extents: '', bounds },
  datasets: JSON.stringify([
    {
      number: 0,
      path: '',
      fingerprint: 'x',
      changed_at: 1,
      changed_message: 'Begin',
      dimensions: '[]',
      variable_count: 1,
    },
  ]),
  words: JSON.stringify([{ term: 'wtemperature', places: '000103' }]),
  variables: JSON.stringify([{ chunk: 0, lines: 't2m' }]),
}

const turn = { branches: [], replica: 'a', afterOrg: '', busyOrgs: [] }

/** Records repositories with a head each. Returns their ids by name. */
async function recordHeads(db: Database, names: readonly string[], org = 'acme'): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const name of names) {
    const id = await rememberRepository(db, org, name, at(1))
    await moveHead(db, id, ['A'], at(1))
    ids.set(name, id)
  }
  return ids
}

/** Indexes the next head, and returns its repository. */
async function indexNext(db: Database, now: Date): Promise<string | undefined> {
  const due = await findHeadToIndex(db, { ...turn, dueBy: now })
  if (due === undefined) return undefined
  const head = await leaseHead(db, due, 'a')
  await finishIndexing(db, head, { omitted: 0, form: 1, dueAt: now })
  return head.repo
}

test('a head that moves again and again waits behind the others', async (t, { db }) => {
  const ids = await recordHeads(db, ['busy'])
  t.equal(await indexNext(db, at(2)), 'busy')
  await moveHead(db, ids.get('busy') ?? '', ['B'], at(3))
  await recordHeads(db, ['calm'])
  t.equal(await indexNext(db, at(4)), 'calm')
  t.equal(await indexNext(db, at(5)), 'busy')
  t.equal(await indexNext(db, at(6)), undefined)
})

test('a lease keeps others away until its replica is gone, which cannot write after that', async (t, { db }) => {
  await recordHeads(db, ['weather'])
  const find = (replica: string) => findHeadToIndex(db, { ...turn, replica, dueBy: at(2) })
  const due = await find('a')
  if (due === undefined) throw new TypeError('no head is due')
  const head = await leaseHead(db, due, 'a')
  t.equal(await find('b'), undefined)
  t.match(await find('a'), { repo: 'weather' }, 'its replica may have lost the answer')
  await t.rejects(leaseHead(db, due, 'b'), IndexLeaseLostError)
  await removeReplica(db, 'a')
  t.match(await find('b'), { repo: 'weather' })
  await leaseHead(db, due, 'b')
  await t.rejects(replaceShard(db, head, { shard: null, written: shard }), IndexLeaseLostError)
  await finishIndexing(db, head, { omitted: 0, form: 1, dueAt: at(3) })
  t.match(await readIndexLag(db, []), { pending: 1 }, 'it is not indexed yet')
})

test('a head that is forgotten while it is indexed is indexed again', async (t, { db }) => {
  await recordHeads(db, ['weather'])
  const due = await findHeadToIndex(db, { ...turn, dueBy: at(2) })
  if (due === undefined) throw new TypeError('no head is due')
  const head = await leaseHead(db, due, 'a')
  await forgetIndex(db, {})
  await finishIndexing(db, head, { omitted: 0, form: 1, dueAt: at(3) })
  t.match(await readIndexLag(db, []), { pending: 1 })
})

test('a head that cannot be indexed waits, and the state of the index says so', async (t, { db }) => {
  await recordHeads(db, ['broken', 'sound'])
  const due = await findHeadToIndex(db, { ...turn, dueBy: at(2) })
  if (due === undefined) throw new TypeError('no head is due')
  await postponeIndexing(db, await leaseHead(db, due, 'a'), { problem: 'damaged', until: at(9) })
  const scope = { org: 'acme', repos: null, branches: [] }
  t.match(await readIndexState(db, scope), { pending: 2, failed: 1 })
  await indexNext(db, at(3))
  t.equal(await indexNext(db, at(8)), undefined)
  t.match(await readIndexState(db, scope), { repositories: 2, pending: 1, failed: 1, oldest: at(1) })
  t.match(await readIndexLag(db, []), { pending: 1, oldest: at(1) })
  t.match(await findHeadToIndex(db, { ...turn, dueBy: at(9) }), { repo: due.repo, failures: 1 })
})

test('a head that could not be indexed is due again when it has moved', async (t, { db }) => {
  const ids = await recordHeads(db, ['weather'])
  const due = await findHeadToIndex(db, { ...turn, dueBy: at(2) })
  if (due === undefined) throw new TypeError('no head is due')
  await postponeIndexing(db, await leaseHead(db, due, 'a'), { problem: 'damaged', until: at(3_600) })
  await moveHead(db, ids.get('weather') ?? '', ['B'], at(3))
  t.match(await findHeadToIndex(db, { ...turn, dueBy: at(4) }), { snapshotId: 'B', failures: 0 })
})

test('the index is rebuilt for all repositories or for some', async (t, { db }) => {
  await recordHeads(db, ['one', 'two'])
  for (const second of [2, 3]) await indexNext(db, at(second))
  t.equal(await forgetIndex(db, { org: 'acme', repos: ['two'] }), 1)
  t.equal(await indexNext(db, at(4)), 'two')
  t.equal(await indexNext(db, at(4)), undefined)
  t.equal(await forgetIndex(db, {}), 2)
  t.equal((await readIndexState(db, { org: 'acme', repos: ['one'], branches: [] })).pending, 1)
})

test('branches that patterns name are indexed too, and their datasets go with them', async (t, { db }) => {
  const [[, repoId = ''] = []] = await recordHeads(db, ['weather'])
  for (const branch of ['dev', 'release/1']) await insertHead(db, { repoId, branch, snapshotId: 'B', commit }, 1, at(1))
  const branches = ['release/*']
  const scope = { org: 'acme', repos: null }
  t.match(await readIndexState(db, { ...scope, branches: [] }), { repositories: 1, pending: 1 })
  t.match(await readIndexState(db, { ...scope, branches }), { repositories: 1, pending: 2 })
  t.match(await readIndexLag(db, ['**']), { pending: 3 })
  const indexed: string[] = []
  for (
    let due;
    (due = await findHeadToIndex(db, { ...turn, branches, dueBy: at(2) })) !== undefined;
    indexed.push(due.branch)
  ) {
    const head = await leaseHead(db, due, 'a')
    await replaceShard(db, head, { shard: null, written: shard })
    await finishIndexing(db, head, { omitted: 0, form: 1, dueAt: at(2) })
  }
  t.strictSame(indexed.sort(), ['main', 'release/1'])
  const listBranches = async () =>
    (await db.selectFrom('search_shards').select('branch').orderBy('branch').execute()).map(({ branch }) => branch)
  t.strictSame(await listBranches(), ['main', 'release/1'])
  await removeOutdated(db, branches, 1)
  t.strictSame(await listBranches(), ['main', 'release/1'])
  await removeOutdated(db, [], 1)
  t.strictSame(await listBranches(), ['main'])
  t.match(
    await findHeadToIndex(db, { ...turn, branches, dueBy: at(9) }),
    { branch: 'release/1' },
    'it is indexed when it is named again',
  )
})

test('organisations take turns, and one of which a head is being indexed is left out', async (t, { db }) => {
  await recordHeads(db, ['one', 'two', 'three'], 'acme')
  await recordHeads(db, ['other'], 'beta')
  const find = async (afterOrg: string, ...busyOrgs: string[]) =>
    (await findHeadToIndex(db, { ...turn, dueBy: at(2), afterOrg, busyOrgs }))?.org
  t.equal(await find(''), 'acme')
  t.equal(await find('acme'), 'beta')
  t.equal(await find('beta'), 'acme')
  t.equal(await find('beta', 'acme'), 'beta')
  t.equal(await find('acme', 'acme', 'beta'), undefined)
})

test('what has another form than the index is removed and indexed again', async (t, { db }) => {
  await recordHeads(db, ['weather'])
  const due = await findHeadToIndex(db, { ...turn, dueBy: at(2) })
  if (due === undefined) throw new TypeError('no head is due')
  const head = await leaseHead(db, due, 'a')
  await replaceShard(db, head, { shard: null, written: shard })
  await finishIndexing(db, head, { omitted: 0, form: 1, dueAt: at(2) })
  await removeOutdated(db, [], 1)
  t.equal(await findHeadToIndex(db, { ...turn, dueBy: at(5) }), undefined)
  await removeOutdated(db, [], 2)
  t.match(await findHeadToIndex(db, { ...turn, dueBy: at(5) }), { repo: 'weather', indexedSnapshotId: '' })
  for (const table of ['search_shards', 'search_words', 'search_datasets', 'search_variables'] as const)
    t.strictSame(await db.selectFrom(table).selectAll().execute(), [])
})

// Proves: a head that moves back while it is indexed is indexed again, also when the process was killed
test('a head that moves back to the indexed snapshot while another is written is due again', async (t, { db }) => {
  const ids = await recordHeads(db, ['weather'])
  t.equal(await indexNext(db, at(2)), 'weather')
  await moveHead(db, ids.get('weather') ?? '', ['B'], at(3))
  const due = await findHeadToIndex(db, { ...turn, dueBy: at(4) })
  if (due === undefined) throw new TypeError('no head is due')
  await replaceShard(db, await leaseHead(db, due, 'a'), { shard: null, written: shard })
  await moveHead(db, ids.get('weather') ?? '', ['A'], at(4))
  t.match(await findHeadToIndex(db, { ...turn, dueBy: at(6) }), { snapshotId: 'A', indexedSnapshotId: '' })
})

test('new metadata of a repository has its heads indexed again, also while one is written', async (t, { db }) => {
  const ids = await recordHeads(db, ['weather', 'other'])
  const repoId = ids.get('weather') ?? ''
  while (await indexNext(db, at(2)));
  await recordMetadata(db, repoId, { from: null, to: '{"title":"One"}' })
  const due = await findHeadToIndex(db, { ...turn, dueBy: at(3) })
  t.match(due, { repo: 'weather', indexedSnapshotId: '', metadata: '{"title":"One"}' })
  if (due === undefined) throw new TypeError('no head is due')
  const head = await leaseHead(db, due, 'a')
  await recordMetadata(db, repoId, { from: '{"title":"One"}', to: null })
  await t.rejects(replaceShard(db, head, { shard: null, written: shard }), IndexLeaseLostError)
  t.equal(await indexNext(db, at(4)), 'weather')
  await recordMetadata(db, repoId, { from: '{"title":"One"}', to: '{"title":"Late"}' })
  t.equal(await indexNext(db, at(5)), undefined, 'another process has recorded newer metadata')
})
