// Writes rows of `expectations`, with their documents.
import type { Selectable } from 'kysely'
import type { Database } from '../open-database.ts'
import type { ExpectationsTable } from '../tables.ts'
import type { Expectation, NewExpectation } from './expectation.ts'
import { toExpectation } from './read-expectations.ts'

/** Whose expectation it is; `declared_key`: see `declared-expectations.ts`. */
type NewRow = Pick<Selectable<ExpectationsTable>, 'id' | 'org' | 'repo_id' | 'declared_key'>

export async function insertExpectation(
  tx: Database,
  row: NewRow,
  added: NewExpectation,
  now: Date,
): Promise<Expectation> {
  const at = now.getTime()
  const inserted = await tx
    .insertInto('expectations')
    .values({ ...row, ...writeColumns(added), created_at: at, updated_at: at })
    .returningAll()
    .executeTakeFirstOrThrow()
  await saveDocument(tx, row.id, added)
  return toExpectation(inserted)
}

/** Saves other settings of an expectation under its next version. */
export async function saveExpectation(
  tx: Database,
  { id, version }: Pick<Expectation, 'id' | 'version'>,
  after: NewExpectation,
  now: Date,
): Promise<Expectation> {
  const row = await tx
    .updateTable('expectations')
    .set({ ...writeColumns(after), version: version + 1, updated_at: now.getTime() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await saveDocument(tx, id, after)
  return toExpectation(row)
}

function writeColumns({ repos, withinMs, remindMs, settings, document: _, ...others }: NewExpectation) {
  const times = { within_ms: withinMs, remind_ms: remindMs }
  return { ...others, ...times, repos: repos && JSON.stringify(repos), settings: JSON.stringify(settings) }
}

async function saveDocument(tx: Database, id: string, { document }: NewExpectation): Promise<void> {
  if (document === null) return
  await tx
    .insertInto('expectation_documents')
    .values({ expectation_id: id, document })
    .onConflict((conflict) => conflict.column('expectation_id').doUpdateSet({ document }))
    .execute()
}
