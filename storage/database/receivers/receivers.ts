// Who is told about the events of a repository. A configuration is also a line: its deliveries wait behind each other, and
// while it is disabled all of them are held.
import type { Selectable } from 'kysely'
import type { Database } from '../open-database.ts'
import type { ConfigurationsTable } from '../tables.ts'

/** What a receiver gets: the payload, or a line of text. */
export type ConfigurationKind = 'webhook' | 'chat'

/** The chats whose bodies are known. */
export type ChatService = 'slack' | 'mattermost' | 'discord' | 'teams'

/** The events that can be selected. */
export type EventName = 'NewCommit'

/** A receiver of notifications. Its secrets are sealed; `openReceiver` opens them. */
export type Configuration = {
  readonly id: string
  readonly repoId: string
  readonly kind: ConfigurationKind
  /** Unique in the repository. */
  readonly alias: string
  /** Sealed for chats, whose URL is a secret. */
  readonly url: string
  /** `host:port` of the URL. */
  readonly origin: string
  /** Null for webhooks. */
  readonly service: ChatService | null
  readonly events: readonly EventName[]
  /** Sealed; sent as `X-Secret-Token`. */
  readonly secretToken: string | null
  /** Newest first; empty for chats. */
  readonly signingSecrets: readonly SigningSecret[]
  /** Stands in the configuration file. */
  readonly isDeclared: boolean
  readonly isEnabled: boolean
  /** Why it is disabled; null while it is enabled. */
  readonly disabledReason: string | null
  /** From 1; another one after each change of what people set, and when it is disabled. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly lastSuccessAt: Date | null
  /** First failure since the last success. */
  readonly failingSince: Date | null
}

/** What a webhook's requests are signed with. */
export type SigningSecret = {
  readonly sealed: string
  /** When it ends; null while it has not been replaced. */
  readonly until: Date | null
  /** Stands in the configuration file, and has not been replaced there. */
  readonly isDeclared: boolean
}

/** Where a configuration is found. */
export type ConfigurationAddress = Pick<Configuration, 'repoId' | 'kind' | 'id'>

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

/** The configuration at an address, or undefined. */
export async function findConfiguration(
  db: Database,
  address: ConfigurationAddress,
): Promise<Configuration | undefined> {
  const row = await selectConfiguration(db, address).executeTakeFirst()
  return row && toConfiguration(row)
}

/** The row at an address. */
export function selectConfiguration(db: Database, { repoId, kind, id }: ConfigurationAddress) {
  const query = db.selectFrom('configurations').selectAll().where('id', '=', id)
  return query.where('repo_id', '=', repoId).where('kind', '=', kind)
}

/** How many deliveries are held, by the id of their configuration. Those that hold none are left out. */
export async function countHeld(
  db: Database,
  configurationIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (configurationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('configurations')
    .innerJoin('deliveries', 'configuration_id', 'configurations.id')
    .select((eb) => ['configuration_id', eb.fn.countAll<number>().as('held')])
    .where('configurations.id', 'in', configurationIds)
    .where('is_enabled', '=', 0)
    .where('state', '=', 'pending')
    .where('turn', 'is not', null)
    .groupBy('configuration_id')
    .execute()
  return new Map(rows.map((row) => [row.configuration_id, row.held]))
}

/** A row as a configuration. */
export function toConfiguration(row: Selectable<ConfigurationsTable>): Configuration {
  return {
    id: row.id,
    repoId: row.repo_id,
    kind: row.kind,
    alias: row.alias,
    url: row.url,
    origin: row.origin,
    service: row.service,
    // Lists are written by this directory alone.
    events: JSON.parse(row.events) as EventName[],
    secretToken: row.secret_token,
    signingSecrets: parseSigningSecrets(row.signing_secrets),
    isDeclared: row.is_declared === 1,
    isEnabled: row.is_enabled === 1,
    disabledReason: row.disabled_reason,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    lastSuccessAt: dateOf(row.last_success_at),
    failingSince: dateOf(row.failing_since),
  }
}

/** Signing secrets as their column holds them. */
export function formatSigningSecrets(secrets: readonly SigningSecret[]): string {
  return JSON.stringify(
    secrets.map(({ sealed, until, isDeclared }) => ({
      sealed,
      until: until?.getTime() ?? null,
      ...(isDeclared && { isDeclared }),
    })),
  )
}

function parseSigningSecrets(text: string): SigningSecret[] {
  // Written by formatSigningSecrets alone.
  const secrets = JSON.parse(text) as { sealed: string; until: number | null; isDeclared?: true }[]
  return secrets.map(({ sealed, until, isDeclared = false }) => ({ sealed, until: dateOf(until), isDeclared }))
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}
