/** The statements of `0001-tables.ts` that create the tables of remarks. */
export const remarks = [
  `create table remarks (
    id text primary key,
    repo_id text not null references repositories (id) on delete cascade,
    kind text not null,
    from_id text,
    to_id text,
    ref text,
    path text,
    text text not null,
    since bigint,
    until bigint,
    superseded_by text,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  'create index remarks_of_repository on remarks (repo_id, created_at, id)',
  "create index remarks_retractions on remarks (repo_id) where kind = 'retraction'",
  `create table remark_snapshots (
    remark_id text not null references remarks (id) on delete cascade,
    repo_id text not null references repositories (id) on delete cascade,
    snapshot_id text not null,
    primary key (remark_id, snapshot_id)
  )`,
  'create index remark_snapshots_of_repository on remark_snapshots (repo_id, snapshot_id)',
]
