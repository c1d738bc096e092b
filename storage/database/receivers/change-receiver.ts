// Changes and deletes receivers for administrators.
import type { SecretBox } from '../../secrets/index.ts'
import type { AuditEntry } from '../audit.ts'
import { DeclaredInFileError } from '../errors.ts'
import type { Database } from '../open-database.ts'
import { resumeQueue, type Resume } from '../queue.ts'
import type { NewReceiver } from './add-receiver.ts'
import { claimAlias, editReceiver, type EditOptions, saveReceiver } from './edit-receiver.ts'
import { openUrl, sealSecretToken, sealUrl } from './receiver-secrets.ts'
import { disabledColumns, enabledColumns, type Receiver, type ReceiverAddress } from './receivers.ts'

/** The members to change. Members that are missing or undefined stay as they are. Secrets are not sealed, as in {@link NewReceiver}. */
export type ReceiverChange = {
  readonly [Name in keyof Omit<NewReceiver, 'repoId' | 'kind' | 'signingSecret'>]?: NewReceiver[Name] | undefined
} & {
  /** Which held deliveries are sent when the receiver becomes enabled. Default `latest`. */
  readonly resume?: Resume | undefined
}

/** A receiver after a change. */
export type UpdatedReceiver = {
  readonly receiver: Receiver
  /** Whether the change removed the secret token because of the new URL. */
  readonly hasDroppedSecretToken: boolean
  readonly audit: AuditEntry
}

/**
 * Changes a receiver. A disabled one claims no more deliveries; the attempt under way is still recorded. A URL with another scheme,
 * host, port or path removes the secret token, unless the change brings one. A declared receiver can only be enabled and disabled.
 *
 * @throws ReceiverNotFoundError, ReceiverChangedError, DeclaredInFileError, AliasInUseError
 */
export async function updateReceiver(
  db: Database,
  address: ReceiverAddress,
  { isEnabled, resume = 'latest', ...target }: ReceiverChange,
  { secrets, ...options }: EditOptions & { readonly secrets: SecretBox },
): Promise<UpdatedReceiver> {
  const change = async (tx: Database, before: Receiver) => {
    const changesTarget = Object.values(target).some((value) => value !== undefined)
    if (changesTarget) refuseDeclared(before)
    const changed = target.url === undefined ? target : compareUrl(openUrl(before, secrets), before, target)
    const hasDroppedSecretToken = changed.secretToken === null && target.secretToken === undefined
    const isResumed = isEnabled === true && !before.isEnabled
    const isStopped = isEnabled === false && before.isEnabled
    const columns = sealTarget(before, changed, secrets)
    const state = { ...(isResumed && enabledColumns), ...(isStopped && disabledColumns) }
    const receiver = await saveReceiver(tx, before, { ...columns, ...state }, options.now)
    if (isResumed) await resumeQueue(tx, before.id, resume, options.now)
    return { receiver, hasDroppedSecretToken }
  }
  return claimAlias(() => editReceiver(db, address, 'update', options, change))
}

/**
 * Deletes a receiver and its deliveries.
 *
 * @throws ReceiverNotFoundError, ReceiverChangedError, DeclaredInFileError
 */
export async function deleteReceiver(
  db: Database,
  address: ReceiverAddress,
  options: EditOptions,
): Promise<{ readonly audit: AuditEntry }> {
  return editReceiver(db, address, 'delete', options, async (tx, before) => {
    refuseDeclared(before)
    await tx.deleteFrom('receivers').where('id', '=', before.id).execute()
    return { receiver: null }
  })
}

function refuseDeclared({ isDeclared, kind }: Receiver): void {
  if (!isDeclared) return
  throw new DeclaredInFileError(
    `The configuration file declares this ${kind}; here it can only be enabled and disabled`,
  )
}

type Target = Omit<ReceiverChange, 'isEnabled' | 'resume'>

/** What a change with a URL changes. The same URL stays as it is sealed, so that it does not look like another one. */
function compareUrl(url: string, before: Receiver, target: Target): Target {
  if (target.url === url) return { ...target, url: undefined }
  return dropsSecretToken({ ...before, url }, target) ? { ...target, secretToken: null } : target
}

/** Returns the columns of a change. A column that is undefined is not set. */
function sealTarget({ id }: Receiver, target: Target, secrets: SecretBox) {
  const { alias, service, url, events, secretToken } = target
  return {
    alias,
    service,
    events: events && JSON.stringify(events),
    ...(url !== undefined && sealUrl({ id, url }, secrets)),
    ...(secretToken !== undefined && { secret_token: sealSecretToken(id, secretToken, secrets) }),
  }
}

/**
 * Whether a change removes the secret token: its URL has another scheme, host, port or path, and it brings no token. Different paths
 * of one host may belong to different people.
 *
 * @param before its URL is not sealed
 */
export function dropsSecretToken(
  before: Pick<Receiver, 'url' | 'secretToken'>,
  { url, secretToken }: Pick<ReceiverChange, 'url' | 'secretToken'>,
): boolean {
  if (url === undefined || secretToken !== undefined || before.secretToken === null) return false
  const [from, to] = [new URL(before.url), new URL(url)]
  return from.origin !== to.origin || from.pathname !== to.pathname
}
