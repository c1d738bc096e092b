// The tables as Kysely sees them. Columns are text, integer and blob only, so that every engine holds the same values: flags are
// 0 or 1, lists are JSON text. Times that are only shown are ISO 8601 text in UTC (repositories, api_keys); those that are compared
// are integers, milliseconds since 1970 (all the rest).

type RepositoriesTable = {
  /** A UUID. */
  id: string
  org: string
  name: string
  created_at: string
}

type ApiKeysTable = {
  /** The public part of the key: 16 hexadecimal digits. */
  id: string
  org: string
  role: 'reader' | 'admin'
  /** Names of the repositories that the key is limited to, as a JSON list; null means all of the organisation. */
  repos: string | null
  /** SHA-256 of the secret part. */
  secret_hash: Uint8Array
  created_at: string
  revoked_at: string | null
}

/** The head of a branch as it was seen last. */
type HeadsTable = {
  repo_id: string
  branch: string
  snapshot_id: string
  /** Number of the event that brought it here, from 1. */
  sequence: number
  moved_at: number
}

/** Who is told, and the line in which the deliveries to it wait. */
export type ConfigurationsTable = {
  /** A UUID. */
  id: string
  repo_id: string
  kind: 'webhook' | 'chat'
  /** Unique in the repository. */
  alias: string
  url: string
  /** `host:port` of the URL. */
  origin: string
  service: 'slack' | 'mattermost' | 'discord' | 'teams' | null
  /** Names of events, as a JSON list. */
  events: string
  secret_token: string | null
  /** `whsec_...`, newest first, as a JSON list. */
  signing_secrets: string
  /** 1 when it comes from the configuration file. */
  is_declared: 0 | 1
  is_enabled: 0 | 1
  disabled_reason: string | null
  created_at: number
  updated_at: number
  last_success_at: number | null
  failing_since: number | null
  /** When the line is to be looked at: its first delivery is due, or the lease on it has ended. Null when nothing waits. */
  due_at: number | null
  /** Whose turn it is to deliver; another one has lost it. At most one delivery of a line is under way. */
  lease_token: string | null
}

/** What happened, with the bytes that receivers get. */
type EventsTable = {
  /** A UUID. */
  id: string
  repo_id: string
  branch: string
  /** Counted per branch, from 1. */
  sequence: number
  name: string
  payload: string
  /** What is written to chats. */
  line: string
  created_at: number
}

/** One event for one configuration. */
type DeliveriesTable = {
  /** A UUID, sent as `webhook-id`. */
  id: string
  event_id: string
  configuration_id: string
  /** `discarded`: left out when the configuration was enabled again. */
  state: 'pending' | 'delivered' | 'dead' | 'discarded'
  /** Place in the line: the event's sequence, or 0 for a redelivery, which goes first. Null when it does not wait. */
  turn: number | null
  /** Not before this, once it is first in the line. Null means at once. */
  due_at: number | null
  /** Attempts that were finished. */
  attempts: number
}

type AttemptsTable = {
  delivery_id: string
  /** From 1. */
  number: number
  started_at: number
  duration_ms: number
  /** Status of the answer, null when there was none. */
  status: number | null
  error: string | null
  response_excerpt: string | null
}

/** What Floe remembers. */
export type Tables = {
  repositories: RepositoriesTable
  api_keys: ApiKeysTable
  heads: HeadsTable
  configurations: ConfigurationsTable
  events: EventsTable
  deliveries: DeliveriesTable
  attempts: AttemptsTable
}
