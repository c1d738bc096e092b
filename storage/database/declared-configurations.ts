import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { SecretBox } from '../secrets/index.ts'
import { enabledColumns } from './change-configuration.ts'
import { newSigningSecret, openReceiver, sealSecretToken, sealSigningSecret, sealUrl } from './configuration-secrets.ts'
import { formatSigningSecrets, toConfiguration } from './configurations.ts'
import type { Configuration, ConfigurationKind } from './configurations.ts'
import { lockRows } from './engine.ts'
import { resumeLine } from './lines.ts'
import type { Database } from './open-database.ts'
import { lockRepository } from './repositories.ts'

/** A configuration as the configuration file declares it; its secrets are open. */
export type DeclaredConfiguration = Pick<Configuration, 'kind' | 'alias' | 'url' | 'service' | 'events' | 'secretToken'>

type DeclaringOptions = { readonly secrets: SecretBox; readonly now: Date }

/** Ids of the repositories of these organisations that have a declared configuration. */
export async function listRepositoriesWithDeclared(db: Database, orgs: readonly string[]): Promise<readonly string[]> {
  if (orgs.length === 0) return []
  const rows = await db
    .selectFrom('configurations')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select('repo_id')
    .distinct()
    .where('org', 'in', orgs)
    .where('is_declared', '=', 1)
    .execute()
  return rows.map((row) => row.repo_id)
}

/**
 * Makes the configurations of a repository be what a file declares. They are known by their alias, so each keeps its id,
 * signing secret and deliveries; one that was declared and is not any more is deleted. One that is disabled and gets
 * another URL is enabled again, with the latest of its held deliveries.
 *
 * @throws UnknownKeyError, SecretError
 */
export async function applyDeclaredConfigurations(
  db: Database,
  repoId: string,
  declared: readonly DeclaredConfiguration[],
  options: DeclaringOptions,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockRepository(tx, repoId)
    const query = tx.selectFrom('configurations').selectAll().where('repo_id', '=', repoId)
    // In the order in which attempts lock them, not in that of the file.
    const present = (await lockRows(tx, query.orderBy('id')).execute()).map(toConfiguration)
    for (const one of declared) {
      const before = present.find(({ alias }) => alias === one.alias)
      if (before === undefined) await insert(tx, repoId, one, options)
      else await adjust(tx, before, one, options)
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

async function insert(
  tx: Database,
  repoId: string,
  declared: DeclaredConfiguration,
  { secrets, now }: DeclaringOptions,
): Promise<void> {
  const id = randomUUID()
  await tx
    .insertInto('configurations')
    .values({
      ...columnsOf(id, declared, secrets),
      ...newSigningSecrets(id, declared.kind, secrets),
      id,
      repo_id: repoId,
      is_enabled: 1,
      created_at: now.getTime(),
      updated_at: now.getTime(),
    })
    .execute()
}

async function adjust(
  tx: Database,
  before: Configuration,
  declared: DeclaredConfiguration,
  { secrets, now }: DeclaringOptions,
): Promise<void> {
  const { url, secretToken } = openReceiver(before, secrets, now)
  const present = declaredPart({ ...before, url, secretToken })
  if (before.isDeclared && isDeepStrictEqual(present, declaredPart(declared))) return
  const isMoved = !before.isEnabled && url !== declared.url
  await tx
    .updateTable('configurations')
    .set((eb) => ({
      ...columnsOf(before.id, declared, secrets),
      ...(before.kind !== declared.kind && newSigningSecrets(before.id, declared.kind, secrets)),
      ...(isMoved && enabledColumns),
      version: eb('version', '+', 1),
      updated_at: now.getTime(),
    }))
    .where('id', '=', before.id)
    .execute()
  if (isMoved) await resumeLine(tx, before.id, 'latest', now)
}

/** What a file can say, and nothing else. */
function declaredPart(declared: DeclaredConfiguration): DeclaredConfiguration {
  const { kind, alias, url, service, events, secretToken } = declared
  return { kind, alias, url, service, events, secretToken }
}

function columnsOf(id: string, declared: DeclaredConfiguration, secrets: SecretBox) {
  const { kind, alias, service, events, secretToken } = declared
  return {
    kind,
    alias,
    ...sealUrl({ ...declared, id }, secrets),
    service,
    events: JSON.stringify(events),
    secret_token: sealSecretToken(id, secretToken, secrets),
    is_declared: 1,
  } as const
}

/** Chats get no signature. */
function newSigningSecrets(id: string, kind: ConfigurationKind, secrets: SecretBox) {
  const signingSecrets = kind === 'webhook' ? [sealSigningSecret(id, newSigningSecret(), secrets)] : []
  return { signing_secrets: formatSigningSecrets(signingSecrets) }
}
