// The tables for Kysely, and the values of their columns. Columns are text, numbers or bytes, so that both engines
// store the same values: flags are 0 or 1, lists and objects are JSON text, times are milliseconds since 1970.
import type { Role } from '@floe/contract/lists'
import type { Generated } from 'kysely'
import type { NotificationTables } from './notification-tables.ts'
import type { SearchTables } from './search/search-tables.ts'

export type Tables = NotificationTables &
  SearchTables & {
    repositories: RepositoriesTable
    sources: SourcesTable
    source_names: SourceNamesTable
    api_keys: ApiKeysTable
    heads: HeadsTable
    tags: TagsTable
    stream_selections: StreamSelectionsTable
    expectations: ExpectationsTable
    expectation_findings: ExpectationFindingsTable
    contracts: ContractsTable
    contract_findings: ContractFindingsTable
    audit: AuditTable
    replicas: ReplicasTable
    poll_shards: PollShardsTable
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
  /** Since when it cannot be read, if that is longer than a notice waits; else null. */
  unreadable_since: number | null
  /** Highest `sequence` of its deleted events; 0 when none were. */
  deleted_sequence: Generated<number>
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
  /** Patterns of branches and verdicts of the selected `SchemaChanged`, as JSON lists; null if it selects none. */
  branches: string | null
  compatibility: string | null
  /** The time until which Floe follows these refs. Open streams move it on. */
  wanted_until: number
}

/** What is expected of a branch: how old its last commit may become, or which share of its chunks must be written. */
export type ExpectationsTable = {
  id: string
  org: string
  /** Null for one of all repositories of the organisation that `repos` matches. Only a file declares those. */
  repo_id: string | null
  /** A pattern of the names of repositories. Null for one of one repository. */
  repos: string | null
  branch: string
  /** Only commits that changed such a path count, or only arrays with such a path: a pattern. Null if all count. */
  path: string | null
  /** As it was written, such as `6h`, and in milliseconds. Null if `written` is expected. */
  max_age: string | null
  max_age_ms: number | null
  /** From 0 to 1. Null if `max_age` is expected. */
  written: number | null
  is_declared: 0 | 1
  version: Generated<number>
  created_at: number
  updated_at: number
}

/** What is known about an expectation in a repository, from the first check of the repository since then. */
export type ExpectationFindingsTable = {
  expectation_id: string
  repo_id: string
  /** The head of the branch that this follows from; empty before the branch was seen, and if it is judged again. */
  head_id: string
  /** Since when the branch is stale or incomplete, if that was told; null while the expectation is met. */
  unmet_since: number | null
  /** Time of the last commit that counts; null when none is known. */
  last_commit_at: number | null
  /**
   * The time from which the age counts: that of the last commit that counts, or of the oldest that was searched. Null
   * without `max_age`.
   */
  counts_from: number | null
  /** The first arrays with fewer chunks written, as JSON, and the number of all. Null without `written`. */
  arrays: string | null
  incomplete_arrays: number | null
  /** Why the number of chunks written in the last head is unknown. */
  unknown_reason: string | null
}

/** What readers of a branch rely on. */
type ContractsTable = {
  id: string
  org: string
  /** Null for one of all repositories of the organisation that `repos` matches. Only a file declares those. */
  repo_id: string | null
  /** A pattern of the names of repositories. Null for one of one repository. */
  repos: string | null
  name: string
  branch: string
  /** JSON, of at most a megabyte. */
  document: string
  is_declared: 0 | 1
  version: Generated<number>
  created_at: number
  updated_at: number
}

/** What judgements have found about a contract in a repository. */
type ContractFindingsTable = {
  contract_id: string
  repo_id: string
  /** The version of the contract, and the head of the branch, that were judged last; empty if it is judged again. */
  contract_version: number
  head_id: string
  /** Null while no head could be judged. */
  state: 'kept' | 'broken' | null
  /** When it was found to be broken; null while it is kept. */
  broken_since: number | null
  /** What breaks it, in words, as a JSON list. */
  breaks: string
  breaking_changes: number
  /** Why the last head could not be judged; null if it could. */
  unknown_reason: string | null
}

export type AuditTable = {
  id: string
  org: string
  repo_id: string | null
  key_id: string
  /** The name that the API key had when it made the change. */
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
  /**
   * When it sent its last heartbeat, by its own clock. Others take it for dead when this has not changed for some time.
   */
  heartbeat_at: number
  /** The version of Floe that it runs. */
  version: string
}

/** Which replica polls the repositories of a shard. Deleted with the replica. */
type PollShardsTable = { shard: number; replica_id: string }
