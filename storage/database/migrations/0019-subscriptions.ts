/** Adds the branches and tags that are watched besides `main`. */
export const addSubscriptions: readonly string[] = [
  'alter table repositories add column watched text',
  `create table tags (
    repo_id text not null references repositories (id) on delete cascade,
    tag text not null,
    snapshot_id text not null,
    constraint tags_key primary key (repo_id, tag)
  )`,
  `create table stream_selections (
    org text not null,
    selection text not null,
    wanted_until :integer not null,
    constraint stream_selections_key primary key (org, selection)
  )`,
]
