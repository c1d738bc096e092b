import { resealSecrets, rotateKeyFile } from '@floe/storage/database'
import { findKeyFile, openSecretBox } from '../../configuration/open-secret-box.ts'
import type { CommandLine } from '../command.ts'
import { showProgress, type Terminal } from '../terminal.ts'
import { readDatabaseConfig, useDatabase } from '../access/use-database.ts'

/** `floe secrets rotate-key`: encrypts the secrets in the database with another key. Servers may keep running. */
export async function rotateKey({ values }: CommandLine, terminal: Terminal): Promise<void> {
  const config = await readDatabaseConfig(values, terminal)
  const keyFile = findKeyFile(config)
  const box = keyFile === undefined ? openSecretBox(config) : undefined
  const count = await useDatabase(config, terminal, (db) =>
    showProgress(terminal, (show) => {
      show('encrypting the secrets')
      return box === undefined ? rotateKeyFile(db, String(keyFile)) : resealSecrets(db, box)
    }),
  )
  const how =
    keyFile === undefined
      ? 'the first of the configured keys; once every process has this key first, the other keys can be removed'
      : `a new key, which is in ${keyFile}`
  terminal.err(`encrypted the secrets of ${count} webhooks and chats with ${how}\n`)
}
