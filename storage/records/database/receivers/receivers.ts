// Receivers get notifications about the events of a repository, or of all repositories of an organisation. Deliveries
// wait in queues, one for each receiver and repository. While a receiver is disabled, its deliveries are held.
import type { ChatService, EventFilter, ReceiverKind } from '@floe/contract/lists'
import type { Selectable } from 'kysely'
import { readFilter } from '../../event-filter.ts'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import type { ReceiversTable } from '../notification-tables.ts'
import { toDate } from '../to-date.ts'
import { isPending } from './queue.ts'

/** A receiver of notifications. Its secrets are sealed; `openReceiver` opens them. */
export type Receiver = {
  readonly id: string
  readonly org: string
  /** Null for a receiver of the organisation. */
  readonly repoId: string | null
  readonly kind: ReceiverKind
  /** Unique in the repository, or among the receivers of the organisation. */
  readonly alias: string
  /** Sealed, because its path is often a secret. */
  readonly url: string
  /** `host:port` of the URL. */
  readonly origin: string
  /** Null for webhooks. */
  readonly service: ChatService | null
  /** What it gets, when and how: its settings. */
  readonly filter: EventFilter
  /** Sealed; sent as `X-Secret-Token`. */
  readonly secretToken: string | null
  /** Headers that a webhook adds to its requests. The values are sealed. */
  readonly headers: OwnHeaders
  /** Newest first; empty for chats. */
  readonly signingSecrets: readonly SigningSecret[]
  /** Whether the configuration file declares it. */
  readonly isDeclared: boolean
  readonly isEnabled: boolean
  /** Why it is disabled; null while it is enabled. */
  readonly disabledReason: string | null
  /** From 1. Each change by an administrator increments it, and so does disabling the receiver. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly lastSuccessAt: Date | null
  /** Time of the first failure since the last success; null when there was none. */
  readonly failingSince: Date | null
  /** The last failed attempt since the last success; null when there was none. */
  readonly lastFailure: LastFailure | null
  /** Whether a notice that it fails was due since its last success. */
  readonly isFailureNoticed: boolean
}

/** Status of the answer, null when there was none, and why the attempt failed. */
export type LastFailure = { readonly status: number | null; readonly error: string }

/** Values of headers by name. */
export type OwnHeaders = Readonly<Record<string, string>>

/** A secret that signs a webhook's requests. */
export type SigningSecret = {
  readonly sealed: string
  /** When it stops signing; null until it is replaced. */
  readonly until: Date | null
  /** Whether the configuration file declares it and it has not been replaced. */
  readonly isDeclared: boolean
}

/** What has receivers: a repository, or an organisation, whose `repoId` is null. */
export type ReceiverOwner = Pick<Receiver, 'org' | 'repoId'>

export type ReceiverAddress = ReceiverOwner & Pick<Receiver, 'id'>

export async function listReceivers(db: Database, owner: ReceiverOwner): Promise<Receiver[]> {
  return (await selectOwned(db, owner).orderBy('created_at').orderBy('id').execute()).map(toReceiver)
}

export async function listAllReceivers(
  db: Database,
): Promise<readonly { readonly org: string; readonly repo: string | null; readonly receiver: Receiver }[]> {
  const rows = await db
    .selectFrom('receivers')
    .leftJoin('repositories', 'repositories.id', 'repo_id')
    .selectAll('receivers')
    .select('name')
    .orderBy('receivers.org')
    .orderBy('name')
    .orderBy('alias')
    .execute()
  return rows.map(({ name, ...row }) => ({ org: row.org, repo: name, receiver: toReceiver(row) }))
}

/** Lists receivers that fail, or were disabled because they failed, with their repositories. Longest first. */
export async function listTroubledReceivers(
  db: Database,
  limit: number,
): Promise<readonly { readonly repo: string | null; readonly receiver: Receiver }[]> {
  const rows = await db
    .selectFrom('receivers')
    .leftJoin('repositories', 'repositories.id', 'repo_id')
    .selectAll('receivers')
    .select('name')
    .where('failing_since', 'is not', null)
    .where((eb) => eb.or([eb('disabled_reason', 'is', null), eb('disabled_reason', '<>', byAdministrator)]))
    .orderBy('failing_since')
    .orderBy('receivers.id')
    .limit(limit)
    .execute()
  return rows.map(({ name, ...row }) => ({ repo: name, receiver: toReceiver(row) }))
}

export async function findReceiver(db: Database, address: ReceiverAddress): Promise<Receiver | undefined> {
  const row = await selectReceiver(db, address).executeTakeFirst()
  return row && toReceiver(row)
}

export function selectReceiver(db: Database, { id, ...owner }: ReceiverAddress) {
  return selectOwned(db, owner).where('id', '=', id)
}

/** Selects the receivers of an owner. */
export function selectOwned(db: Database, { org, repoId }: ReceiverOwner) {
  const query = db.selectFrom('receivers').selectAll().where('org', '=', org)
  return query.where('repo_id', repoId === null ? 'is' : '=', repoId)
}

/** Counts the held deliveries by the id of their receiver; receivers without any are omitted. */
export async function countHeld(db: Database, receiverIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('receivers')
    .innerJoin('undelivered', 'receiver_id', 'receivers.id')
    .select((eb) => ['receiver_id', eb.fn.countAll<number>().as('held')])
    .where(isOneOf(db, 'receivers.id', receiverIds))
    .where('is_enabled', '=', 0)
    // The index of queues can count them even when there are very many.
    .where(isPending)
    .groupBy('receiver_id')
    .execute()
  return new Map(rows.map((row) => [row.receiver_id, row.held]))
}

export const enabledColumns = {
  is_enabled: 1,
  disabled_reason: null,
  failing_since: null,
  last_failure: null,
  is_failure_noticed: 0,
} as const

/** Why a receiver is disabled that has not failed. */
const byAdministrator = 'disabled by an administrator'

export const disabledColumns = { is_enabled: 0, disabled_reason: byAdministrator } as const

export type ReceiverRow = Selectable<ReceiversTable>

export function toReceiver(row: ReceiverRow): Receiver {
  return {
    id: row.id,
    org: row.org,
    repoId: row.repo_id,
    kind: row.kind,
    alias: row.alias,
    url: row.url,
    origin: row.origin,
    service: row.service,
    filter: readFilter(row.filter),
    secretToken: row.secret_token,
    headers: parseHeaders(row.headers),
    signingSecrets: parseSigningSecrets(row.signing_secrets),
    isDeclared: row.is_declared === 1,
    isEnabled: row.is_enabled === 1,
    disabledReason: row.disabled_reason,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    lastSuccessAt: toDate(row.last_success_at),
    failingSince: toDate(row.failing_since),
    // Only `recordReceiverHealth` writes this column.
    lastFailure: row.last_failure === null ? null : (JSON.parse(row.last_failure) as LastFailure),
    isFailureNoticed: row.is_failure_noticed === 1,
  }
}

/** Reads a column with a list of patterns. */
export function parsePatterns(text: string): readonly string[] {
  return JSON.parse(text) as string[] // written with JSON.stringify
}

function parseHeaders(text: string): OwnHeaders {
  // Only `sealHeaders` and `resealReceiver` write this column.
  return JSON.parse(text) as OwnHeaders
}

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
  // Only formatSigningSecrets writes this column.
  const secrets = JSON.parse(text) as { sealed: string; until: number | null; isDeclared?: true }[]
  return secrets.map(({ sealed, until, isDeclared = false }) => ({ sealed, until: toDate(until), isDeclared }))
}
