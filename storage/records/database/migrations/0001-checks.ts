/** The statements of `0001-tables.ts` that create the table of checks. */
export const checks = [
  `create table checks (
    repo_id text not null references repositories (id) on delete cascade,
    snapshot_id text not null,
    name text not null,
    state text not null,
    text text,
    link text,
    figures text not null,
    posted_at bigint not null,
    primary key (repo_id, snapshot_id, name)
  )`,
  'create index checks_age on checks (repo_id, posted_at, snapshot_id, name)',
]
