// The virtual chunk containers that repositories declare, recorded with the heads of `main`.
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'

/** Recorded for a repository whose containers cannot be read. */
export const unreadableContainers = 'null'

/** Records the containers of a repository, as a JSON list, or {@link unreadableContainers}. */
export async function recordContainers(db: Database, repoId: string, containers: string): Promise<void> {
  await db.updateTable('heads').set({ containers }).where('repo_id', '=', repoId).where('branch', '=', 'main').execute()
}

/** What is known of the containers of some repositories. */
export type KnownContainers = {
  /** Those that declare some, by name: the recorded JSON list. */
  readonly declared: ReadonlyMap<string, string>
  /** Number of repositories of which they are known. */
  readonly known: number
}

/** Lists the recorded containers of these repositories. Reads the rows of no others. */
export async function listContainers(db: Database, org: string, names: readonly string[]): Promise<KnownContainers> {
  const rows = await db
    .selectFrom('repositories')
    .innerJoin('heads', 'repo_id', 'repositories.id')
    .select(['name', 'containers'])
    .where('repositories.org', '=', org)
    .where(isOneOf(db, 'name', names))
    .where('branch', '=', 'main')
    .execute()
  const known = rows.flatMap(({ name, containers }) =>
    containers === null || containers === unreadableContainers ? [] : [[name, containers] as const],
  )
  return { declared: new Map(known.filter(([, containers]) => containers !== '[]')), known: known.length }
}
