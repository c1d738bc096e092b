// Whether search finds what is in the repositories, and whether its index equals a newly built one.
import { SearchAnswer } from '@floe/contract'
import { type Database, openDatabase } from '@floe/storage/database'
import { matchesSome } from '@floe/storage/globs'
import { buildId } from '../../../test/storage/repositories/icechunk/build-object.ts'
import { describe, numbers } from '../../history/commits.ts'
import { compareIndexes } from '../../history/index-content.ts'
import { machine } from '../machine/machine.ts'
import { indexedBranches } from '../world/configuration.ts'
import type { SimulatedReplica } from '../world/replicas.ts'
import type { SimulatedRepository } from '../world/repositories.ts'

export type SearchParts = {
  readonly repositories: readonly SimulatedRepository[]
  readonly replicas: readonly SimulatedReplica[]
  /** Starts a service with the same repositories and an empty database of this name. */
  readonly startFresh: (database: string) => SimulatedReplica
}

const freshDatabase = 'sqlite:fresh.db'

/** How often a new index is looked at, and how long it may take, in milliseconds. */
const lookMs = 2_000
const limitMs = 120_000

/** How often the index is looked at while it changes, in milliseconds. */
const watchMs = 1_000

/** Asks each replica for the datasets with a type. Their answers must be those of a plain scan of the heads. */
export async function checkSearch({ repositories, replicas }: SearchParts, faults: string[]): Promise<void> {
  for (const { name, owner, app } of replicas) {
    if (owner === undefined || app === undefined) faults.push(`at rest, ${name} is not up`)
    else
      for (const type of ['float32', 'float64']) {
        const url = `/v1/services/simulation/acme/_meta/search?limit=100&dtype=${type}`
        const answer = await machine.as(owner, () => app.inject({ url, headers: { accept: 'application/json' } }))
        const { results } = SearchAnswer.parse(answer.json())
        const found = results.map(({ repo, branch, snapshot_id: id }) => `${repo} ${branch} ${id}`)
        const heads = repositories.flatMap(({ name, branches }) =>
          [...branches].map(([branch, commit]) => ({ name, branch, commit })),
        )
        const real = heads.filter(({ branch, commit }) => isIndexed(branch) && describe(commit).type === type)
        const expected = real.map(({ name, branch, commit }) => `${name} ${branch} ${buildId(commit)}`)
        if (found.toSorted().join() !== expected.toSorted().join())
          faults.push(`${name} finds ${found.join()} with ${type} instead of ${expected.join()}`)
      }
  }
}

/** Looks again and again, in a process that no trouble touches, whether the index is right. */
export async function watchIndex(database: string, isOver: () => boolean): Promise<void> {
  let db: Database | undefined
  while (!isOver()) {
    await machine.wait(watchMs, 'looks')
    try {
      db ??= await openDatabase(database)
      for (const fault of await checkIndexedHeads(db)) machine.fault(fault)
    } catch (error) {
      // There is no service yet, or a paused one keeps others out.
      machine.say(machine.world, 'cannot look at the index', String(error))
    }
  }
  await db?.destroy()
}

/** Whether the index says of each head what is in the snapshot that it names. */
async function checkIndexedHeads(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('heads')
    .innerJoin('repositories', 'repositories.id', 'heads.repo_id')
    .innerJoin('search_shards', 'search_shards.repo_id', 'heads.repo_id')
    .innerJoin('search_variables', 'shard', 'search_shards.id')
    .select(['name', 'indexed_snapshot_id as snapshot', 'lines'])
    .whereRef('search_shards.branch', '=', 'heads.branch')
    .where('indexed_snapshot_id', '<>', '')
    .execute()
  const wrong = rows.filter(({ snapshot, lines }) => {
    return !lines.split('\t').includes(describe(numbers.get(snapshot) ?? 0).type)
  })
  return wrong.map(({ name, snapshot, lines }) => `the index of ${name} names ${snapshot}, and says ${lines}`)
}

/** Compares the index with one that a new service makes of the same repositories. */
export async function checkIndex(db: Database, { startFresh }: SearchParts, faults: string[]): Promise<void> {
  const heads = await countIndexed(db)
  const replica = startFresh(freshDatabase)
  await waitUntil(async () => replica.app !== undefined)
  const fresh = await openDatabase(freshDatabase)
  await waitUntil(async () => (await countIndexed(fresh)) >= heads)
  const compared = await compareIndexes(db, fresh)
  replica.kill()
  await fresh.destroy()
  faults.push(...compared.faults)
}

function isIndexed(branch: string): boolean {
  return branch === 'main' || matchesSome(indexedBranches, branch)
}

/** Counts the heads that an index has. */
async function countIndexed(db: Database): Promise<number> {
  const heads = await db
    .selectFrom('heads')
    .select('branch')
    .whereRef('indexed_snapshot_id', '=', 'snapshot_id')
    .execute()
  return heads.length
}

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  const end = machine.now + limitMs
  while (!(await holds()) && machine.now < end) await machine.wait(lookMs, 'looks')
}
