// Whether search finds what is in the repositories, and whether its index says what an index says that is made anew.
import { SearchAnswer } from '@floe/contract'
import { type Database, openDatabase, readIndexLag } from '@floe/storage/database'
import { buildId } from '../../../test/storage/repositories/icechunk/build-object.ts'
import { describe } from '../../history/commits.ts'
import { compareIndexes } from '../../history/index-content.ts'
import { machine } from '../machine/machine.ts'
import type { SimulatedReplica } from '../world/replicas.ts'
import type { SimulatedRepository } from '../world/repositories.ts'

export type SearchParts = {
  readonly repositories: readonly SimulatedRepository[]
  readonly replicas: readonly SimulatedReplica[]
  /** Starts a service with the same repositories and an empty database of this name. */
  readonly startAnew: (database: string) => SimulatedReplica
}

const freshDatabase = 'sqlite:fresh.db'

/** How often a new index is looked at, and how long it may take, in milliseconds. */
const lookMs = 2_000
const limitMs = 120_000

/** Asks each replica for the datasets with a type. Their answers must be those of a plain scan of the heads. */
export async function checkSearch({ repositories, replicas }: SearchParts, faults: string[]): Promise<void> {
  for (const { name, owner, app } of replicas) {
    if (owner === undefined || app === undefined) faults.push(`at rest, ${name} is not up`)
    else
      for (const type of ['float32', 'float64']) {
        const url = `/v1/services/simulation/acme/_meta/search?limit=100&dtype=${type}`
        const answer = await machine.as(owner, () => app.inject({ url, headers: { accept: 'application/json' } }))
        const found = SearchAnswer.parse(answer.json()).results.map(({ repo, snapshot_id: id }) => `${repo} ${id}`)
        const heads = repositories.map(({ name, branches }) => [name, branches.get('main') ?? 0] as const)
        const real = heads.filter(([, head]) => describe(head).type === type)
        const expected = real.map(([name, head]) => `${name} ${buildId(head)}`)
        if (found.toSorted().join() !== expected.toSorted().join())
          faults.push(`${name} finds ${found.join()} with ${type} instead of ${expected.join()}`)
      }
  }
}

/** Compares the index with one that a new service makes of the same repositories. */
export async function checkIndex(db: Database, { startAnew }: SearchParts, faults: string[]): Promise<void> {
  const heads = await countIndexed(db)
  const replica = startAnew(freshDatabase)
  await waitUntil(async () => replica.app !== undefined)
  const fresh = await openDatabase(freshDatabase)
  await waitUntil(async () => (await countIndexed(fresh)) >= heads)
  const compared = await compareIndexes(db, fresh)
  replica.kill()
  await fresh.destroy()
  faults.push(...compared.faults)
}

/** Counts the heads that an index has. */
async function countIndexed(db: Database): Promise<number> {
  const heads = await db.selectFrom('heads').select('repo_id').where('branch', '=', 'main').execute()
  return heads.length - (await readIndexLag(db, [])).pending
}

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  const end = machine.now + limitMs
  while (!(await holds()) && machine.now < end) await machine.wait(lookMs, 'looks')
}
