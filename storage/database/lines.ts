// The line of a configuration: which deliveries wait, and when the first of them is due. Whoever changes either keeps `due_at` of the
// configuration true with these.
import { sql } from 'kysely'
import type { Database } from './open-database.ts'

/** After a change of the deliveries that wait. A line from which one is being delivered is left alone: its holder releases it. */
export async function wakeLine(tx: Database, configurationId: string, now: Date): Promise<void> {
  await tx
    .updateTable('configurations')
    .set({ lease_token: null, due_at: firstDue(now) })
    .where('id', '=', configurationId)
    .where((eb) => eb.or([eb('lease_token', 'is', null), eb('due_at', '<=', now.getTime())]))
    .execute()
}

/** Gives the lines back after an attempt. Their next deliveries go behind those of other lines that are due. */
export async function releaseLines(tx: Database, configurationIds: readonly string[], now: Date): Promise<void> {
  await tx
    .updateTable('configurations')
    .set({ lease_token: null, due_at: firstDue(now) })
    .where('id', 'in', configurationIds)
    .execute()
}

function firstDue(now: Date) {
  return sql<number | null>`(
    select coalesce(due_at, ${now.getTime()}) from deliveries
    where configuration_id = configurations.id and turn is not null order by turn limit 1
  )`
}
