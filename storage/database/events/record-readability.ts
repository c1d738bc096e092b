// Records which repositories cannot be read, so that each change causes one notice, whichever process sees it.
import { isOneOf } from '../engine.ts'
import type { Database } from '../open-database.ts'
import { type DescribeNotice, lockRepository, recordNotice } from './record-notice.ts'

/** Returns those of the repositories that are recorded as unreadable. */
export async function listUnreadable(db: Database, repoIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('repositories')
    .select('id')
    .where(isOneOf(db, 'id', repoIds))
    .where('unreadable_since', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Records that a repository cannot be read, with its notice, unless that was recorded before. */
export async function recordUnreadable(
  db: Database,
  { repoId, since, reason }: { readonly repoId: string; readonly since: Date; readonly reason: string },
  describe: DescribeNotice,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const repository = await lockRepository(tx, repoId)
    if (repository === undefined || repository.unreadable_since !== null) return
    await setUnreadable(tx, repoId, since)
    await recordNotice(tx, { ...repository, name: 'RepositoryUnreadable', since, reason }, describe, now)
  })
}

/** Records that a repository can be read again, with its notice, if it was recorded as unreadable. */
export async function recordReadable(db: Database, repoId: string, describe: DescribeNotice, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const repository = await lockRepository(tx, repoId)
    if (repository === undefined || repository.unreadable_since === null) return
    await setUnreadable(tx, repoId, null)
    const since = new Date(repository.unreadable_since)
    await recordNotice(tx, { ...repository, name: 'RepositoryBack', since }, describe, now)
  })
}

async function setUnreadable(tx: Database, repoId: string, since: Date | null): Promise<void> {
  const change = { unreadable_since: since?.getTime() ?? null }
  await tx.updateTable('repositories').set(change).where('id', '=', repoId).execute()
}
