import { isDeepStrictEqual } from 'node:util'
import type { Resume } from '@floe/contract/lists'
import { type SecretBox, SecretError, UnknownKeyError } from '../../secrets/index.ts'
import type { AuditEntry } from '../audit.ts'
import { DeclaredInFileError } from '../errors.ts'
import type { Database } from '../open-database.ts'
import type { NewReceiver } from './add-receiver.ts'
import { claimAlias, editReceiver, type EditOptions, saveReceiver } from './edit-receiver.ts'
import { resumeQueues } from './queue.ts'
import { openSecretToken, openUrl, sealSecretToken, sealUrl } from './receiver-secrets.ts'
import { disabledColumns, enabledColumns, type Receiver, type ReceiverAddress, writeFilter } from './receivers.ts'

/**
 * The members to change; missing and undefined members stay as they are. Secrets are not sealed, as in
 * {@link NewReceiver}.
 */
export type ReceiverChange = {
  readonly [Name in keyof Omit<NewReceiver, 'org' | 'repoId' | 'kind' | 'signingSecret'>]?:
    NewReceiver[Name] | undefined
} & {
  /** Which held deliveries to send when the receiver becomes enabled. Default `latest`. */
  readonly resume?: Resume | undefined
}

type UpdatedReceiver = {
  readonly receiver: Receiver
  /** Whether the change removed the secret token because of the new URL. */
  readonly hasDroppedSecretToken: boolean
  /** Undefined when the change changes nothing: then it is not recorded, and the version stays the same. */
  readonly audit: AuditEntry | undefined
}

/**
 * Changes a receiver. After it is disabled, no more of its deliveries are claimed; the attempt under way is still
 * recorded. A URL with another scheme, host, port or path removes the secret token, unless the change sets one. A
 * declared receiver can only be enabled and disabled.
 *
 * @throws ReceiverNotFoundError, ReceiverChangedError, DeclaredInFileError, AliasInUseError
 */
export async function updateReceiver(
  db: Database,
  address: ReceiverAddress,
  { isEnabled, resume = 'latest', ...settings }: ReceiverChange,
  { secrets, ...options }: EditOptions & { readonly secrets: SecretBox },
): Promise<UpdatedReceiver> {
  const change = async (tx: Database, before: Receiver) => {
    if (Object.values(settings).some((value) => value !== undefined)) refuseDeclared(before)
    const url = readSecret(() => openUrl(before, secrets))
    const hasDroppedSecretToken = dropsSecretToken({ ...before, url }, settings)
    const isResumed = isEnabled === true && !before.isEnabled
    const isStopped = isEnabled === false && before.isEnabled
    const open = { ...before, url, secretToken: readSecret(() => openSecretToken(before, secrets)) }
    const changes = pickChanges(open, hasDroppedSecretToken ? { ...settings, secretToken: null } : settings)
    if (Object.keys(changes).length === 0 && !isResumed && !isStopped)
      return { receiver: before, hasDroppedSecretToken }
    const columns = sealChanges(before, changes, secrets)
    const state = { ...(isResumed && enabledColumns), ...(isStopped && disabledColumns) }
    const receiver = await saveReceiver(tx, before, { ...columns, ...state }, options.now)
    if (isResumed) await resumeQueues(tx, before.id, resume, options.now)
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
): Promise<{ readonly audit: AuditEntry | undefined }> {
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

type Settings = Omit<ReceiverChange, 'isEnabled' | 'resume'>

/** The members that a change sets to other values. */
type Changes = { readonly [Name in keyof Settings]: Exclude<Settings[Name], undefined> }

/** Compares opened secrets, because sealing is not deterministic. */
function pickChanges(before: Settings, settings: Settings): Changes {
  const changed = Object.entries(settings).filter(
    // The names are those of the settings.
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof Settings]),
  )
  return Object.fromEntries(changed)
}

/** Undefined when the secret cannot be opened: it can still be replaced. */
function readSecret<Secret>(open: () => Secret): Secret | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof SecretError || error instanceof UnknownKeyError) return undefined
    throw error
  }
}

/** Returns the columns of a receiver after changes. */
function sealChanges(before: Receiver, changes: Changes, secrets: SecretBox) {
  const { id } = before
  const { url, secretToken } = changes
  const { alias, service, ...filter } = { ...before, ...changes }
  return {
    alias,
    service,
    ...writeFilter(filter),
    ...(url !== undefined && sealUrl({ id, url }, secrets)),
    ...(secretToken !== undefined && { secret_token: sealSecretToken(id, secretToken, secrets) }),
  }
}

/**
 * Whether a change removes the secret token: its URL has another scheme, host, port or path, and it sets no token.
 * Different paths of one host can belong to different people.
 *
 * @param before its URL is not sealed; undefined when it cannot be opened, which counts as a different URL
 */
export function dropsSecretToken(
  before: Pick<Receiver, 'secretToken'> & { readonly url: string | undefined },
  { url, secretToken }: Pick<ReceiverChange, 'url' | 'secretToken'>,
): boolean {
  if (url === undefined || secretToken !== undefined || before.secretToken === null) return false
  if (before.url === undefined) return true
  const [from, to] = [new URL(before.url), new URL(url)]
  return from.origin !== to.origin || from.pathname !== to.pathname
}
