// API keys from the command line; works before the first start, because opening the database creates it.
import { parseArgs } from 'node:util'
import { OrgName, RepoName } from '@floe/contract'
import { createApiKey, type Database, listApiKeys, openDatabase, revokeApiKey, type Role } from '@floe/storage/database'
import { loadConfig } from '../config/load-config.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const options = {
  org: { type: 'string' },
  role: { type: 'string' },
  repo: { type: 'string', multiple: true },
  database: { type: 'string' },
  config: { type: 'string' },
} as const

type Values = { org?: string; role?: string; repo?: string[] }
type Action = (db: Database, values: Values, rest: readonly string[], terminal: Terminal) => Promise<void>

/** `floe keys create | list | revoke`. */
export async function keys(args: string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [name = '', ...rest] = positionals
  const action = actions.get(name)
  if (!action) throw new UsageError('keys takes create, list or revoke')
  const config = await loadConfig(values.config, terminal.environment, {
    ...(values.database !== undefined && { database: values.database }),
  })
  const db = await openDatabase(config.database)
  try {
    await action(db, values, rest, terminal)
  } finally {
    await db.destroy()
  }
}

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['create', create],
  ['list', list],
  ['revoke', revoke],
])

async function create(db: Database, values: Values, rest: readonly string[], terminal: Terminal): Promise<void> {
  if (rest.length > 0) throw new UsageError(`keys create does not take ${rest.join(' ')}`)
  const repos = values.repo?.map((repo) => parseName(RepoName, repo, '--repo')) ?? null
  const key = await createApiKey(db, { org: orgOf(values), role: roleOf(values), repos }, new Date())
  terminal.out(`${key}\n`)
}

async function list(db: Database, values: Values, _rest: readonly string[], terminal: Terminal): Promise<void> {
  for (const key of await listApiKeys(db, orgOf(values))) {
    const repos = key.repos?.join(',') ?? '*'
    const state = key.revokedAt ? `revoked ${key.revokedAt.toISOString()}` : 'valid'
    terminal.out(`${key.id}\t${key.role}\t${repos}\t${key.createdAt.toISOString()}\t${state}\n`)
  }
}

async function revoke(db: Database, _values: Values, rest: readonly string[], terminal: Terminal): Promise<void> {
  const [id, ...more] = rest
  if (id === undefined || more.length > 0) throw new UsageError('keys revoke takes one key id')
  if (!(await revokeApiKey(db, id, new Date()))) throw new UsageError(`no valid key has the id ${id}`)
  terminal.err(`revoked ${id}\n`)
}

function orgOf({ org }: Values): string {
  if (org === undefined) throw new UsageError('--org is needed')
  return parseName(OrgName, org, '--org')
}

function parseName(schema: typeof OrgName, text: string, flag: string): string {
  const result = schema.safeParse(text)
  if (!result.success) throw new UsageError(`${flag} ${result.error.issues.map(({ message }) => message).join(', ')}`)
  return result.data
}

function roleOf({ role }: Values): Role {
  if (role !== 'reader' && role !== 'admin') throw new UsageError('--role must be reader or admin')
  return role
}
