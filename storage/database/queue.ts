// The line of a configuration: which deliveries wait, and when the first of them is due. Whoever changes either keeps `due_at` of the
// configuration true with these.
import { sql } from 'kysely'
import type { Database } from './open-database.ts'

/** What becomes of held deliveries when a configuration is enabled again; those left out are discarded. */
export type Resume = 'all' | 'latest' | 'none'

/** As a configuration is enabled: held deliveries that `resume` keeps are due at once. Its row is locked. */
export async function resumeLine(tx: Database, configurationId: string, resume: Resume, now: Date): Promise<void> {
  const held = tx
    .updateTable('deliveries')
    .where('configuration_id', '=', configurationId)
    .where('state', '=', 'pending')
    .where('turn', 'is not', null)
  if (resume !== 'all') {
    const latest = tx
      .selectFrom('deliveries')
      .select((eb) => eb.fn.max('turn').as('turn'))
      .where('configuration_id', '=', configurationId)
      .where('state', '=', 'pending')
    await held
      .set({ state: 'discarded', turn: null, due_at: null })
      .$if(resume === 'latest', (update) => update.where('turn', '<', latest))
      .execute()
  }
  await held.set({ due_at: null }).execute()
  await wakeLine(tx, configurationId, now)
}

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
