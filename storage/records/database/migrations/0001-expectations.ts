/** The statements of `0001-tables.ts` that create the tables of expectations. */
export const expectations = [
  `create table expectations (
    id text primary key,
    org text not null,
    repo_id text references repositories (id) on delete cascade,
    repos text,
    branch text not null,
    path text,
    max_age text,
    max_age_ms bigint,
    written double precision,
    is_declared integer not null,
    version integer not null default 1,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  'create index expectations_of_repository on expectations (org, repo_id)',
  `create unique index expectations_declared
    on expectations (org, repos, branch, coalesce(path, ''), coalesce(max_age, ''), coalesce(written, 0))
    where is_declared = 1`,
  `create table expectation_findings (
    expectation_id text not null references expectations (id) on delete cascade,
    repo_id text not null references repositories (id) on delete cascade,
    head_id text not null,
    unmet_since bigint,
    last_commit_at bigint,
    counts_from bigint,
    arrays text,
    incomplete_arrays integer,
    unknown_reason text,
    primary key (expectation_id, repo_id)
  )`,
  'create index expectation_findings_of_repository on expectation_findings (repo_id)',
  'create index expectation_findings_unmet on expectation_findings (unmet_since) where unmet_since is not null',
]
