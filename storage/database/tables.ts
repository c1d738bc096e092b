// The tables for Kysely, and the values of their columns. Columns are text, integer or blob, so that both engines store the same values:
// flags are 0 or 1, lists are JSON text. Times are milliseconds since 1970, except `created_at` and `revoked_at` of repositories and
// api_keys, which are ISO 8601 text in UTC.
import type { Generated } from 'kysely'

/** What an API key allows: `reader` reads metadata, `admin` also administers. */
export type Role = 'reader' | 'admin'

/** A webhook gets the payload, a chat one line of text. */
export type ReceiverKind = 'webhook' | 'chat'

/** The chat services that Floe can write to. */
export type ChatService = 'slack' | 'mattermost' | 'discord' | 'teams' | 'googlechat' | 'rocketchat'

export type EventName =
  | 'NewCommit'
  | 'BranchCreated'
  | 'BranchDeleted'
  | 'TagCreated'
  | 'TagDeleted'
  | 'ReceiverDisabled'
  | 'ReceiverFailing'
  | 'RepositoryUnreadable'
  | 'RepositoryBack'

/** The state of a delivery. `discarded`: dropped when its receiver was enabled again. */
export type StoredDeliveryState = 'pending' | 'delivered' | 'dead' | 'discarded'

type RepositoriesTable = {
  id: string
  org: string
  name: string
  created_at: string
  /** The {@link WatchedSelection} that the recorded heads and tags follow, as JSON; null for `main` alone. */
  watched: Generated<string | null>
  /** Since when it cannot be read, if a notice was due; else null. */
  unreadable_since: Generated<number | null>
}

/** Scanned locations. `changes` counts the changes of their names. */
type SourcesTable = { id: string; changes: number }

/** The repositories that scans of a source have found. */
type SourceNamesTable = {
  source_id: string
  name: string
  /** Number of the change that was the last of this name. */
  changed: number
  /** 1 when a later scan did not find it. */
  is_gone: 0 | 1
}

export type ApiKeysTable = {
  /** The public part of the key: 16 hexadecimal digits. */
  id: string
  org: string
  /** Name for people. Null when it was given none. */
  name: string | null
  role: Role
  repos: string | null
  /** SHA-256 of the whole text of the key. */
  secret_hash: Uint8Array
  created_at: string
  revoked_at: string | null
  /** Milliseconds since 1970; null when it does not expire. */
  expires_at: number | null
  last_used_at: number | null
  created_by: string | null
  is_declared: Generated<0 | 1>
  /** 1 for the key that the configuration declares for the first administrator. */
  is_bootstrap: Generated<0 | 1>
}

type HeadsTable = {
  repo_id: string
  branch: string
  snapshot_id: string
  sequence: number
  moved_at: number
  format_version: Generated<number | null>
  /** The commit of the head. `written_at` is null until the commit is recorded. */
  message: Generated<string | null>
  author: Generated<string | null>
  written_at: Generated<number | null>
  /** The snapshot that search knows; empty before the first. */
  indexed_snapshot_id: Generated<string>
  /** When the head may be indexed, if it is not. A process that indexes it moves this on, as its lease. */
  index_due_at: Generated<number>
  /** Failed attempts since it was last indexed. */
  index_failures: Generated<number>
  /** Why the last attempt failed; null when it did not. */
  index_problem: Generated<string | null>
  /** Datasets that were left out, because there are too many. */
  index_omitted: Generated<number>
  /** 1 when the repository was not found, so that it has no datasets in the index. */
  index_is_gone: Generated<0 | 1>
}

/** Words and values of an organisation's datasets. `kind` is one of `termKinds`. */
type SearchTermsTable = { id: Generated<number>; org: string; kind: number; value: string }

type SearchDatasetsTable = {
  id: Generated<number>
  repo_id: string
  branch: string
  /** Path of the group. */
  path: string
  /** Changes when the documents of the group do. */
  fingerprint: string
  /** The stated extent; null where none is stated. `east` may be above 180, so that it is not less than `west`. */
  west: number | null
  south: number | null
  east: number | null
  north: number | null
  starts_at: number | null
  ends_at: number | null
}

/** What is counted: ids of terms, as `writeFacets` writes them. */
type SearchFacetsTable = { dataset_id: number; facets: string }

/** What results show. */
type SearchContentsTable = { dataset_id: number; content: string }

/** What phrases are searched in. */
type SearchTextsTable = { dataset_id: number; words: string }

export type ReceiversTable = {
  id: string
  org: string
  /** Null for a receiver of all repositories of the organisation. */
  repo_id: string | null
  /** Patterns of the names of repositories, as a JSON list. Null for a receiver of one repository. */
  repos: Generated<string | null>
  kind: ReceiverKind
  alias: string
  /** Sealed. */
  url: string
  origin: string
  service: ChatService | null
  /** Names of events, and patterns of branches and of paths, each as a JSON list. */
  events: string
  branches: Generated<string>
  paths: Generated<string>
  /** Whether the payload says what changed. */
  includes_changes: Generated<0 | 1>
  /** Sealed. */
  secret_token: string | null
  /**
   * Newest first, as a JSON list of `{ sealed, until }`. Each signs until that time; null means until it is replaced. `isDeclared: true`
   * marks the secret that the configuration file declares.
   */
  signing_secrets: string
  is_declared: 0 | 1
  is_enabled: 0 | 1
  version: Generated<number>
  disabled_reason: string | null
  created_at: number
  updated_at: number
  last_success_at: number | null
  failing_since: number | null
  /** 1 when a notice that it fails was due since its last success. */
  is_failure_noticed: Generated<0 | 1>
}

/** The queue of a receiver's deliveries of one repository. It exists from the first of them. */
type QueuesTable = {
  receiver_id: string
  repo_id: string
  /** When its first delivery is due or its lease ends. Null when no delivery waits. */
  due_at: Generated<number | null>
  /** The current lease. A worker with another token has lost its lease. */
  lease_token: Generated<string | null>
}

/** The tags that were seen in repositories whose tags are watched. */
type TagsTable = { repo_id: string; tag: string; snapshot_id: string }

/** Which branches and tags the streams of an organisation ask for, besides `main`. */
type StreamSelectionsTable = {
  org: string
  /** A {@link WatchedSelection} as JSON. */
  selection: string
  /** The time until which the refs are watched. Open streams move it on. */
  wanted_until: number
}

type EventsTable = {
  /** In the order in which events were recorded. For references, because it is shorter than the id. */
  number: Generated<number>
  id: string
  repo_id: string
  /** What the sequence counts the events of: a branch, a tag, or the notices of the repository; see `writeRef`. */
  ref: string
  sequence: number
  name: EventName
  payload: string
  /** What a head move changed, as JSON, for receivers that want to know. Null when none did. */
  changes: Generated<string | null>
  line: string
  created_at: number
  /** The organisation of the repository, repeated here for the index of positions. Null until the event has its position. */
  org: Generated<string | null>
  /** Position among all events of the organisation, from 1. Null for events that an older version of Floe recorded during an upgrade. */
  position: Generated<number | null>
}

type EventPositionsTable = {
  org: string
  last: number
  /** Events up to this position may have been deleted; 0 when none were. */
  deleted_through: number
  /** Whether somebody has opened a stream, so that first heads without receivers are events too. */
  has_streams: 0 | 1
}

/** What stays of a delivery. Its state is in `undelivered` until it has arrived, so that a row here is usually written only once. */
type DeliveriesTable = {
  /** In the order in which deliveries were recorded, those of later events after those of earlier ones. For references. */
  number: Generated<number>
  /** A UUID, sent as `webhook-id`. */
  id: string
  event_number: number
  /** Repository of the event, repeated here for the index of lists. */
  repo_id: string
  receiver_id: string
  /** Attempts in all, once it has arrived. Before that, `undelivered` counts them. */
  attempts: Generated<number>
}

/** Deliveries that wait or were given up. One that has arrived is in it only while it waits to be sent again. */
type UndeliveredTable = {
  delivery_number: number
  /** Repository and receiver of the delivery, repeated here for the indexes of lists and queues. */
  repo_id: string
  receiver_id: string
  state: StoredDeliveryState
  /**
   * Position in the queue: the delivery's number; 0 for a redelivery, which goes first; that of `firstReplayTurn` for a replay. Null when it
   * does not wait.
   */
  turn: number | null
  /** Earliest time of the next attempt, once the delivery is first in the queue. Null means at once. */
  due_at: number | null
  attempts: Generated<number>
  /** Number of attempts that were requested while a retry was planned. They do not count towards the retry schedule. */
  extra_attempts: Generated<number>
}

export type AttemptsTable = {
  delivery_number: number
  number: number
  started_at: number
  duration_ms: number
  status: number | null
  error: string | null
  response_excerpt: string | null
}

export type AuditTable = {
  id: string
  org: string
  repo_id: string | null
  key_id: string
  /** The name of the API key when it made the change. */
  key_name: string | null
  action: string
  subject_id: string | null
  /** The record before and after the change, as JSON objects without secrets; null when there was or is none. */
  before: string | null
  after: string | null
  at: number
}

type ReplicasTable = {
  id: string
  /** From this time on, the replica counts as dead. Each heartbeat moves it. */
  alive_until: number
}

/** Which replica polls the repositories of a shard. Deleted with the replica. */
type PollShardsTable = { shard: number; replica_id: string }

export type Tables = {
  repositories: RepositoriesTable
  sources: SourcesTable
  source_names: SourceNamesTable
  api_keys: ApiKeysTable
  heads: HeadsTable
  tags: TagsTable
  stream_selections: StreamSelectionsTable
  receivers: ReceiversTable
  queues: QueuesTable
  events: EventsTable
  event_positions: EventPositionsTable
  deliveries: DeliveriesTable
  undelivered: UndeliveredTable
  attempts: AttemptsTable
  audit: AuditTable
  replicas: ReplicasTable
  poll_shards: PollShardsTable
  search_terms: SearchTermsTable
  search_datasets: SearchDatasetsTable
  search_contents: SearchContentsTable
  search_facets: SearchFacetsTable
  search_texts: SearchTextsTable
}
