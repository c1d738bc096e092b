// `floe keys`: API keys on the command line. This works before the first start of the server, because opening the database creates it.
import { parseArgs } from 'node:util'
import { OrgName, RepoName } from '@floe/contract'
import {
  type ApiKey,
  createApiKey,
  type Database,
  isExpired,
  listApiKeys,
  openDatabase,
  readApiKey,
  revokeApiKey,
  type Role,
} from '@floe/storage/database'
import { z } from 'zod'
import { Duration } from '../config/quantities.ts'
import { usePlainMessages } from '../problems/plain-messages.ts'
import { databaseOptions, readDatabaseConfig } from './arguments/read-database-config.ts'
import { showProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const options = {
  org: { type: 'string' },
  role: { type: 'string' },
  repo: { type: 'string', multiple: true },
  expires: { type: 'string' },
  ...databaseOptions,
  'keep-descendants': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

type Values = {
  org?: string
  role?: string
  repo?: string[]
  expires?: string
  'keep-descendants'?: boolean
  json?: boolean
}

/** A parsed command line, as something to do with the database. */
type Action = (db: Database, terminal: Terminal) => Promise<void>

/** `floe keys create | list | revoke`. */
export async function runKeys(args: string[], terminal: Terminal): Promise<void> {
  usePlainMessages()
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const action = parseAction(positionals, values)
  const config = await readDatabaseConfig(values, terminal)
  const db = await showProgress(terminal, (show) => {
    show('opening the database')
    return openDatabase(config.database)
  })
  try {
    await action(db, terminal)
  } finally {
    await db.destroy()
  }
}

function parseAction([name, ...rest]: readonly string[], values: Values): Action {
  switch (name) {
    case 'create':
      return create(values, rest)
    case 'list':
      return list(values, rest)
    case 'revoke':
      return revoke(values, rest)
    default:
      throw new UsageError('keys needs one of the words create, list and revoke')
  }
}

function create(values: Values, rest: readonly string[]): Action {
  refuseExtra('create', rest)
  const now = new Date()
  const repos = values.repo?.map((repo) => parseName(RepoName, repo, '--repo')) ?? null
  if (repos !== null && repos.length > 100) throw new UsageError('--repo can be given at most 100 times')
  const grant = { org: parseOrg(values), role: parseRole(values), repos, expiresAt: parseExpiry(values, now) }
  return async (db, terminal) => terminal.out(`${await createApiKey(db, grant, now)}\n`)
}

function list(values: Values, rest: readonly string[]): Action {
  refuseExtra('list', rest)
  const org = parseOrg(values)
  return async (db, terminal) => {
    const keys = await listApiKeys(db, org)
    if (values.json) terminal.out(`${JSON.stringify(keys.map(toRecord), null, 2)}\n`)
    else for (const key of keys) terminal.out(`${describe(key, new Date())}\n`)
  }
}

/** The members have the names that they have over HTTP. */
function toRecord({ id, role, repos, isDeclared, createdBy, createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKey) {
  return {
    id,
    role,
    repos,
    declared: isDeclared,
    created_by: createdBy,
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
    last_used_at: lastUsedAt,
  }
}

/** Writes id, role, repositories, time of creation, state and last use. */
function describe(key: ApiKey, now: Date): string {
  const { id, role, repos, createdAt, lastUsedAt } = key
  const used = lastUsedAt ? `used ${lastUsedAt.toISOString()}` : 'unused'
  return [id, role, repos?.join(',') ?? '*', createdAt.toISOString(), describeState(key, now), used].join('\t')
}

function describeState(key: ApiKey, now: Date): string {
  const { expiresAt, revokedAt, isDeclared } = key
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`
  if (expiresAt) return `${isExpired(key, now) ? 'expired' : 'expires'} ${expiresAt.toISOString()}`
  return isDeclared ? 'declared' : 'valid'
}

function revoke(values: Values, [id, ...rest]: readonly string[]): Action {
  if (id === undefined) throw new UsageError('keys revoke needs the id of a key')
  refuseExtra('revoke', rest)
  const keepsDescendants = values['keep-descendants'] ?? false
  return async (db, terminal) => {
    if ((await readApiKey(db, id))?.isDeclared) {
      throw new UsageError(`${id} is declared in the configuration: remove it there and restart Floe`)
    }
    const options = { now: new Date(), keepsDescendants }
    const revoked = await db.transaction().execute((tx) => revokeApiKey(tx, id, options))
    if (revoked.length === 0) throw new UsageError(`no valid key has the id ${id}`)
    for (const key of revoked) terminal.err(`revoked ${key.id}\n`)
  }
}

function refuseExtra(action: string, rest: readonly string[]): void {
  if (rest.length > 0) throw new UsageError(`keys ${action} does not take ${rest.join(' ')}`)
}

function parseOrg({ org }: Values): string {
  if (org === undefined) throw new UsageError('--org is missing')
  return parseName(OrgName, org, '--org')
}

function parseName(schema: typeof OrgName, text: string, flag: string): string {
  const result = schema.safeParse(text)
  if (!result.success) throw new UsageError(`${flag}: ${result.error.issues.map(({ message }) => message).join(', ')}`)
  return result.data
}

function parseRole({ role }: Values): Role {
  if (role !== 'reader' && role !== 'admin') throw new UsageError('--role must be reader or admin')
  return role
}

/** Parses a time, or a duration from now. */
function parseExpiry({ expires }: Values, now: Date): Date | null {
  if (expires === undefined) return null
  const duration = Duration.safeParse(expires)
  const time = z.iso.datetime({ offset: true }).or(z.iso.date()).safeParse(expires)
  if (!duration.success && !time.success) {
    throw new UsageError('--expires must be a duration such as 30d, or a time such as 2027-01-31T00:00:00Z')
  }
  const expiry = new Date(duration.success ? now.getTime() + duration.data : expires)
  // Not `<=`: the sum can be too large for a date.
  if (!(expiry > now)) throw new UsageError('--expires must be in the future')
  if (expiry.getUTCFullYear() > 9_999) throw new UsageError('--expires must be in the year 9999 or before')
  return expiry
}
