import type { Kysely } from 'kysely'

/**
 * Renames the table of webhooks and chats to `receivers`, and the column and indexes about it. Never edited after release: a change is a
 * new migration.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('configurations').renameTo('receivers').execute()
  await db.schema.alterTable('deliveries').renameColumn('configuration_id', 'receiver_id').execute()
  for (const name of ['configurations_due', 'deliveries_line', 'deliveries_of_configuration']) {
    await db.schema.dropIndex(name).execute()
  }
  await db.schema.createIndex('receivers_due').on('receivers').column('due_at').execute()
  await db.schema
    .createIndex('deliveries_queue')
    .on('deliveries')
    .columns(['receiver_id', 'turn'])
    // The type of the table is not known here, so neither is its column.
    .where('turn' as never, 'is not', null)
    .execute()
  await db.schema
    .createIndex('deliveries_of_receiver')
    .on('deliveries')
    .columns(['receiver_id', 'created_at', 'id'])
    .execute()
}
