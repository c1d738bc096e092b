// What takes heads out of the index of search, so that they are indexed from scratch or not at all.
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { transact } from '../transact.ts'
import { isSearched } from './index-heads.ts'

/** What makes a head due at once, for indexing from scratch. A replica that is indexing it cannot finish. */
export const fromScratch = { indexed_snapshot_id: '', index_due_at: 0, index_leased_by: null } as const

/**
 * Records the metadata of a repository, as JSON, and has its heads indexed again, because their datasets inherit it.
 * Does nothing if another process has changed it meanwhile: that has read the repository later.
 */
export async function recordMetadata(
  db: Database,
  repoId: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<void> {
  await transact(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('repositories')
      .set({ metadata: to })
      .where('id', '=', repoId)
      .where('metadata', from === null ? 'is' : '=', from)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await tx.updateTable('heads').set(fromScratch).where('repo_id', '=', repoId).execute()
  })
}

/** Marks heads for indexing from scratch: of all repositories, or of some. Returns the number of repositories. */
export async function forgetIndex(
  db: Database,
  { org, repos }: { readonly org?: string | undefined; readonly repos?: readonly string[] | undefined },
): Promise<number> {
  const repositories = db
    .selectFrom('repositories')
    .select('id')
    .$if(org !== undefined, (query) => query.where('org', '=', org ?? ''))
    .$if(repos !== undefined, (query) => query.where(isOneOf(db, 'name', repos ?? [])))
  return transact(db, async (tx) => {
    // The datasets stay findable until they are indexed again.
    const shards = tx.selectFrom('search_shards').select('id').where('repo_id', 'in', repositories)
    await tx.updateTable('search_datasets').set({ fingerprint: '' }).where('shard', 'in', shards).execute()
    const heads = await tx
      .updateTable('heads')
      .set({ ...fromScratch, index_failures: 0, index_problem: null })
      .where('repo_id', 'in', repositories)
      .returning('repo_id')
      .execute()
    return new Set(heads.map(({ repo_id }) => repo_id)).size
  })
}

/**
 * Removes the datasets of branches that are no longer indexed, because the setting has changed, and those that have
 * another form than the index has now. The latter are indexed again.
 */
export async function removeOutdated(db: Database, branches: readonly string[], form: number): Promise<void> {
  const heads = await db
    .selectFrom('heads')
    .select(['repo_id', 'branch'])
    .where((eb) => eb.or([eb.not(isSearched(db, branches)), eb('index_form', '<>', form)]))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('search_shards')
          .select('id')
          .whereRef('search_shards.repo_id', '=', 'heads.repo_id')
          .whereRef('search_shards.branch', '=', 'heads.branch'),
      ),
    )
    .execute()
  for (const { repo_id: repoId, branch } of heads) {
    await transact(db, async (tx) => {
      await removeBranches(tx, repoId, [branch])
      await tx
        .updateTable('heads')
        .set(fromScratch)
        .where('repo_id', '=', repoId)
        .where('branch', '=', branch)
        .execute()
    })
  }
}

/** Removes the datasets of branches from the index. */
export async function removeBranches(tx: Database, repoId: string, branches: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('search_shards')
    .where('repo_id', '=', repoId)
    .where(isOneOf(tx, 'branch', branches))
    .execute()
}
