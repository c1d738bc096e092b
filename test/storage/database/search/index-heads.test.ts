import {
  type Database,
  extendLease,
  findHeadToIndex,
  finishIndexing,
  forgetIndex,
  IndexLeaseLostError,
  insertHead,
  postponeIndexing,
  readIndexLag,
  readIndexState,
  removeOtherBranches,
  writeDatasets,
} from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { at, commit, moveHead } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const test = await testOnEngines(t)

const dataset = {
  path: '/',
  fingerprint: '',
  terms: { word: ['temperature'] },
  words: ' temperature ',
  content: '{}',
  bbox: null,
  startsAt: null,
  endsAt: null,
}

/** Records repositories with a head each. Returns their ids by name. */
async function recordHeads(db: Database, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const name of names) {
    const id = await rememberRepository(db, 'acme', name, at(1))
    await moveHead(db, id, ['A'], at(1))
    ids.set(name, id)
  }
  return ids
}

/** Indexes the next head, and returns its repository. */
async function indexNext(db: Database, now: Date): Promise<string | undefined> {
  const due = await findHeadToIndex(db, [], now)
  if (due === undefined) return undefined
  const head = await extendLease(db, due, now.getTime() + 1)
  await finishIndexing(db, head, { omitted: 0, now })
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

test('a lease keeps others away until it ends, and its holder from writing after that', async (t, { db }) => {
  await recordHeads(db, ['weather'])
  const due = await findHeadToIndex(db, [], at(2))
  if (due === undefined) throw new TypeError('no head is due')
  const head = await extendLease(db, due, at(5).getTime())
  t.equal(await findHeadToIndex(db, [], at(4)), undefined)
  await t.rejects(extendLease(db, due, at(6).getTime()), IndexLeaseLostError)
  const other = await findHeadToIndex(db, [], at(5))
  if (other === undefined) throw new TypeError('no head is due')
  await extendLease(db, other, at(9).getTime())
  await t.rejects(extendLease(db, head, at(7).getTime()), IndexLeaseLostError)
})

test('a head that cannot be indexed waits, and the state of the index says so', async (t, { db }) => {
  await recordHeads(db, ['broken', 'sound'])
  const due = await findHeadToIndex(db, [], at(2))
  if (due === undefined) throw new TypeError('no head is due')
  await postponeIndexing(db, due, { problem: 'damaged', until: at(9) })
  await indexNext(db, at(3))
  t.equal(await indexNext(db, at(8)), undefined)
  t.match(await readIndexState(db, { org: 'acme', repos: null, branches: [] }), {
    repositories: 2,
    pending: 1,
    oldest: at(1),
  })
  t.match(await readIndexLag(db, []), { pending: 1, oldest: at(1) })
  t.match(await findHeadToIndex(db, [], at(9)), { repo: due.repo, failures: 1 })
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
  for (let due; (due = await findHeadToIndex(db, branches, at(2))) !== undefined; indexed.push(due.branch)) {
    const head = await writeDatasets(db, await extendLease(db, due, 3), { changed: [dataset], removed: [] }, 4)
    await finishIndexing(db, head, { omitted: 0, now: at(2) })
  }
  t.strictSame(indexed.sort(), ['main', 'release/1'])
  const listBranches = async () =>
    (await db.selectFrom('search_datasets').select('branch').orderBy('branch').execute()).map(({ branch }) => branch)
  t.strictSame(await listBranches(), ['main', 'release/1'])
  await removeOtherBranches(db, branches)
  t.strictSame(await listBranches(), ['main', 'release/1'])
  await removeOtherBranches(db, [])
  t.strictSame(await listBranches(), ['main'])
  t.match(await findHeadToIndex(db, branches, at(9)), { branch: 'release/1' }, 'it is indexed when it is named again')
})
