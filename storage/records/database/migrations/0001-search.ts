import type { ColumnTypes } from './column-types.ts'

/** The statements of `0001-tables.ts` that create the tables of the search index. */
export const search = ({ smallKey, bytes, bytewiseText, clustered }: ColumnTypes) => [
  `create table search_shards (
    id ${smallKey},
    repo_id text not null references repositories (id) on delete cascade,
    branch ${bytewiseText} not null,
    datasets integer not null,
    length bigint not null,
    counts ${bytes} not null,
    extents ${bytes} not null,
    west double precision,
    south double precision,
    east double precision,
    north double precision,
    starts_at double precision,
    ends_at double precision
  )`,
  'create index search_shards_of_branch on search_shards (repo_id, branch)',
  `create table search_words (
    shard integer not null references search_shards (id) on delete cascade,
    term ${bytewiseText} not null,
    places ${bytes} not null,
    primary key (shard, term)
  ) ${clustered}`,
  `create table search_datasets (
    shard integer not null references search_shards (id) on delete cascade,
    number integer not null,
    path ${bytewiseText} not null,
    fingerprint text not null,
    changed_at bigint not null,
    institution text,
    keywords text,
    licence text,
    kind text,
    variable_count integer not null,
    changed_message text not null,
    title text,
    summary text,
    refusal text,
    dimensions text not null,
    primary key (shard, number)
  )`,
  `create table search_variables (
    shard integer not null references search_shards (id) on delete cascade,
    chunk integer not null,
    lines text not null,
    primary key (shard, chunk)
  )`,
]
