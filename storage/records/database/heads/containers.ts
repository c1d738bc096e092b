// The virtual chunk containers that repositories declare, recorded with the heads of `main`.
import { sql } from 'kysely'
import { bytewise, isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'

/** Recorded for a repository whose containers cannot be read. */
export const unreadableContainers = 'null'

/** Recorded for a repository that declares none. */
const noContainers = '[]'

/** Records the containers of a repository, as a JSON list, or {@link unreadableContainers}. */
export async function recordContainers(db: Database, repoId: string, containers: string): Promise<void> {
  await db.updateTable('heads').set({ containers }).where('repo_id', '=', repoId).where('branch', '=', 'main').execute()
}

/** Selects the recorded containers of these repositories, and of no others. */
function selectKnown(db: Database, org: string, names: readonly string[]) {
  return db
    .selectFrom('repositories')
    .innerJoin('heads', 'repo_id', 'repositories.id')
    .where('repositories.org', '=', org)
    .where(isOneOf(db, 'name', names))
    .where('branch', '=', 'main')
    .where('containers', '<>', unreadableContainers)
}

/** Counts those of these repositories whose containers are known. */
export async function countKnownContainers(db: Database, org: string, names: readonly string[]): Promise<number> {
  const { count } = await selectKnown(db, org, names)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The containers that a repository declares: the recorded JSON list. */
export type DeclaredContainers = { readonly name: string; readonly containers: string }

/**
 * Lists those of these repositories that declare containers, by the bytes of their names: at most `limit`, after one of
 * them; `''` begins with the first.
 */
export async function listContainers(
  db: Database,
  org: string,
  { names, after, limit }: { readonly names: readonly string[]; readonly after: string; readonly limit: number },
): Promise<readonly DeclaredContainers[]> {
  const name = bytewise(db, sql`repositories.name`)
  return selectKnown(db, org, names)
    .select(['name', sql<string>`containers`.as('containers')])
    .where('containers', '<>', noContainers)
    .where(sql<boolean>`${name} > ${after}`)
    .orderBy(name)
    .limit(limit)
    .execute()
}
