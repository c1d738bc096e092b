// `floe secrets`: changes the key that secrets in the database are encrypted with.
import { type Database, openDatabase, resealSecrets, rotateKeyFile } from '@floe/storage/database'
import type { Config } from '../configuration/schema.ts'
import { findKeyFile, openSecretBox } from '../configuration/open-secret-box.ts'
import type { CommandLine } from './command.ts'
import { showProgress } from './progress.ts'
import { readDatabaseConfig } from './read-database-config.ts'
import type { Terminal } from './terminal.ts'

/** What to do once the database is open. Returns a sentence that says what was done. */
type Rotation = (db: Database) => Promise<string>

/** `floe secrets rotate-key`; servers may keep running. */
export async function rotateKey({ values }: CommandLine, terminal: Terminal): Promise<void> {
  const config = await readDatabaseConfig(values, terminal)
  const rotate = chooseRotation(config)
  const report = await showProgress(terminal, async (show) => {
    show('opening the database')
    const db = await openDatabase(config.database)
    try {
      show('encrypting the secrets')
      return await rotate(db)
    } finally {
      await db.destroy()
    }
  })
  terminal.err(`${report}\n`)
}

function chooseRotation(config: Config): Rotation {
  const keyFile = findKeyFile(config)
  if (keyFile !== undefined) {
    return async (db) => `${reportEncrypted(await rotateKeyFile(db, keyFile))} with a new key, which is in ${keyFile}`
  }
  const box = openSecretBox(config)
  const advice = 'once every process has this key first, the other keys can be removed'
  return async (db) =>
    `${reportEncrypted(await resealSecrets(db, box))} with the first of the configured keys; ${advice}`
}

function reportEncrypted(count: number): string {
  return `encrypted the secrets of ${count} webhooks and chats`
}
