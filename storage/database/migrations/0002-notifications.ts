/** Creates the tables for notifications. */
export const createNotifications: readonly string[] = [
  `create table heads (
    repo_id text not null references repositories (id) on delete cascade,
    branch text not null,
    snapshot_id text not null,
    sequence :integer not null,
    moved_at :integer not null,
    constraint heads_key primary key (repo_id, branch)
  )`,
  `create table configurations (
    id text primary key,
    repo_id text not null references repositories (id) on delete cascade,
    kind text not null,
    alias text not null,
    url text not null,
    origin text not null,
    service text,
    events text not null,
    secret_token text,
    signing_secrets text not null,
    is_declared integer not null,
    is_enabled integer not null,
    disabled_reason text,
    created_at :integer not null,
    updated_at :integer not null,
    last_success_at :integer,
    failing_since :integer,
    due_at :integer,
    lease_token text,
    constraint configurations_alias unique (repo_id, alias)
  )`,
  'create index configurations_due on configurations (due_at)',
  `create table events (
    id text primary key,
    repo_id text not null references repositories (id) on delete cascade,
    branch text not null,
    sequence :integer not null,
    name text not null,
    payload text not null,
    line text not null,
    created_at :integer not null,
    constraint events_sequence unique (repo_id, branch, sequence)
  )`,
  'create index events_age on events (created_at)',
  `create table deliveries (
    id text primary key,
    event_id text not null references events (id) on delete cascade,
    configuration_id text not null references configurations (id) on delete cascade,
    state text not null,
    turn :integer,
    due_at :integer,
    attempts integer not null,
    constraint deliveries_event unique (event_id, configuration_id)
  )`,
  'create index deliveries_line on deliveries (configuration_id, turn) where turn is not null',
  `create table attempts (
    delivery_id text not null references deliveries (id) on delete cascade,
    number integer not null,
    started_at :integer not null,
    duration_ms integer not null,
    status integer,
    error text,
    response_excerpt text,
    constraint attempts_key primary key (delivery_id, number)
  )`,
  'create index attempts_age on attempts (started_at)',
]
