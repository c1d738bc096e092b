/** Adds filters of receivers, and the branches and tags that are watched besides `main`. */
export const addSubscriptions: readonly string[] = [
  `alter table receivers add column branches text not null default '["main"]'`,
  `alter table receivers add column paths text not null default '["**"]'`,
  'alter table receivers add column includes_changes integer not null default 0',
  'alter table repositories add column watched text',
  'alter table events rename column branch to ref',
  'alter table events add column changes text',
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
