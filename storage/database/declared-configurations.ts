import { randomBytes, randomUUID } from 'node:crypto'
import { enable } from './configurations.ts'
import type { Configuration, ConfigurationKind } from './configurations.ts'
import { lockRows } from './engine.ts'
import type { Database } from './open-database.ts'

/** A configuration as the configuration file declares it. */
export type DeclaredConfiguration = Pick<Configuration, 'kind' | 'alias' | 'url' | 'service' | 'events' | 'secretToken'>

/**
 * Makes the configurations of a repository be what a file declares. They are known by their alias, so each keeps its id,
 * signing secret and deliveries; one that was declared and is not any more is deleted. One that is disabled and gets
 * another URL is enabled again, with the latest of its held deliveries.
 */
export async function applyDeclaredConfigurations(
  db: Database,
  repoId: string,
  declared: readonly DeclaredConfiguration[],
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // In the order in which attempts lock them, not in that of the file.
    const present = tx.selectFrom('configurations').select('id').where('repo_id', '=', repoId)
    await lockRows(tx, present.orderBy('id')).execute()
    for (const one of declared) {
      await insertIfNew(tx, repoId, one, now)
      await adjust(tx, repoId, one, now)
    }
    await tx
      .deleteFrom('configurations')
      .where('repo_id', '=', repoId)
      .where('is_declared', '=', 1)
      .$if(declared.length > 0, (query) =>
        query.where(
          'alias',
          'not in',
          declared.map((one) => one.alias),
        ),
      )
      .execute()
  })
}

async function insertIfNew(tx: Database, repoId: string, declared: DeclaredConfiguration, now: Date): Promise<void> {
  await tx
    .insertInto('configurations')
    .values({
      ...columnsOf(declared),
      id: randomUUID(),
      repo_id: repoId,
      signing_secrets: newSigningSecrets(declared.kind),
      is_enabled: 1,
      created_at: now.getTime(),
      updated_at: now.getTime(),
    })
    .onConflict((conflict) => conflict.columns(['repo_id', 'alias']).doNothing())
    .execute()
}

async function adjust(tx: Database, repoId: string, declared: DeclaredConfiguration, now: Date): Promise<void> {
  const row = await tx
    .selectFrom('configurations')
    .selectAll()
    .where('repo_id', '=', repoId)
    .where('alias', '=', declared.alias)
    .executeTakeFirstOrThrow()
  const columns = columnsOf(declared)
  if (Object.entries(columns).every(([name, value]) => Reflect.get(row, name) === value)) return
  await tx
    .updateTable('configurations')
    .set({ ...columns, updated_at: now.getTime() })
    .$if(row.kind !== declared.kind, (update) => update.set({ signing_secrets: newSigningSecrets(declared.kind) }))
    .where('id', '=', row.id)
    .execute()
  if (row.is_enabled === 0 && row.url !== declared.url) await enable(tx, row.id, 'latest', now)
}

function columnsOf({ kind, alias, url, service, events, secretToken }: DeclaredConfiguration) {
  return {
    kind,
    alias,
    url,
    origin: originOf(url),
    service,
    events: JSON.stringify(events),
    secret_token: secretToken,
    is_declared: 1,
  } as const
}

/** `host:port`. */
function originOf(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port === '' ? '443' : port}`
}

/** Standard Webhooks asks for 24 to 64 random bytes. Chats get no signature. */
function newSigningSecrets(kind: ConfigurationKind): string {
  return JSON.stringify(kind === 'webhook' ? [`whsec_${randomBytes(32).toString('base64')}`] : [])
}
