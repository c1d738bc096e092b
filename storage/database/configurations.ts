// Who is told about the events of a repository. A configuration is also a line: its deliveries wait behind each other, and
// while it is disabled all of them are held.
import type { Selectable } from 'kysely'
import { lockRows } from './engine.ts'
import { wakeLine } from './lines.ts'
import type { Database } from './open-database.ts'
import type { ConfigurationsTable } from './tables.ts'

/** What a receiver gets: the payload, or a line of text. */
export type ConfigurationKind = 'webhook' | 'chat'

/** The chats whose bodies are known. */
export type ChatService = 'slack' | 'mattermost' | 'discord' | 'teams'

/** The events that can be selected. */
export type EventName = 'NewCommit'

/** A receiver of notifications. */
export type Configuration = {
  readonly id: string
  readonly repoId: string
  readonly kind: ConfigurationKind
  /** Unique in the repository. */
  readonly alias: string
  readonly url: string
  /** Null for webhooks. */
  readonly service: ChatService | null
  readonly events: readonly EventName[]
  /** Sent as `X-Secret-Token`. */
  readonly secretToken: string | null
  /** `whsec_` and base64, newest first; empty for chats. */
  readonly signingSecrets: readonly string[]
  readonly isEnabled: boolean
  /** Why it is disabled; null while it is enabled. */
  readonly disabledReason: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly lastSuccessAt: Date | null
  /** First failure since the last success. */
  readonly failingSince: Date | null
}

/** What becomes of held deliveries when a configuration is enabled again; those left out are discarded. */
export type Resume = 'all' | 'latest' | 'none'

/** Ids of the repositories that have an enabled configuration. */
export async function listRepositoriesWithReceivers(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('configurations').select('repo_id').distinct().where('is_enabled', '=', 1).execute()
  return new Set(rows.map((row) => row.repo_id))
}

/** All configurations of a repository, oldest first. */
export async function listConfigurations(db: Database, repoId: string): Promise<Configuration[]> {
  const query = db.selectFrom('configurations').selectAll().where('repo_id', '=', repoId)
  return (await query.orderBy('created_at').orderBy('id').execute()).map(toConfiguration)
}

/** Stops its deliveries at once; one under way is still recorded. False when there is no enabled one with this id. */
export async function disableConfiguration(db: Database, id: string, reason: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('configurations')
    .set({ is_enabled: 0, disabled_reason: reason, updated_at: now.getTime() })
    .where('id', '=', id)
    .where('is_enabled', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Enables a configuration; held deliveries that `resume` keeps are due at once. False when there is no disabled one with this id. */
export async function enableConfiguration(db: Database, id: string, resume: Resume, now: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const query = tx.selectFrom('configurations').select('id').where('id', '=', id).where('is_enabled', '=', 0)
    if ((await lockRows(tx, query).executeTakeFirst()) === undefined) return false
    await enable(tx, id, resume, now)
    return true
  })
}

/** As {@link enableConfiguration}, within a transaction that has locked the row. */
export async function enable(tx: Database, id: string, resume: Resume, now: Date): Promise<void> {
  const held = tx.updateTable('deliveries').where('configuration_id', '=', id).where('state', '=', 'pending')
  if (resume !== 'all') {
    const latest = tx
      .selectFrom('deliveries')
      .select((eb) => eb.fn.max('turn').as('turn'))
      .where('configuration_id', '=', id)
      .where('state', '=', 'pending')
    await held
      .set({ state: 'discarded', turn: null, due_at: null })
      .$if(resume === 'latest', (update) => update.where('turn', '<', latest))
      .execute()
  }
  await held.set({ due_at: null }).execute()
  await tx
    .updateTable('configurations')
    .set({ is_enabled: 1, disabled_reason: null, failing_since: null, updated_at: now.getTime() })
    .where('id', '=', id)
    .execute()
  await wakeLine(tx, id, now)
}

/** A row as a configuration. */
export function toConfiguration(row: Selectable<ConfigurationsTable>): Configuration {
  return {
    id: row.id,
    repoId: row.repo_id,
    kind: row.kind,
    alias: row.alias,
    url: row.url,
    service: row.service,
    // Lists are written by this directory alone.
    events: JSON.parse(row.events) as EventName[],
    secretToken: row.secret_token,
    signingSecrets: JSON.parse(row.signing_secrets) as string[],
    isEnabled: row.is_enabled === 1,
    disabledReason: row.disabled_reason,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    lastSuccessAt: dateOf(row.last_success_at),
    failingSince: dateOf(row.failing_since),
  }
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}
