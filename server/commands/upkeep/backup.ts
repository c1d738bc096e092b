// `floe backup`: writes the database and its keys to one file.
import { makeBackup } from '@floe/storage/backup'
import type { CommandLine } from '../command.ts'
import { showProgress } from '../progress.ts'
import type { Terminal } from '../terminal.ts'
import { explainKeys, findSqliteService } from './sqlite-service.ts'

/** `floe backup FILE`; the service may keep running. */
export async function backup({ values, operands: [file = ''] }: CommandLine, terminal: Terminal): Promise<void> {
  const service = await findSqliteService(values, terminal)
  const { receivers, keys } = await showProgress(terminal, (onProgress) =>
    makeBackup(file, { ...service, now: new Date(), signal: terminal.stop, onProgress }),
  )
  const where = explainKeys(keys)
  terminal.err(`${file} holds ${service.database} ${where}; restored on trial with ${receivers} webhooks and chats\n`)
}
