// `floe restore`: makes a database and its keys of a backup.
import { restoreBackup } from '@floe/storage/backup'
import type { CommandLine } from '../command.ts'
import { showProgress } from '../progress.ts'
import type { Terminal } from '../terminal.ts'
import { explainKeys, findSqliteService } from './sqlite-service.ts'

/** `floe restore FILE [--force]`; the service must be stopped. */
export async function restore({ values, operands: [file = ''] }: CommandLine, terminal: Terminal): Promise<void> {
  const service = await findSqliteService(values, terminal)
  const { receivers, keys, replaced } = await showProgress(terminal, (onProgress) =>
    restoreBackup(file, { ...service, replaces: values.force ?? false, now: new Date(), onProgress }),
  )
  terminal.err(`restored ${service.database} ${explainKeys(keys)}, with ${receivers} webhooks and chats\n`)
  if (replaced !== undefined) terminal.err(`what was there is now ${replaced}\n`)
}
