// The sessions of people who have signed in.
export const sessions = [
  `create table sessions (
    id text primary key,
    issuer text not null,
    subject text not null,
    claims text not null,
    tokens text not null,
    created_at bigint not null,
    checked_at bigint not null,
    leased_until bigint not null,
    expires_at bigint not null
  )`,
  'create index sessions_of_person on sessions (issuer, subject, created_at)',
  'create index sessions_age on sessions (expires_at)',
  // Sessions are listed for one organisation, without reading those of others.
  `create table session_roles (
    org text not null,
    created_at bigint not null,
    session_id text not null references sessions (id) on delete cascade,
    role text not null,
    primary key (org, created_at, session_id)
  )`,
  'create index session_roles_of_session on session_roles (session_id)',
]
