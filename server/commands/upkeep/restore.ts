// `floe restore`: makes a database and its keys of a backup.
import { parseArgs } from 'node:util'
import { restoreBackup } from '@floe/storage/backup'
import { showProgress } from '../progress.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { databaseOptions } from '../arguments/read-database-config.ts'
import { explainKeys, findSqliteService } from './sqlite-service.ts'

const options = { ...databaseOptions, force: { type: 'boolean' } } as const

/** `floe restore FILE [--force]`; the service must be stopped. */
export async function restore(args: string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [file, ...rest] = positionals
  if (file === undefined || rest.length > 0) throw new UsageError('restore takes one file')
  const service = await findSqliteService(values, terminal)
  const { receivers, keys, replaced } = await showProgress(terminal, (onProgress) =>
    restoreBackup(file, { ...service, replaces: values.force ?? false, now: new Date(), onProgress }),
  )
  terminal.err(`restored ${service.database} ${explainKeys(keys)}, with ${receivers} webhooks and chats\n`)
  if (replaced !== undefined) terminal.err(`what was there is now ${replaced}\n`)
}
