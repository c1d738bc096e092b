// How people change receivers. Each change and its line in the audit are one transaction.
import { randomUUID } from 'node:crypto'
import type { Updateable } from 'kysely'
import type { SecretBox } from '../../secrets/index.ts'
import { recordAudit, type AuditOf } from '../audit.ts'
import { newSigningSecret, sealSecretToken, sealSigningSecret, sealUrl } from './receiver-secrets.ts'
import { formatSigningSecrets, selectReceiver, toReceiver } from './receivers.ts'
import type { Receiver, ReceiverAddress, SigningSecret } from './receivers.ts'
import { isUniqueViolation, lockRows } from '../engine.ts'
import { resumeQueue, type Resume } from '../queue.ts'
import type { Database } from '../open-database.ts'
import { lockRepository } from '../repositories.ts'
import type { ReceiversTable } from '../tables.ts'

/** A receiver as people set it; URL and secret token are open. */
export type NewReceiver = Pick<
  Receiver,
  'repoId' | 'kind' | 'alias' | 'url' | 'service' | 'events' | 'secretToken' | 'isEnabled'
> & {
  /** Of a webhook: `whsec_` and base64. A new one is made when it is left out. */
  readonly signingSecret?: string | undefined
}

/** What to change; the rest stays. Open as in {@link NewReceiver}. */
export type ReceiverChange = {
  readonly [Name in keyof Omit<NewReceiver, 'repoId' | 'kind' | 'signingSecret'>]?: NewReceiver[Name] | undefined
} & {
  /** When it becomes enabled; `latest` if it is left out. */
  readonly resume?: Resume | undefined
}

/** What each change comes with. */
export type ChangeOptions = { readonly auditOf: AuditOf<Receiver>; readonly now: Date }

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

/** The alias belongs to another receiver of the repository. */
export type AliasInUse = { readonly kind: 'alias-in-use' }

/** The most receivers of a repository, those of the file included, that still let people add one. */
export const maxReceivers = 50

/** For how long a signing secret that was replaced signs too, in milliseconds. */
const replacedSecretMs = 86_400_000

/** Each of them makes a header longer. */
const maxReplacedSecrets = 3

/** Adds a receiver. The signing secret, which chats do not have, is given here alone. */
export async function addReceiver(
  db: Database,
  creation: NewReceiver,
  { secrets, auditOf, now }: ChangeOptions & SealingOptions,
): Promise<
  | { readonly kind: 'created'; readonly receiver: Receiver; readonly signingSecret: string | null }
  | { readonly kind: 'too-many' }
  | AliasInUse
> {
  const id = randomUUID()
  const signingSecret = creation.kind === 'webhook' ? (creation.signingSecret ?? newSigningSecret()) : null
  const add = async (tx: Database) => {
    await lockRepository(tx, creation.repoId)
    if ((await countReceivers(tx, creation.repoId)) >= maxReceivers) return { kind: 'too-many' } as const
    const signingSecrets = signingSecret === null ? [] : [sealSigningSecret(id, signingSecret, secrets)]
    const row = await tx
      .insertInto('receivers')
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
    const receiver = toReceiver(row)
    await recordAudit(tx, auditOf(null, receiver), now)
    return { kind: 'created', receiver, signingSecret } as const
  }
  return refuseAliasInUse(() => db.transaction().execute(add))
}

/**
 * Changes a receiver. One that is disabled claims nothing any more; what was under way is still recorded. A URL with another scheme,
 * host, port or path takes the secret token away, unless the change brings one. A declared one can be enabled and disabled, no more.
 */
export async function updateReceiver(
  db: Database,
  address: ReceiverAddress,
  { isEnabled, resume = 'latest', ...target }: ReceiverChange,
  options: EditOptions & SealingOptions,
): Promise<
  | { readonly kind: 'updated'; readonly receiver: Receiver; readonly hasDroppedSecretToken: boolean }
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
      const receiver = await save(tx, before, { ...columns, ...state }, now)
      if (isResumed) await resumeQueue(tx, before.id, resume, now)
      await recordAudit(tx, auditOf(before, receiver), now)
      return { kind: 'updated', receiver, hasDroppedSecretToken }
    }),
  )
}

/** Deletes a receiver and its deliveries. */
export async function deleteReceiver(
  db: Database,
  address: ReceiverAddress,
  options: EditOptions,
): Promise<{ readonly kind: 'deleted' } | ChangeRefusal> {
  return edit(db, address, options, async (tx, before) => {
    if (before.isDeclared) return { kind: 'declared' }
    await tx.deleteFrom('receivers').where('id', '=', before.id).execute()
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
  address: ReceiverAddress,
  options: ChangeOptions & SealingOptions,
): Promise<{ readonly kind: 'rotated'; readonly receiver: Receiver; readonly signingSecret: string } | ChangeRefusal> {
  const { secrets, auditOf, now } = options
  return edit(db, address, options, async (tx, before) => {
    if (before.signingSecrets.some(({ isDeclared }) => isDeclared)) return { kind: 'declared' }
    const signingSecret = newSigningSecret()
    const replaced = stillSigning(before.signingSecrets, now)
    const signingSecrets = [sealSigningSecret(before.id, signingSecret, secrets), ...replaced]
    const columns = { signing_secrets: formatSigningSecrets(signingSecrets) }
    const receiver = await save(tx, before, columns, now)
    await recordAudit(tx, auditOf(before, receiver), now)
    return { kind: 'rotated', receiver, signingSecret }
  })
}

/** Changes a receiver that is there and of a version that is asked for, while its row is locked. */
async function edit<Result>(
  db: Database,
  address: ReceiverAddress,
  { versions }: EditOptions,
  change: (tx: Database, before: Receiver) => Promise<Result>,
): Promise<Result | ChangeRefusal> {
  return db.transaction().execute(async (tx) => {
    const row = await lockRows(tx, selectReceiver(tx, address)).executeTakeFirst()
    if (row === undefined) return { kind: 'unknown' }
    if (versions !== undefined && !versions.includes(row.version)) return { kind: 'outdated' }
    return change(tx, toReceiver(row))
  })
}

async function countReceivers(tx: Database, repoId: string): Promise<number> {
  const query = tx.selectFrom('receivers').select((eb) => eb.fn.countAll<number>().as('count'))
  const { count } = await query.where('repo_id', '=', repoId).executeTakeFirstOrThrow()
  return count
}

async function save(tx: Database, { id }: Receiver, columns: Updateable<ReceiversTable>, now: Date): Promise<Receiver> {
  const row = await tx
    .updateTable('receivers')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1), updated_at: now.getTime() }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toReceiver(row)
}

type Target = Omit<ReceiverChange, 'isEnabled' | 'resume'>

/** What is left out stays: a column that is undefined is not set. */
function targetColumns({ id, kind }: Receiver, target: Target, secrets: SecretBox) {
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
  before: Pick<Receiver, 'url' | 'secretToken'>,
  { url, secretToken }: Pick<ReceiverChange, 'url' | 'secretToken'>,
): boolean {
  if (url === undefined || secretToken !== undefined || before.secretToken === null) return false
  const [from, to] = [new URL(before.url), new URL(url)]
  return from.origin !== to.origin || from.pathname !== to.pathname
}

/** The columns of a receiver that is enabled. */
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
    // A receiver has no other name that could be taken.
    if (isUniqueViolation(error)) return { kind: 'alias-in-use' }
    throw error
  }
}
