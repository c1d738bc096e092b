// Records which repositories cannot be read, so that each change causes one notice, whichever process sees it.
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { type DescribeNotice, lockRepository, recordNotices } from './record-notice.ts'
import { transact } from '../transact.ts'

/** Returns the ids of the repositories that are recorded as unreadable. */
export async function listUnreadable(db: Database, repoIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('repositories')
    .select('id')
    .where(isOneOf(db, 'id', repoIds))
    .where('unreadable_since', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Lists since when repositories cannot be read, by name; those that can be read are omitted. */
export async function listUnreadableNames(
  db: Database,
  org: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom('repositories')
    .select(['name', 'unreadable_since'])
    .where('org', '=', org)
    .where(isOneOf(db, 'name', names))
    .execute()
  return new Map(
    rows.flatMap(({ name, unreadable_since: since }) => (since === null ? [] : [[name, new Date(since)] as const])),
  )
}

export type UnreadableRepository = { readonly org: string; readonly name: string; readonly since: number }

/** Lists repositories of all organisations that cannot be read, longest first. */
export function listAllUnreadable(db: Database, limit: number): Promise<UnreadableRepository[]> {
  return db
    .selectFrom('repositories')
    .select(['org', 'name'])
    .select((eb) => eb.ref('unreadable_since').$notNull().as('since'))
    .where('unreadable_since', 'is not', null)
    .orderBy('unreadable_since')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Since when a repository cannot be read, and why: `reason` is the code of the problem. */
export type ReadFailure = { readonly since: Date; readonly reason: string }

/**
 * Records that a repository cannot be read, or, if `failure` is null, that it can be read again, each with a notice.
 * Does nothing if that is recorded already.
 */
export async function recordReadability(
  db: Database,
  { repoId, failure }: { readonly repoId: string; readonly failure: ReadFailure | null },
  describe: DescribeNotice,
  now: Date,
): Promise<void> {
  await transact(db, async (tx) => {
    const repository = await lockRepository(tx, repoId)
    if (repository === undefined) return
    const { unreadable_since: before } = repository
    if ((before === null) === (failure === null)) return
    const change = { unreadable_since: failure?.since.getTime() ?? null }
    await tx.updateTable('repositories').set(change).where('id', '=', repoId).execute()
    const notice =
      failure === null
        ? ({ name: 'RepositoryBack', since: new Date(before ?? 0) } as const)
        : ({ name: 'RepositoryUnreadable', ...failure } as const)
    await recordNotices(tx, [{ ...repository, ...notice }], describe, now)
  })
}
