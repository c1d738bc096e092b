import type { Kysely } from 'kysely'

/**
 * Adds the indexes for the API keys of an organisation, and for those that were made with a key. Never edited after release: a change is a
 * new migration.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('api_keys_of_organisation').on('api_keys').columns(['org', 'created_at', 'id']).execute()
  await db.schema.createIndex('api_keys_of_maker').on('api_keys').column('created_by').execute()
}
