// The tables, grouped by subject; `tables.ts` says what their columns mean. A column ends in `_at` if it holds
// milliseconds since 1970.
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import { checks } from './0001-checks.ts'
import { expectations, seenHeads } from './0001-expectations.ts'
import { remarks } from './0001-remarks.ts'
import { search } from './0001-search.ts'
import { sessions } from './0001-sessions.ts'
import { type ColumnTypes, findColumnTypes } from './column-types.ts'

/**
 * Creates the tables. Until the first release this migration is edited in place; afterwards each change is a migration
 * of its own.
 */
export async function createTables(db: Kysely<Tables>): Promise<void> {
  const types = findColumnTypes(db)
  const statements = [
    ...repositories,
    ...apiKeys(types),
    ...sessions,
    ...heads,
    ...receivers,
    ...expectations(types),
    ...seenHeads,
    ...checks,
    ...remarks,
    ...events(types),
    ...deliveries(types),
    ...audit,
    ...replicas,
    ...search(types),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const repositories = [
  `create table repositories (
    id text primary key,
    org text not null,
    name text not null,
    created_at bigint not null,
    recorded_selection text,
    metadata text,
    unreadable_since bigint,
    deleted_sequence bigint not null default 0,
    remarks bigint not null default 0,
    constraint repositories_org_name unique (org, name)
  )`,
  'create index repositories_remarked on repositories (org) where remarks > 0',
  `create table sources (
    id text primary key,
    last_change bigint not null
  )`,
  `create table source_names (
    source_id text not null,
    name text not null,
    last_change bigint not null,
    is_gone integer not null,
    primary key (source_id, name)
  )`,
  'create index source_names_of_change on source_names (source_id, last_change)',
]

const apiKeys = ({ bytes }: ColumnTypes) => [
  `create table api_keys (
    id text primary key,
    org text not null,
    name text,
    role text not null,
    repos text,
    secret_hash ${bytes} not null,
    created_at bigint not null,
    revoked_at bigint,
    expires_at bigint,
    last_used_at bigint,
    created_by text,
    is_declared integer not null,
    is_bootstrap integer not null
  )`,
  'create index api_keys_of_organisation on api_keys (org, created_at, id)',
  'create index api_keys_of_creator on api_keys (created_by)',
  `create table authorizations (
    id text primary key,
    key_id text not null references api_keys (id) on delete cascade,
    key_hash ${bytes} not null,
    client text not null,
    renewal_hash text not null,
    access_hash text,
    access_until bigint,
    expires_at bigint not null
  )`,
  'create index authorizations_of_key on authorizations (key_id)',
  'create index authorizations_age on authorizations (expires_at)',
]

const heads = [
  `create table heads (
    repo_id text not null references repositories (id) on delete cascade,
    org text not null,
    branch text not null,
    snapshot_id text not null,
    sequence bigint not null,
    moved_at bigint not null,
    format_version integer,
    containers text,
    message text not null,
    author text,
    written_at bigint not null,
    indexed_snapshot_id text not null default '',
    index_due_at bigint not null default 0,
    index_leased_by text,
    index_failures integer not null default 0,
    index_problem text,
    index_omitted integer not null default 0,
    index_is_gone integer not null default 0,
    index_form integer not null default 0,
    constraint heads_key primary key (repo_id, branch)
  )`,
  'create index heads_to_index on heads (org, index_due_at) where indexed_snapshot_id <> snapshot_id',
  'create index heads_leased on heads (index_leased_by) where index_leased_by is not null',
  `create table head_moves (
    repo_id text not null references repositories (id) on delete cascade,
    place integer not null,
    day integer not null,
    moves integer not null,
    primary key (repo_id, place)
  )`,
  `create table tags (
    repo_id text not null references repositories (id) on delete cascade,
    tag text not null,
    snapshot_id text not null,
    constraint tags_key primary key (repo_id, tag)
  )`,
  // Without an index of its text, which can be longer than PostgreSQL allows in one.
  `create table stream_selections (
    id text primary key,
    org text not null,
    repos text not null,
    names text,
    selection text,
    filter text,
    wanted_until bigint not null
  )`,
]

const receivers = [
  `create table receivers (
    id text primary key,
    org text not null,
    repo_id text references repositories (id) on delete cascade,
    kind text not null,
    alias text not null,
    url text not null,
    origin text not null,
    service text,
    filter text not null,
    secret_token text,
    headers text not null,
    signing_secrets text not null,
    sealed_with text not null,
    is_declared integer not null,
    is_enabled integer not null,
    version integer not null default 1,
    disabled_reason text,
    created_at bigint not null,
    updated_at bigint not null,
    last_success_at bigint,
    failing_since bigint,
    last_failure text,
    is_failure_noticed integer not null default 0,
    digest_at bigint
  )`,
  // An alias is unique in its repository, or among the receivers of the organisation, whose `repo_id` is null.
  `create unique index receivers_alias on receivers (org, coalesce(repo_id, ''), alias)`,
  'create index receivers_of_repository on receivers (org, repo_id)',
  'create index receivers_declared on receivers (org, repo_id) where is_declared = 1',
  // A start finds out whether a key has changed without reading all receivers.
  'create index receivers_of_key on receivers (sealed_with)',
  'create index receivers_digests on receivers (digest_at) where digest_at is not null',
  'create table deleted_receivers (id text primary key)',
  `create table queues (
    receiver_id text not null references receivers (id) on delete cascade,
    repo_id text not null references repositories (id) on delete cascade,
    due_at bigint,
    leased_by text,
    lease_number bigint,
    primary key (receiver_id, repo_id)
  )`,
  'create index queues_due on queues (due_at) where leased_by is null',
  'create index queues_leased on queues (leased_by, lease_number) where leased_by is not null',
]

const events = ({ numberKey }: ColumnTypes) => [
  `create table events (
    number ${numberKey},
    id text not null,
    repo_id text not null references repositories (id) on delete cascade,
    ref text not null,
    sequence bigint not null,
    name text not null,
    payload text not null,
    line text not null,
    changes text,
    expectation_kind text,
    check_state text,
    verdict text,
    commit_count integer,
    created_at bigint not null,
    org text,
    position bigint
  )`,
  'create unique index events_sequence on events (repo_id, ref, sequence)',
  'create unique index events_position on events (org, position)',
  'create index events_age on events (created_at)',
  `create table event_positions (
    org text primary key,
    last bigint not null,
    deleted_through bigint not null,
    has_streams integer not null
  )`,
]

// Deliveries refer to events, and attempts to deliveries, by numbers, which are shorter than ids: each event can have
// thousands of deliveries. What changes until a delivery has succeeded is in `undelivered`, because PostgreSQL writes a
// changed row again, with its entries in all indexes. The order of the columns leaves no gaps between those of eight
// bytes and those of four. A delivery can outlive its receiver for a while: see `deleted_receivers`.
const deliveries = ({ numberKey, foreignNumberKey }: ColumnTypes) => [
  `create table deliveries (
    number ${numberKey},
    event_number bigint not null references events (number) on delete cascade,
    digest_number bigint,
    attempts integer not null default 1,
    id text not null,
    org text not null,
    receiver_repo_id text,
    receiver_id text not null,
    replay_of text,
    digest text
  )`,
  'create unique index deliveries_id on deliveries (id)',
  'create index deliveries_of_event on deliveries (event_number)',
  // Not by the number of the delivery: PostgreSQL stores the same key of many rows once.
  'create index deliveries_of_organisation on deliveries (org, event_number)',
  'create index deliveries_of_repository on deliveries (receiver_repo_id, event_number)',
  'create index deliveries_of_receiver on deliveries (receiver_id, event_number)',
  `create table undelivered (
    delivery_number ${foreignNumberKey} references deliveries (number) on delete cascade,
    queue_position bigint,
    due_at bigint,
    attempts integer not null default 0,
    extra_attempts integer not null default 0,
    awaits_digest integer not null default 0,
    state text not null,
    repo_id text not null,
    org text not null,
    receiver_repo_id text,
    receiver_id text not null
  )`,
  `create index undelivered_queue on undelivered (receiver_id, repo_id, queue_position)
    where queue_position is not null`,
  'create index undelivered_of_organisation on undelivered (org, state, delivery_number)',
  'create index undelivered_of_repository on undelivered (receiver_repo_id, state, delivery_number)',
  'create index undelivered_of_receiver on undelivered (receiver_id, state, delivery_number)',
  `create table attempts (
    delivery_number bigint not null references deliveries (number) on delete cascade,
    number integer not null,
    started_at bigint not null,
    duration_ms integer not null,
    status integer,
    error text,
    response_excerpt text,
    primary key (delivery_number, number)
  )`,
  'create index attempts_age on attempts (started_at)',
]

// An entry refers to no other row, because it outlives what it is about.
const audit = [
  `create table audit (
    id text primary key,
    org text not null,
    repo_id text,
    key_id text not null,
    key_name text,
    client text,
    person text,
    action text not null,
    subject_id text,
    before text,
    after text,
    at bigint not null
  )`,
  'create index audit_of_repository on audit (repo_id, at, id)',
  'create index audit_of_organisation on audit (org, at, id)',
  'create index audit_age on audit (at)',
]

const replicas = [
  `create table replicas (
    id text primary key,
    heartbeat_at bigint not null,
    version text not null
  )`,
  `create table poll_partitions (
    partition integer primary key,
    replica_id text not null references replicas (id) on delete cascade
  )`,
]

// Rows of a shard lie side by side in the tables, because a search reads some of them for each of its shards.
