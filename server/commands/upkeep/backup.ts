// `floe backup`: writes the database and its keys to one file.
import { parseArgs } from 'node:util'
import { makeBackup } from '@floe/storage/backup'
import { showProgress } from '../progress.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { databaseOptions } from '../arguments/read-database-config.ts'
import { explainKeys, findSqliteService } from './sqlite-service.ts'

/** `floe backup FILE`; the service may keep running. */
export async function backup(args: string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: databaseOptions, allowPositionals: true })
  const [file, ...rest] = positionals
  if (file === undefined || rest.length > 0) throw new UsageError('backup takes one file')
  const service = await findSqliteService(values, terminal)
  const { receivers, keys } = await showProgress(terminal, (onProgress) =>
    makeBackup(file, { ...service, now: new Date(), signal: terminal.stop, onProgress }),
  )
  const where = explainKeys(keys)
  terminal.err(`${file} holds ${service.database} ${where}; restored on trial with ${receivers} webhooks and chats\n`)
}
