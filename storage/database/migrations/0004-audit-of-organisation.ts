import type { Kysely } from 'kysely'

/** Adds the index for reading the audit of an organisation, newest first. Never edited after release: a change is a new migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('audit_of_organisation').on('audit').columns(['org', 'at', 'id']).execute()
}
