// The index follows a head although the snapshot that it has is gone or cannot be read.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, LanedDatabase } from '@floe/storage/database'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { testOnEngines } from '../../../storage/records/database/engines.ts'
import { fixtures, startServer } from '../../start-server.ts'
import { waitUntil } from '../../wait-until.ts'

const test = await testOnEngines(t)

const lost = new URL('../../../fixtures/lost-snapshots/', import.meta.url).pathname
const commits = new URL('../../../fixtures/weather-commits/', import.meta.url).pathname

/** What happens to a repository while the service is stopped. */
type Loss = {
  /** The repository that is indexed before. */
  readonly before: string
  /** What it is then, or what is copied over it. */
  readonly after: string
  readonly isReplaced?: boolean
  /** What happens to the object of the indexed snapshot. */
  readonly spoil?: (path: string) => Promise<void>
}

const moved = { before: join(fixtures, 'weather'), after: commits }

/** By the name of the repository. */
const losses: Readonly<Record<string, Loss>> = {
  expired: { before: join(lost, 'v2/before'), after: join(lost, 'v2/after'), isReplaced: true },
  'expired-v1': { before: join(lost, 'v1/before'), after: join(lost, 'v1/after'), isReplaced: true },
  deleted: { ...moved, spoil: (path) => rm(path) },
  damaged: { ...moved, spoil: (path) => writeFile(path, 'not a snapshot') },
  unreadable: {
    ...moved,
    spoil: async (path) => {
      await rm(path)
      await mkdir(path)
    },
  },
  'another-repository': { before: join(lost, 'v2/before'), after: join(fixtures, 'satellite'), isReplaced: true },
  'not-in-history': { before: join(lost, 'v2/after'), after: join(lost, 'v2/before') },
}

/** Lists the head of each repository. */
async function listHeads(db: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('heads')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select(['name', 'snapshot_id'])
    .execute()
  return new Map(rows.map(({ name, snapshot_id }) => [name, snapshot_id]))
}

/** Runs a service until the head of each repository is another one than before, and in the index. */
async function runUntilIndexed(t: Test, db: LanedDatabase, directory: string, before: ReadonlyMap<string, string>) {
  const server = await startServer(t, {
    db,
    hasSearch: true,
    sources: [{ kind: 'scan', store: openLocalStore(directory) }],
  })
  await server.notifier.start()
  await waitUntil(async () => {
    const heads = await listHeads(db)
    const hasMoved = Object.keys(losses).every((name) => heads.has(name) && heads.get(name) !== before.get(name))
    return hasMoved && (await (await server.get('search')).json()).index.pending === 0
  })
  const heads = await listHeads(db)
  const { results } = await (await server.get('search?limit=100')).json()
  for (const { repo, group, snapshot_id } of results) t.equal(snapshot_id, heads.get(repo), `${repo} ${group}`)
  t.strictSame(new Set(results.map(({ repo }: { repo: string }) => repo)), new Set(Object.keys(losses)))
  return { server, heads }
}

// Proves: a head is indexed although the snapshot that the index has is gone
test('heads are indexed whatever took away the snapshots that the index has', async (t, { db }) => {
  // Beside the database, which may lie there too.
  const directory = join(t.testdirName, 'served')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const locate = (name: string) => join(directory, name)
  for (const [name, { before }] of Object.entries(losses)) await cp(before, locate(name), { recursive: true })
  let before: ReadonlyMap<string, string> = new Map()
  await t.test('first', async (t) => {
    before = (await runUntilIndexed(t, db, directory, before)).heads
  })
  for (const [name, { after, isReplaced, spoil }] of Object.entries(losses)) {
    if (isReplaced) await rm(locate(name), { recursive: true })
    await cp(after, locate(name), { recursive: true })
    await spoil?.(join(locate(name), 'snapshots', before.get(name) ?? ''))
  }
  await t.test('then', async (t) => {
    const { server } = await runUntilIndexed(t, db, directory, before)
    const count = async (query: string) => (await (await server.get(`search?${query}`)).json()).total
    for (const repo of ['expired', 'expired-v1']) {
      t.equal(await count(`repo=${repo}&variable=depth`), 1, repo)
      t.equal(await count(`repo=${repo}&variable=height`), 0, repo)
    }
  })
})
