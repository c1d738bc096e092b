/** The statements of `0001-tables.ts` that create the tables of contracts. */
export const contracts = [
  `create table contracts (
    id text primary key,
    org text not null,
    repo_id text references repositories (id) on delete cascade,
    repos text,
    name text not null,
    branch text not null,
    document text not null,
    is_declared integer not null,
    version integer not null default 1,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  'create index contracts_of_repository on contracts (org, repo_id)',
  'create unique index contracts_declared on contracts (org, repos, name) where is_declared = 1',
  `create table contract_findings (
    contract_id text not null references contracts (id) on delete cascade,
    repo_id text not null references repositories (id) on delete cascade,
    contract_version integer not null,
    head_id text not null,
    state text,
    broken_since bigint,
    breaks text not null,
    breaking_changes integer not null,
    unknown_reason text,
    primary key (contract_id, repo_id)
  )`,
  'create index contract_findings_of_repository on contract_findings (repo_id)',
  'create index contract_findings_broken on contract_findings (broken_since) where broken_since is not null',
]
