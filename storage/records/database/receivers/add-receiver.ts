import { randomUUID } from 'node:crypto'
import type { SecretBox } from '../../secrets/index.ts'
import type { AuditEntry, ChangeOptions } from '../audit.ts'
import { RecordProblem } from '../record-problem.ts'
import type { Database } from '../open-database.ts'
import { lockOwner } from '../repositories.ts'
import { recordReceiverChange } from './audit-receiver.ts'
import { claimAlias } from './edit-receiver.ts'
import {
  nameKeys,
  newSigningSecret,
  type ReceiverSettings,
  sealSettings,
  sealSigningSecret,
} from './receiver-secrets.ts'
import {
  disabledColumns,
  enabledColumns,
  formatSigningSecrets,
  type Receiver,
  selectOwned,
  toReceiver,
} from './receivers.ts'
import { transact } from '../transact.ts'

export type NewReceiver = ReceiverSettings & {
  /** Null for a receiver of the organisation. */
  readonly repoId: string | null
  readonly org: string
  readonly isEnabled: boolean
  /** Signing secret of a webhook: `whsec_` and base64. Default: a new one. */
  readonly signingSecret?: string | undefined
}

type AddedReceiver = {
  readonly receiver: Receiver
  /** Not sealed; no other function returns it. Null for chats, which have none. */
  readonly signingSecret: string | null
  readonly audit: AuditEntry
}

/**
 * Maximum number of receivers of each repository, and of each organisation itself, including those that the
 * configuration file declares.
 */
export const maxReceivers = 50

/**
 * Adds a receiver to a repository or an organisation.
 *
 * @throws AliasInUseError, RecordProblem
 */
export async function addReceiver(
  db: Database,
  creation: NewReceiver,
  { secrets, ...options }: ChangeOptions & { readonly secrets: SecretBox },
): Promise<AddedReceiver> {
  const id = randomUUID()
  const signingSecret = creation.kind === 'webhook' ? (creation.signingSecret ?? newSigningSecret()) : null
  const add = async (tx: Database) => {
    await lockOwner(tx, creation)
    if ((await selectOwned(tx, creation).execute()).length >= maxReceivers)
      throw new RecordProblem(
        'too-many-receivers',
        `The repository has ${maxReceivers} webhooks and chats, which is the maximum`,
      )
    const signingSecrets = signingSecret === null ? [] : [sealSigningSecret(id, signingSecret, secrets)]
    const sealed = { ...sealSettings(id, creation, secrets), signing_secrets: formatSigningSecrets(signingSecrets) }
    const row = await tx
      .insertInto('receivers')
      .values({
        id,
        org: creation.org,
        repo_id: creation.repoId,
        ...sealed,
        sealed_with: nameKeys(sealed),
        is_declared: 0,
        ...(creation.isEnabled ? enabledColumns : disabledColumns),
        created_at: options.now.getTime(),
        updated_at: options.now.getTime(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const receiver = toReceiver(row)
    const audit = await recordReceiverChange(tx, 'create', { before: null, after: receiver }, options)
    return { receiver, signingSecret, audit }
  }
  return claimAlias(() => transact(db, add))
}
