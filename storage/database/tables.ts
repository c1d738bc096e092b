// The tables as Kysely sees them. Columns are text, integer and blob only, so that every engine holds the same values: times are
// ISO 8601 text in UTC, flags are 0 or 1, lists are JSON text.

type RepositoriesTable = {
  /** A UUID. */
  id: string
  org: string
  name: string
  created_at: string
}

type ApiKeysTable = {
  /** The public part of the key: 16 hexadecimal digits. */
  id: string
  org: string
  role: 'reader' | 'admin'
  /** Names of the repositories that the key is limited to, as a JSON list; null means all of the organisation. */
  repos: string | null
  /** SHA-256 of the secret part. */
  secret_hash: Uint8Array
  created_at: string
  revoked_at: string | null
}

/** What Floe remembers. */
export type Tables = { repositories: RepositoriesTable; api_keys: ApiKeysTable }
