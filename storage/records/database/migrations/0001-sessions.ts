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
  'create index sessions_newest on sessions (created_at, id)',
  'create index sessions_of_person on sessions (issuer, subject, created_at)',
  'create index sessions_age on sessions (expires_at)',
]
