import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { SecretBox } from '../../secrets/index.ts'
import { writeFilter } from '../../event-filter.ts'
import { lockRows } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { lockOwner } from '../repositories.ts'
import { deleteReceivers } from './delete-receivers.ts'
import { saveReceiver } from './edit-receiver.ts'
import { discardBefore, resumeQueues } from './queue.ts'
import {
  nameKeys,
  newSigningSecret,
  openReceiver,
  openSigningSecret,
  type ReceiverSettings,
  sealSettings,
  sealSigningSecret,
} from './receiver-secrets.ts'
import {
  enabledColumns,
  formatSigningSecrets,
  type Receiver,
  type ReceiverOwner,
  selectOwned,
  type SigningSecret,
  toReceiver,
} from './receivers.ts'
import { limitReplacedSecrets } from './rotate-signing-secret.ts'
import { transact } from '../transact.ts'

/** A receiver that the configuration file declares. */
export type DeclaredReceiver = ReceiverSettings & {
  /**
   * Signing secret of a webhook: `whsec_` and base64. Null keeps the current one, or generates one for a new webhook.
   */
  readonly signingSecret: string | null
}

type DeclaringOptions = { readonly secrets: SecretBox; readonly now: Date }

/** Lists the organisations and the repositories that have a declared receiver. */
export async function listOwnersOfDeclared(db: Database): Promise<readonly ReceiverOwner[]> {
  return (
    db
      .selectFrom('receivers')
      .select(['org', 'repo_id as repoId'])
      .distinct()
      // A literal: with a parameter, SQLite would not use the index of declared rows.
      .where('is_declared', '=', sql.lit<1>(1))
      .execute()
  )
}

/**
 * Applies the receivers that a file declares for a repository or an organisation. Receivers are matched by alias, and
 * keep their ids, signing secrets and deliveries. A receiver that is no longer declared is deleted. A declared signing
 * secret replaces the current one, which signs for another 24 hours. A disabled receiver with a new URL is enabled
 * again, with the latest of its held deliveries.
 *
 * @throws UnknownKeyError, SecretError
 */
export async function applyDeclaredReceivers(
  db: Database,
  owner: ReceiverOwner,
  declared: readonly DeclaredReceiver[],
  options: DeclaringOptions,
): Promise<void> {
  const apply = async (tx: Database) => {
    await lockOwner(tx, owner)
    // Attempts lock receivers in this order too, so that transactions cannot deadlock.
    const receivers = (await lockRows(tx, selectOwned(tx, owner).orderBy('id')).execute()).map(toReceiver)
    for (const receiver of declared) {
      const before = receivers.find(({ alias }) => alias === receiver.alias)
      if (before === undefined) await insert(tx, owner, receiver, options)
      else await adjust(tx, before, receiver, options)
    }
    const aliases = new Set(declared.map(({ alias }) => alias))
    const undeclared = receivers.filter(({ isDeclared, alias }) => isDeclared && !aliases.has(alias))
    const ids = undeclared.map(({ id }) => id)
    if (ids.length > 0) await deleteReceivers(tx, ids)
  }
  await discardBefore(db, () => transact(db, apply))
}

async function insert(
  tx: Database,
  { org, repoId }: ReceiverOwner,
  declared: DeclaredReceiver,
  { secrets, now }: DeclaringOptions,
): Promise<void> {
  const id = randomUUID()
  const signing_secrets = formatSigningSecrets(createSigningSecrets(id, declared, secrets))
  const sealed = { ...sealSettings(id, declared, secrets), signing_secrets }
  await tx
    .insertInto('receivers')
    .values({
      ...sealed,
      sealed_with: nameKeys(sealed),
      id,
      org,
      repo_id: repoId,
      is_declared: 1,
      is_enabled: 1,
      created_at: now.getTime(),
      updated_at: now.getTime(),
    })
    // Two processes may start with the same file while their organisation has no repository whose row they could lock.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function adjust(
  tx: Database,
  before: Receiver,
  declared: DeclaredReceiver,
  options: DeclaringOptions,
): Promise<void> {
  const { secrets, now } = options
  const { url, secretToken, headers } = openReceiver(before, secrets, now)
  const signingSecrets = updateSigningSecrets(before, declared, options)
  const isSame = isDeepStrictEqual(pickComparable({ ...before, url, secretToken, headers }), pickComparable(declared))
  if (before.isDeclared && isSame && isDeepStrictEqual(signingSecrets, before.signingSecrets)) return
  const isMoved = !before.isEnabled && url !== declared.url
  const columns = {
    ...sealSettings(before.id, declared, secrets),
    is_declared: 1 as const,
    signing_secrets: formatSigningSecrets(signingSecrets),
  }
  await saveReceiver(tx, before, { ...columns, ...(isMoved && enabledColumns) }, now)
  if (isMoved) await resumeQueues(tx, before.id, 'latest', now)
}

function pickComparable({ kind, alias, url, service, secretToken, headers, filter }: ReceiverSettings) {
  return { kind, alias, url, service, secretToken, headers, filter: writeFilter(filter) }
}

function updateSigningSecrets(
  before: Receiver,
  declared: DeclaredReceiver,
  { secrets, now }: DeclaringOptions,
): readonly SigningSecret[] {
  const { id, kind, signingSecrets } = before
  const [current] = signingSecrets
  if (current === undefined || kind !== declared.kind) return createSigningSecrets(id, declared, secrets)
  // A secret that is no longer declared stays valid and can be rotated.
  if (declared.signingSecret === null) return signingSecrets.map((secret) => ({ ...secret, isDeclared: false }))
  const isDeclared = (secret: SigningSecret) => openSigningSecret(id, secret, secrets) === declared.signingSecret
  if (isDeclared(current)) return signingSecrets.map((secret, index) => ({ ...secret, isDeclared: index === 0 }))
  // If the file declares a replaced secret that still signs, do not list it twice.
  const replaced = limitReplacedSecrets(
    signingSecrets.filter((secret) => !isDeclared(secret)),
    now,
  )
  return [sealSigningSecret(id, declared.signingSecret, secrets, true), ...replaced]
}

function createSigningSecrets(
  id: string,
  { kind, signingSecret }: DeclaredReceiver,
  secrets: SecretBox,
): readonly SigningSecret[] {
  if (kind === 'chat') return []
  return [sealSigningSecret(id, signingSecret ?? newSigningSecret(), secrets, signingSecret !== null)]
}
