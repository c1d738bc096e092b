// How people change configurations. Each change and its line in the audit are one transaction.
import { randomUUID } from 'node:crypto'
import type { Updateable } from 'kysely'
import type { SecretBox } from '../../secrets/index.ts'
import { recordAudit, type AuditOf } from '../audit.ts'
import { newSigningSecret, sealSecretToken, sealSigningSecret, sealUrl } from './receiver-secrets.ts'
import { formatSigningSecrets, selectConfiguration, toConfiguration } from './receivers.ts'
import type { Configuration, ConfigurationAddress, SigningSecret } from './receivers.ts'
import { isUniqueViolation, lockRows } from '../engine.ts'
import { resumeLine, type Resume } from '../queue.ts'
import type { Database } from '../open-database.ts'
import { lockRepository } from '../repositories.ts'
import type { ConfigurationsTable } from '../tables.ts'

/** A configuration as people set it; URL and secret token are open. */
export type NewConfiguration = Pick<
  Configuration,
  'repoId' | 'kind' | 'alias' | 'url' | 'service' | 'events' | 'secretToken' | 'isEnabled'
> & {
  /** Of a webhook: `whsec_` and base64. A new one is made when it is left out. */
  readonly signingSecret?: string | undefined
}

/** What to change; the rest stays. Open as in {@link NewConfiguration}. */
export type ConfigurationChange = {
  readonly [Name in keyof Omit<NewConfiguration, 'repoId' | 'kind' | 'signingSecret'>]?:
    NewConfiguration[Name] | undefined
} & {
  /** When it becomes enabled; `latest` if it is left out. */
  readonly resume?: Resume | undefined
}

/** What each change comes with. */
export type ChangeOptions = { readonly auditOf: AuditOf<Configuration>; readonly now: Date }

/** Also: which versions may be changed; any, if it is left out. */
export type EditOptions = ChangeOptions & { readonly versions?: readonly number[] | undefined }

/** Also: what seals. */
type SealingOptions = { readonly secrets: SecretBox }

/** Why nothing was changed. */
export type ChangeRefusal = {
  readonly kind:
    | 'unknown'
    /** It does not have one of the versions that were asked for. */
    | 'outdated'
    /** It, or what was to be changed of it, stands in the configuration file. */
    | 'declared'
}

/** The alias belongs to another configuration of the repository. */
export type AliasInUse = { readonly kind: 'alias-in-use' }

/** The most configurations of a repository, those of the file included, that still let people add one. */
export const maxConfigurations = 50

/** For how long a signing secret that was replaced signs too, in milliseconds. */
const replacedSecretMs = 86_400_000

/** Each of them makes a header longer. */
const maxReplacedSecrets = 3

/** Adds a configuration. The signing secret, which chats do not have, is given here alone. */
export async function createConfiguration(
  db: Database,
  creation: NewConfiguration,
  { secrets, auditOf, now }: ChangeOptions & SealingOptions,
): Promise<
  | { readonly kind: 'created'; readonly configuration: Configuration; readonly signingSecret: string | null }
  | { readonly kind: 'too-many' }
  | AliasInUse
> {
  const id = randomUUID()
  const signingSecret = creation.kind === 'webhook' ? (creation.signingSecret ?? newSigningSecret()) : null
  const add = async (tx: Database) => {
    await lockRepository(tx, creation.repoId)
    if ((await countConfigurations(tx, creation.repoId)) >= maxConfigurations) return { kind: 'too-many' } as const
    const signingSecrets = signingSecret === null ? [] : [sealSigningSecret(id, signingSecret, secrets)]
    const row = await tx
      .insertInto('configurations')
      .values({
        id,
        repo_id: creation.repoId,
        kind: creation.kind,
        alias: creation.alias,
        service: creation.service,
        events: JSON.stringify(creation.events),
        ...sealUrl({ ...creation, id }, secrets),
        secret_token: sealSecretToken(id, creation.secretToken, secrets),
        signing_secrets: formatSigningSecrets(signingSecrets),
        is_declared: 0,
        ...(creation.isEnabled ? enabledColumns : disabledColumns),
        created_at: now.getTime(),
        updated_at: now.getTime(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const configuration = toConfiguration(row)
    await recordAudit(tx, auditOf(null, configuration), now)
    return { kind: 'created', configuration, signingSecret } as const
  }
  return refuseAliasInUse(() => db.transaction().execute(add))
}

/**
 * Changes a configuration. One that is disabled claims nothing any more; what was under way is still recorded. A URL with another scheme,
 * host, port or path takes the secret token away, unless the change brings one. A declared one can be enabled and disabled, no more.
 */
export async function updateConfiguration(
  db: Database,
  address: ConfigurationAddress,
  { isEnabled, resume = 'latest', ...target }: ConfigurationChange,
  options: EditOptions & SealingOptions,
): Promise<
  | { readonly kind: 'updated'; readonly configuration: Configuration; readonly hasDroppedSecretToken: boolean }
  | ChangeRefusal
  | AliasInUse
> {
  const { secrets, auditOf, now } = options
  return refuseAliasInUse(() =>
    edit(db, address, options, async (tx, before) => {
      const changesTarget = Object.values(target).some((value) => value !== undefined)
      if (before.isDeclared && changesTarget) return { kind: 'declared' }
      const hasDroppedSecretToken = dropsSecretToken(before, target)
      const isResumed = isEnabled === true && !before.isEnabled
      const isStopped = isEnabled === false && before.isEnabled
      const columns = targetColumns(before, hasDroppedSecretToken ? { ...target, secretToken: null } : target, secrets)
      const state = { ...(isResumed && enabledColumns), ...(isStopped && disabledColumns) }
      const configuration = await save(tx, before, { ...columns, ...state }, now)
      if (isResumed) await resumeLine(tx, before.id, resume, now)
      await recordAudit(tx, auditOf(before, configuration), now)
      return { kind: 'updated', configuration, hasDroppedSecretToken }
    }),
  )
}

/** Deletes a configuration and its deliveries. */
export async function deleteConfiguration(
  db: Database,
  address: ConfigurationAddress,
  options: EditOptions,
): Promise<{ readonly kind: 'deleted' } | ChangeRefusal> {
  return edit(db, address, options, async (tx, before) => {
    if (before.isDeclared) return { kind: 'declared' }
    await tx.deleteFrom('configurations').where('id', '=', before.id).execute()
    await recordAudit(tx, options.auditOf(before, null), options.now)
    return { kind: 'deleted' }
  })
}

/**
 * Makes a new signing secret, given here alone. The one before signs too for 24 hours. One that the configuration file declares is
 * changed there.
 */
export async function rotateSigningSecret(
  db: Database,
  address: ConfigurationAddress,
  options: ChangeOptions & SealingOptions,
): Promise<
  { readonly kind: 'rotated'; readonly configuration: Configuration; readonly signingSecret: string } | ChangeRefusal
> {
  const { secrets, auditOf, now } = options
  return edit(db, address, options, async (tx, before) => {
    if (before.signingSecrets.some(({ isDeclared }) => isDeclared)) return { kind: 'declared' }
    const signingSecret = newSigningSecret()
    const replaced = stillSigning(before.signingSecrets, now)
    const signingSecrets = [sealSigningSecret(before.id, signingSecret, secrets), ...replaced]
    const columns = { signing_secrets: formatSigningSecrets(signingSecrets) }
    const configuration = await save(tx, before, columns, now)
    await recordAudit(tx, auditOf(before, configuration), now)
    return { kind: 'rotated', configuration, signingSecret }
  })
}

/** Changes a configuration that is there and of a version that is asked for, while its row is locked. */
async function edit<Result>(
  db: Database,
  address: ConfigurationAddress,
  { versions }: EditOptions,
  change: (tx: Database, before: Configuration) => Promise<Result>,
): Promise<Result | ChangeRefusal> {
  return db.transaction().execute(async (tx) => {
    const row = await lockRows(tx, selectConfiguration(tx, address)).executeTakeFirst()
    if (row === undefined) return { kind: 'unknown' }
    if (versions !== undefined && !versions.includes(row.version)) return { kind: 'outdated' }
    return change(tx, toConfiguration(row))
  })
}

async function countConfigurations(tx: Database, repoId: string): Promise<number> {
  const query = tx.selectFrom('configurations').select((eb) => eb.fn.countAll<number>().as('count'))
  const { count } = await query.where('repo_id', '=', repoId).executeTakeFirstOrThrow()
  return count
}

async function save(
  tx: Database,
  { id }: Configuration,
  columns: Updateable<ConfigurationsTable>,
  now: Date,
): Promise<Configuration> {
  const row = await tx
    .updateTable('configurations')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1), updated_at: now.getTime() }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toConfiguration(row)
}

type Target = Omit<ConfigurationChange, 'isEnabled' | 'resume'>

/** What is left out stays: a column that is undefined is not set. */
function targetColumns({ id, kind }: Configuration, target: Target, secrets: SecretBox) {
  const { alias, service, url, events, secretToken } = target
  return {
    alias,
    service,
    events: events && JSON.stringify(events),
    ...(url !== undefined && sealUrl({ id, kind, url }, secrets)),
    ...(secretToken !== undefined && { secret_token: sealSecretToken(id, secretToken, secrets) }),
  }
}

/**
 * Whether a change takes the secret token away: its URL has another scheme, host, port or path, and it brings no token. Different paths of
 * one host may belong to different people.
 */
export function dropsSecretToken(
  before: Pick<Configuration, 'url' | 'secretToken'>,
  { url, secretToken }: Pick<ConfigurationChange, 'url' | 'secretToken'>,
): boolean {
  if (url === undefined || secretToken !== undefined || before.secretToken === null) return false
  const [from, to] = [new URL(before.url), new URL(url)]
  return from.origin !== to.origin || from.pathname !== to.pathname
}

/** The columns of a configuration that is enabled. */
export const enabledColumns = { is_enabled: 1, disabled_reason: null, failing_since: null } as const

const disabledColumns = { is_enabled: 0, disabled_reason: 'disabled by an administrator' } as const

/** The secrets before a new one, which sign beside it for 24 hours. */
export function stillSigning(before: readonly SigningSecret[], now: Date): SigningSecret[] {
  const end = new Date(now.getTime() + replacedSecretMs)
  return before
    .flatMap(({ sealed, until }) =>
      until === null || until > now ? [{ sealed, until: until ?? end, isDeclared: false }] : [],
    )
    .slice(0, maxReplacedSecrets)
}

/** A statement that fails ends a transaction, so this is asked when it is over. */
async function refuseAliasInUse<Result>(change: () => Promise<Result>): Promise<Result | AliasInUse> {
  try {
    return await change()
  } catch (error) {
    // A configuration has no other name that could be taken.
    if (isUniqueViolation(error)) return { kind: 'alias-in-use' }
    throw error
  }
}
