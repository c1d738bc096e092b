import { forgetIndex } from '@floe/storage/database'
import { type CommandLine, UsageError } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { readDatabaseConfig, useDatabase } from '../access/use-database.ts'

/** `floe search reindex`: makes servers index all datasets again. Until then, the old entries can be found. */
export async function reindex({ values }: CommandLine, terminal: Terminal): Promise<void> {
  const { org, repo: repos } = values
  if (repos !== undefined && org === undefined) throw new UsageError('--repo needs --org')
  const config = await readDatabaseConfig(values, terminal)
  const count = await useDatabase(config, terminal, (db) => forgetIndex(db, { org, repos }))
  terminal.err(`${count} repositories will be indexed again; floe_search_pending counts down\n`)
}
