/** Creates and extends the tables for administration. SQLite adds only one column at a time. */
export const addAdministration: readonly string[] = [
  'alter table heads add column format_version integer',
  `alter table api_keys add column expires_at :integer`,
  `alter table api_keys add column last_used_at :integer`,
  'alter table api_keys add column created_by text',
  'alter table api_keys add column is_declared integer not null default 0',
  'alter table configurations add column version integer not null default 1',
  // `plain:` marks secrets that are not sealed yet; the next start seals them.
  `update configurations set secret_token = 'plain:' || secret_token where secret_token is not null`,
  `update configurations set url = 'plain:' || url where kind = 'chat'`,
  // The old column holds a list with at most one secret: ["whsec_..."].
  `update configurations set signing_secrets =
    replace(replace(signing_secrets, '["', '[{"sealed":"plain:'), '"]', '","until":null}]')`,
  // SQLite can add a `not null` column only with a default.
  `alter table deliveries add column repo_id text not null default ''`,
  `alter table deliveries add column created_at :integer not null default 0`,
  `update deliveries set
    repo_id = (select repo_id from events where events.id = deliveries.event_id),
    created_at = (select created_at from events where events.id = deliveries.event_id)`,
  'create index deliveries_of_repository on deliveries (repo_id, created_at, id)',
  'create index deliveries_of_state on deliveries (repo_id, state, created_at, id)',
  'create index deliveries_of_configuration on deliveries (configuration_id, created_at, id)',
  `create table audit (
    id text primary key,
    org text not null,
    repo_id text,
    key_id text not null,
    action text not null,
    subject_id text,
    before text,
    after text,
    at :integer not null
  )`,
  'create index audit_of_repository on audit (repo_id, at, id)',
  'create index audit_age on audit (at)',
]
