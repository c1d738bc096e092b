// `floe keys`: API keys on the command line. Also works before the first start of the server, because these commands
// create the database if it is missing.
import { ApiKeyName, OrgName, RepoName } from '@floe/contract'
import { type Role, roles } from '@floe/contract/lists'
import {
  type ApiKey,
  createApiKey,
  isExpired,
  listApiKeys,
  listRecordedNames,
  listRecordedOrgs,
  readApiKey,
  revokeApiKey,
  transact,
} from '@floe/storage/database'
import { z } from 'zod'
import { showApiKey } from '../../administration/show-api-key.ts'
import { Duration } from '../configuration/sections/quantities.ts'
import { writePlainMessage } from '../../problems/plain-messages.ts'
import { suggestName } from '../../text/nearest-name.ts'
import { type CommandLine, type FlagValues, UsageError } from './command.ts'
import type { Terminal } from './terminal.ts'
import { readDatabaseConfig, useDatabase } from './access/use-database.ts'

/** `floe keys create`: prints only the key. */
export async function createKey({ values }: CommandLine, terminal: Terminal): Promise<void> {
  const now = new Date()
  const repos = values.repo?.map((repo) => parseName(RepoName, repo, '--repo')) ?? null
  if (repos !== null && repos.length > 100) throw new UsageError('--repo can be given at most 100 times')
  const name = values.name === undefined ? null : parseName(ApiKeyName, values.name, '--name')
  const grant = { org: parseOrg(values), name, role: parseRole(values), repos, expiresAt: parseExpiry(values, now) }
  const config = await readDatabaseConfig(values, terminal)
  await useDatabase(config, terminal, async (db) => {
    const warning = warnOfUnknownOrg(grant.org, Object.keys(config.orgs), await listRecordedOrgs(db))
    if (warning !== undefined) terminal.err(`floe: warning: ${warning}\n`)
    for (const problem of findUnknownRepos(grant, await listRecordedNames(db, grant.org)))
      terminal.err(`floe: warning: ${problem}\n`)
    terminal.out(`${await createApiKey(db, grant, now)}\n`)
  })
}

/**
 * Warns of an organisation that the configuration does not have. Without organisations in the configuration, warns only
 * if the name is similar to that of a recorded organisation. The key is made anyway, because its organisation may be
 * served later.
 */
function warnOfUnknownOrg(org: string, configured: readonly string[], recorded: readonly string[]): string | undefined {
  const hint = suggestName(org, [...configured, ...recorded])
  if (configured.includes(org) || recorded.includes(org) || (configured.length === 0 && hint === '')) return undefined
  return `neither the configuration (--config) nor the database knows the organisation ${org}${hint}`
}

/**
 * Finds the repositories of a key that the database does not know. Finds none while it knows no repository of the
 * organisation, as before the first start of the server. The key is made anyway, because they may be added later.
 */
function* findUnknownRepos(
  { org, repos }: { readonly org: string; readonly repos: readonly string[] | null },
  recorded: readonly string[],
): Generator<string> {
  if (recorded.length === 0) return
  const known = new Set(recorded)
  for (const repo of repos ?? [])
    if (!known.has(repo)) yield `the database knows no repository of ${org} called ${repo}${suggestName(repo, known)}`
}

/** `floe keys list`. */
export async function listKeys({ values }: CommandLine, terminal: Terminal): Promise<void> {
  const org = parseOrg(values)
  await useDatabase(await readDatabaseConfig(values, terminal), terminal, async (db) => {
    const keys = await listApiKeys(db, org)
    if (values.json) terminal.out(`${JSON.stringify(keys.map(showApiKey), null, 2)}\n`)
    else for (const key of keys) terminal.out(`${describe(key, new Date())}\n`)
  })
}

/** `floe keys revoke ID`. */
export async function revokeKey({ values, operands: [id = ''] }: CommandLine, terminal: Terminal): Promise<void> {
  const keepsDescendants = values['keep-descendants'] ?? false
  await useDatabase(await readDatabaseConfig(values, terminal), terminal, async (db) => {
    if ((await readApiKey(db, id))?.isDeclared) {
      throw new UsageError(`${id} is declared in the configuration: remove it there, then reload or restart Floe`)
    }
    const options = { now: new Date(), keepsDescendants }
    const revoked = await transact(db, (tx) => revokeApiKey(tx, id, options))
    if (revoked.length === 0) throw new UsageError(`no valid key has the id ${id}`)
    for (const key of revoked) terminal.err(`revoked ${key.id}\n`)
  })
}

/**
 * Writes a line of `keys list`: id, name, role, repositories, time of creation, state and last use, with tabs between.
 */
function describe(key: ApiKey, now: Date): string {
  const { id, name, role, repos, createdAt, lastUsedAt } = key
  const used = lastUsedAt ? `used ${lastUsedAt.toISOString()}` : 'unused'
  const covered = repos?.join(',') ?? '*'
  return [id, name ?? '-', role, covered, createdAt.toISOString(), describeState(key, now), used].join('\t')
}

function describeState(key: ApiKey, now: Date): string {
  const { expiresAt, revokedAt, isDeclared } = key
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`
  if (expiresAt) return `${isExpired(key, now) ? 'expired' : 'expires'} ${expiresAt.toISOString()}`
  return isDeclared ? 'declared' : 'valid'
}

function parseOrg({ org }: FlagValues): string {
  if (org === undefined) throw new UsageError('--org is missing')
  return parseName(OrgName, org, '--org')
}

function parseName(schema: typeof OrgName, text: string, flag: string): string {
  const result = schema.safeParse(text, { error: writePlainMessage })
  if (!result.success) throw new UsageError(`${flag}: ${result.error.issues.map(({ message }) => message).join(', ')}`)
  return result.data
}

function parseRole({ role }: FlagValues): Role {
  const known = roles.find((name) => name === role)
  if (known === undefined) throw new UsageError(`--role must be ${roles.slice(0, -1).join(', ')} or ${roles.at(-1)}`)
  return known
}

/** Parses a time, or a duration from now. */
function parseExpiry({ expires }: FlagValues, now: Date): Date | null {
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
