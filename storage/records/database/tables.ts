// The tables for Kysely, and the values of their columns. Columns are text, numbers or bytes, so that both engines
// store the same values: flags are 0 or 1, lists and objects are JSON text, times are milliseconds since 1970.
import type { CheckState, ExpectationKindName, RemarkKind, Role, Severity } from '@floe/contract/lists'
import type { Generated } from 'kysely'
import type { NotificationTables } from './notification-tables.ts'
import type { SearchTables } from './search/search-tables.ts'

export type Tables = NotificationTables &
  SearchTables & {
    repositories: RepositoriesTable
    sources: SourcesTable
    source_names: SourceNamesTable
    api_keys: ApiKeysTable
    authorizations: AuthorizationsTable
    sessions: SessionsTable
    session_roles: SessionRolesTable
    heads: HeadsTable
    head_moves: HeadMovesTable
    tags: TagsTable
    stream_selections: StreamSelectionsTable
    expectations: ExpectationsTable
    expectation_documents: ExpectationDocumentsTable
    expectation_states: ExpectationStatesTable
    seen_heads: SeenHeadsTable
    head_verdicts: HeadVerdictsTable
    checks: ChecksTable
    remarks: RemarksTable
    remark_snapshots: RemarkSnapshotsTable
    audit: AuditTable
    replicas: ReplicasTable
    poll_partitions: PollPartitionsTable
  }

/**
 * The repositories that were ever found. They are never deleted: with another id, the numbers of a name that returns
 * would begin again, and no process knows all ids that others use.
 */
type RepositoriesTable = {
  id: string
  org: string
  name: string
  created_at: number
  /** The {@link RefSelection} that the recorded heads and tags follow, as JSON; null for `main` alone. */
  recorded_selection: string | null
  /** Metadata of the repository itself, as JSON; null if there is none. */
  metadata: string | null
  /** Since when it cannot be read, if that is longer than a notice waits; else null. */
  unreadable_since: number | null
  /** Highest `sequence` of its deleted events; 0 when none were. */
  deleted_sequence: Generated<number>
  /** Counts what is said of its snapshots where an expectation of the kind `good` may cover it. */
  remarks: Generated<number>
}

/** Scanned locations. */
type SourcesTable = {
  id: string
  /** Number of the last change of its names, from 1. Several names can change under one number. */
  last_change: number
}

/** The repositories that scans of a source have found. */
type SourceNamesTable = {
  source_id: string
  name: string
  /** Number of the last change of this name. */
  last_change: number
  /** 1 when a later scan did not find it. The row stays, so that a replica that has slept learns it too. */
  is_gone: 0 | 1
}

export type ApiKeysTable = {
  /** The public part of the key: 16 hexadecimal digits. */
  id: string
  org: string
  /** Name for people. Null when it was given none. */
  name: string | null
  role: Role
  /** Names of the repositories that the key is limited to, as a JSON list; null for all of the organisation. */
  repos: string | null
  /** SHA-256 of the whole text of the key. */
  secret_hash: Uint8Array
  created_at: number
  revoked_at: number | null
  /** Null when it does not expire. */
  expires_at: number | null
  last_used_at: number | null
  /** Id of the key that created it; null when an operator created it. */
  created_by: string | null
  is_declared: 0 | 1
  /** 1 for the key that the configuration declares for the first administrator. */
  is_bootstrap: 0 | 1
}

/** What clients were given in exchange for API keys: each row is one code, or the tokens that came from it. */
type AuthorizationsTable = {
  /** A part of the code and of each token, which nobody else knows. */
  id: string
  key_id: string
  /** The `secret_hash` of the key. A declared key can get another one. */
  key_hash: Uint8Array
  /** Name of the client, for the audit. */
  client: string
  /** SHA-256 of the only text that gives the next tokens, a code or a refresh token, and of what must come with it. */
  renewal_hash: string
  /** SHA-256 of the access token, and when that expires. Null before the code is used. */
  access_hash: string | null
  access_until: number | null
  /** When the code or the refresh token expires. */
  expires_at: number
}

/** People who have signed in to pages, until they sign out, at most for hours. */
export type SessionsTable = {
  /** SHA-256 of what the browser sends. */
  id: string
  issuer: string
  /** The person, as the issuer calls it. */
  subject: string
  /** What the issuer says of the person, as a JSON object: as much as the rules need. */
  claims: string
  /** The tokens of the issuer, sealed. */
  tokens: string
  created_at: number
  /** When the issuer last said so. */
  checked_at: number
  /** Until when a process asks the issuer again; 0 when none does. */
  leased_until: number
  expires_at: number
}

/** The organisations in which the person of a session has a role, as the last check has found. */
type SessionRolesTable = {
  org: string
  /** That of the session. */
  created_at: number
  session_id: string
  role: Role
}

/** The last recorded heads of the branches that Floe follows, with their commits. */
type HeadsTable = {
  repo_id: string
  /** The organisation of the repository, because organisations take turns in being indexed. */
  org: string
  branch: string
  snapshot_id: string
  /** Number of the last event of the branch, from 1. */
  sequence: number
  moved_at: number
  /** Highest version of the Icechunk format seen in the repository; recorded for `main` alone. */
  format_version: number | null
  /**
   * The virtual chunk containers of the repository, as a JSON list; `unreadableContainers` if they cannot be read, and
   * null while they are unknown. For `main` alone.
   */
  containers: string | null
  /** Message, author and time of the commit. */
  message: string
  author: string | null
  written_at: number
  /** The snapshot that the index of search has; empty before the first. */
  indexed_snapshot_id: Generated<string>
  /** When the head may be indexed, if it is not. */
  index_due_at: Generated<number>
  /** The replica that indexes the head; null when none does. */
  index_leased_by: string | null
  /** Failed attempts since it was last indexed. */
  index_failures: Generated<number>
  /** Why the last attempt failed; null when it did not. */
  index_problem: string | null
  /** Datasets that were left out, because there are too many. */
  index_omitted: Generated<number>
  /** 1 when the repository was not found, so that it has no datasets in the index. */
  index_is_gone: Generated<0 | 1>
  /** The form of the index that it has; 0 before the first. */
  index_form: Generated<number>
}

/** How often `main` moved on each of the last days. */
type HeadMovesTable = {
  repo_id: string
  /** The remainder of the day, by which a day takes the row of the one four weeks before. */
  place: number
  /** Days since 1970, in UTC. */
  day: number
  moves: number
}

/** The last recorded tags of the repositories whose tags Floe follows. */
type TagsTable = { repo_id: string; tag: string; snapshot_id: string }

/** Which verdicts the event streams of an organisation select, and which branches and tags besides `main`. */
type StreamSelectionsTable = {
  /** A hash of the columns that do not change, by which replicas find the same selection. */
  id: string
  org: string
  /** Patterns of the names of the repositories that it reaches, as a JSON list. */
  repos: string
  /** If not null, reaches only those of them with these names, a JSON list. */
  names: string | null
  /** A {@link RefSelection} as JSON; null for `main` alone. */
  selection: string | null
  /** Which `SchemaChanged` it selects, as JSON; null if none. See `storage/records/event-filter`. */
  filter: string | null
  /** The time until which Floe follows these refs. Open streams move it on. */
  wanted_until: number
}

/** What is expected of the branches that match. */
export type ExpectationsTable = {
  /** In the order in which they were added to an organisation. */
  number: Generated<number>
  id: string
  org: string
  /** Null for one of the organisation. */
  repo_id: string | null
  /** Patterns of the names of repositories, as a JSON list. Null for one of one repository. */
  repos: string | null
  kind: ExpectationKindName
  alias: string | null
  /** A pattern. */
  branch: string
  severity: Severity
  /** The grace as it was written, such as `30m`, and in milliseconds. Null if there is none. */
  within: string | null
  within_ms: number | null
  /** The period of reminders in the same two forms. */
  remind: string | null
  remind_ms: number | null
  /** The settings of the kind, as a JSON object. */
  settings: string
  /** What tells one that a file declares from others, as a hash; null if none declares it. */
  declared_key: string | null
  version: Generated<number>
  created_at: number
  updated_at: number
}

/** The documents of expectations, beside their table because they can have a megabyte. */
type ExpectationDocumentsTable = { expectation_id: string; document: string }

/** What checks say of snapshots. */
export type ChecksTable = {
  repo_id: string
  snapshot_id: string
  name: string
  state: CheckState
  text: string | null
  link: string | null
  /** Numbers by their names, as JSON. */
  figures: string
  posted_at: number
}

/** What administrators say of a repository. One that names no snapshots, no ref and no path is about all of it. */
export type RemarksTable = {
  id: string
  repo_id: string
  kind: RemarkKind
  /** The first and the last of its snapshots, which are the same if it has one. Null if it names none. */
  from_id: string | null
  to_id: string | null
  /** A branch or a tag. */
  ref: string | null
  /** A group or an array. */
  path: string | null
  text: string
  /** When a note is shown. Null for always. */
  since: number | null
  until: number | null
  /** What to use instead, as JSON. */
  superseded_by: string | null
  created_at: number
  updated_at: number
}

/** The snapshots of each remark that names some. The repository is that of the remark, repeated here for its index. */
type RemarkSnapshotsTable = { remark_id: string; repo_id: string; snapshot_id: string }

/** What is known about a branch that an expectation matches, from its first judgement. */
export type ExpectationStatesTable = {
  expectation_id: string
  repo_id: string
  branch: string
  /** The version of the expectation, and the head of the branch, that were judged last; empty if it is judged again. */
  judged_version: number
  head_id: string
  /** Null before the first head that could be judged. */
  verdict: 'met' | 'unmet' | null
  /** Since when it fails, and the same if an event told it. */
  failing_since: number | null
  unmet_since: number | null
  /** When an event told it last. */
  told_at: number | null
  /** What the kind has found, as a JSON object. */
  facts: string | null
  /** Why the last head could not be judged, or what the facts do not say. */
  reason: string | null
  /** When it must be judged again although nothing has changed. */
  due_at: number | null
}

/** The heads of branches, in the order in which Floe saw them, where one of the kind `good` may be expected. */
type SeenHeadsTable = {
  repo_id: string
  branch: string
  /** Number of the event of the head. */
  sequence: number
  snapshot_id: string
  seen_at: number
  /** The highest `number` of an expectation of the organisation then. */
  last_expectation: number
}

/** Whether heads met the expectations that judge each head once. */
type HeadVerdictsTable = {
  expectation_id: string
  repo_id: string
  snapshot_id: string
  is_met: 0 | 1
  /** What was found, for people; null if it is met. */
  words: string | null
}

export type AuditTable = {
  id: string
  org: string
  repo_id: string | null
  key_id: string
  /** The name that the API key had when it made the change. */
  key_name: string | null
  /** The client that used a token of the key; null when the key itself was used. */
  client: string | null
  /** Whose account made the change, as a JSON object; null for an API key. */
  person: string | null
  action: string
  subject_id: string | null
  /** The record before and after the change, as JSON objects without secrets; null when there was or is none. */
  before: string | null
  after: string | null
  at: number
}

type ReplicasTable = {
  id: string
  /**
   * When it sent its last heartbeat, by its own clock. Others take it for dead when this has not changed for some time.
   */
  heartbeat_at: number
  /** The version of Floe that it runs. */
  version: string
}

/** Which replica polls the repositories of a partition. Deleted with the replica. */
type PollPartitionsTable = { partition: number; replica_id: string }
