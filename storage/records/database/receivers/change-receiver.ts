import { isDeepStrictEqual } from 'node:util'
import type { EventFilter, Resume } from '@floe/contract/lists'
import { writeFilter } from '../../event-filter.ts'
import { type SecretBox, SecretError, UnknownKeyError } from '../../secrets/index.ts'
import type { AuditEntry, EditOptions } from '../audit.ts'
import { RecordProblem } from '../record-problem.ts'
import type { Database } from '../open-database.ts'
import type { NewReceiver } from './add-receiver.ts'
import { deleteReceivers } from './delete-receivers.ts'
import { claimAlias, editReceiver, saveReceiver } from './edit-receiver.ts'
import { discardBefore, pauseQueues, resumeQueues } from './queue.ts'
import { openHeaders, openSecretToken, openUrl, sealHeaders, sealSecretToken, sealUrl } from './receiver-secrets.ts'
import { disabledColumns, enabledColumns, type Receiver, type ReceiverAddress } from './receivers.ts'

/**
 * The members to change; missing and undefined members stay as they are. Secrets are not sealed, as in
 * {@link NewReceiver}.
 */
export type ReceiverChange = {
  readonly [Name in keyof Omit<NewReceiver, 'org' | 'repoId' | 'kind' | 'filter' | 'signingSecret'>]?:
    NewReceiver[Name] | undefined
} & {
  readonly filter?: Partial<EventFilter> | undefined
  /** Which held deliveries to send when the receiver becomes enabled. Default `latest`. */
  readonly resume?: Resume | undefined
}

type UpdatedReceiver = {
  readonly receiver: Receiver
  /** The secrets that the change removed because of the new URL. */
  readonly dropped: DroppedSecrets
  /** Undefined when the change changes nothing: then it is not recorded, and the version stays the same. */
  readonly audit: AuditEntry | undefined
}

/**
 * Changes a receiver. After it is disabled, no more of its deliveries are claimed; the attempt under way is still
 * recorded. A URL with another scheme, host, port or path removes the secret token and the headers, unless the change
 * sets them. A declared receiver can only be enabled and disabled.
 *
 * @throws RecordProblem, AliasInUseError
 */
export async function updateReceiver(
  db: Database,
  address: ReceiverAddress,
  { isEnabled, resume = 'latest', filter: filterChange = {}, ...others }: ReceiverChange,
  { secrets, ...options }: EditOptions & { readonly secrets: SecretBox },
): Promise<UpdatedReceiver> {
  const change = async (tx: Database, before: Receiver) => {
    if (Object.values({ ...others, ...filterChange }).some((value) => value !== undefined)) refuseDeclared(before)
    const settings = { ...others, filter: { ...before.filter, ...filterChange } }
    const url = readSecret(() => openUrl(before, secrets))
    const dropped = dropSecrets({ ...before, url }, settings)
    const isResumed = isEnabled === true && !before.isEnabled
    const isStopped = isEnabled === false && before.isEnabled
    const secretToken = readSecret(() => openSecretToken(before, secrets))
    const headers = readSecret(() => openHeaders(before, secrets))
    const changes = pickChanges({ ...before, url, secretToken, headers }, { ...settings, ...dropped })
    if (Object.keys(changes).length === 0 && !isResumed && !isStopped) return { receiver: before, dropped }
    const columns = sealChanges(before, changes, secrets)
    const state = { ...(isResumed && enabledColumns), ...(isStopped && disabledColumns) }
    const receiver = await saveReceiver(tx, before, { ...columns, ...state }, options.now)
    if (isResumed) await resumeQueues(tx, before.id, resume, options.now)
    if (isStopped) await pauseQueues(tx, [before.id])
    return { receiver, dropped }
  }
  return discardBefore(db, () => claimAlias(() => editReceiver(db, address, 'update', options, change)))
}

/**
 * Deletes a receiver. Its deliveries can no longer be read; the clean-up deletes them.
 *
 * @throws RecordProblem
 */
export async function deleteReceiver(
  db: Database,
  address: ReceiverAddress,
  options: EditOptions,
): Promise<{ readonly audit: AuditEntry | undefined }> {
  return editReceiver(db, address, 'delete', options, async (tx, before) => {
    refuseDeclared(before)
    await deleteReceivers(tx, [before.id])
    return { receiver: null }
  })
}

function refuseDeclared({ isDeclared, kind }: Receiver): void {
  if (!isDeclared) return
  throw new RecordProblem(
    'declared-in-file',
    `The configuration file declares this ${kind}; here it can only be enabled and disabled`,
  )
}

type Settings = Omit<ReceiverChange, 'isEnabled' | 'resume' | 'filter'> & Pick<Receiver, 'filter'>

/** The members that a change sets to other values. */
type Changes = { readonly [Name in keyof Settings]?: Exclude<Settings[Name], undefined> }

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
  const { url, secretToken, headers } = changes
  const { alias, service, filter } = { ...before, ...changes }
  return {
    alias,
    service,
    filter: writeFilter(filter),
    ...(url !== undefined && sealUrl({ id, url }, secrets)),
    ...(secretToken !== undefined && { secret_token: sealSecretToken(id, secretToken, secrets) }),
    ...(headers !== undefined && { headers: sealHeaders(id, headers, secrets) }),
  }
}

/** Changes that remove secrets. */
export type DroppedSecrets = { readonly secretToken?: null; readonly headers?: Readonly<Record<string, never>> }

/**
 * Returns which secrets a change removes: its URL has another scheme, host, port or path, and it does not set them.
 * Different paths of one host can belong to different people.
 *
 * @param before its URL is not sealed; undefined when it cannot be opened, which counts as a different URL
 */
export function dropSecrets(
  before: Pick<Receiver, 'secretToken' | 'headers'> & { readonly url: string | undefined },
  { url, secretToken, headers }: Pick<ReceiverChange, 'url' | 'secretToken' | 'headers'>,
): DroppedSecrets {
  if (url === undefined || (before.url !== undefined && isSamePlace(new URL(before.url), new URL(url)))) return {}
  return {
    ...(secretToken === undefined && before.secretToken !== null && { secretToken: null }),
    ...(headers === undefined && Object.keys(before.headers).length > 0 && { headers: {} }),
  }
}

function isSamePlace(from: URL, to: URL): boolean {
  return from.origin === to.origin && from.pathname === to.pathname
}
