import type { ColumnTypes } from './column-types.ts'

/** The statements of `0001-tables.ts` that create the tables of expectations. */
export const expectations = ({ numberKey }: ColumnTypes) => [
  `create table expectations (
    number ${numberKey},
    id text not null unique,
    org text not null,
    repo_id text references repositories (id) on delete cascade,
    repos text,
    kind text not null,
    alias text,
    branch text not null,
    severity text not null,
    "within" text,
    within_ms bigint,
    remind text,
    remind_ms bigint,
    settings text not null,
    declared_key text,
    version integer not null default 1,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  'create index expectations_of_repository on expectations (org, repo_id)',
  'create unique index expectations_declared on expectations (declared_key) where declared_key is not null',
  `create table expectation_documents (
    expectation_id text primary key references expectations (id) on delete cascade,
    document text not null
  )`,
  `create table expectation_states (
    expectation_id text not null references expectations (id) on delete cascade,
    repo_id text not null references repositories (id) on delete cascade,
    branch text not null,
    judged_version integer not null,
    head_id text not null,
    verdict text,
    failing_since bigint,
    unmet_since bigint,
    told_at bigint,
    facts text,
    reason text,
    due_at bigint,
    primary key (expectation_id, repo_id, branch)
  )`,
  'create index expectation_states_of_repository on expectation_states (repo_id)',
  'create index expectation_states_unmet on expectation_states (unmet_since) where unmet_since is not null',
  `create index expectation_states_unmet_of_expectation on expectation_states (expectation_id, repo_id, branch)
    where unmet_since is not null`,
]

/** The tables of heads that may be good. */
export const seenHeads = [
  // A branch that is deleted forgets them.
  `create table seen_heads (
    repo_id text not null,
    branch text not null,
    sequence bigint not null,
    snapshot_id text not null,
    seen_at bigint not null,
    last_expectation bigint not null,
    primary key (repo_id, branch, sequence),
    foreign key (repo_id, branch) references heads (repo_id, branch) on delete cascade
  )`,
  `create table head_verdicts (
    expectation_id text not null references expectations (id) on delete cascade,
    repo_id text not null references repositories (id) on delete cascade,
    snapshot_id text not null,
    is_met integer not null,
    words text,
    primary key (expectation_id, repo_id, snapshot_id)
  )`,
]
