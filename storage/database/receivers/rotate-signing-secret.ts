import type { SecretBox } from '../../secrets/index.ts'
import type { AuditEntry, ChangeOptions } from '../audit.ts'
import { DeclaredInFileError } from '../errors.ts'
import type { Database } from '../open-database.ts'
import { editReceiver, saveReceiver } from './edit-receiver.ts'
import { newSigningSecret, sealSigningSecret } from './receiver-secrets.ts'
import { formatSigningSecrets, type Receiver, type ReceiverAddress, type SigningSecret } from './receivers.ts'

/** How long a replaced signing secret goes on signing, in milliseconds: 24 hours. */
const replacedSecretMs = 86_400_000

/** Most replaced secrets that sign at the same time. Each of them makes the signature header longer. */
const maxReplacedSecrets = 3

/**
 * Generates a new signing secret, which is returned only here. The previous one goes on signing for 24 hours.
 *
 * @throws ReceiverNotFoundError, and DeclaredInFileError when the configuration file declares the secret
 */
export async function rotateSigningSecret(
  db: Database,
  address: ReceiverAddress,
  { secrets, ...options }: ChangeOptions & { readonly secrets: SecretBox },
): Promise<{ readonly receiver: Receiver; readonly signingSecret: string; readonly audit: AuditEntry | undefined }> {
  return editReceiver(db, address, 'rotate-secret', options, async (tx, before) => {
    if (before.signingSecrets.some(({ isDeclared }) => isDeclared)) {
      throw new DeclaredInFileError(
        `The configuration file declares the signing secret of this ${before.kind}; change it there`,
      )
    }
    const signingSecret = newSigningSecret()
    const replaced = limitReplacedSecrets(before.signingSecrets, options.now)
    const signingSecrets = [sealSigningSecret(before.id, signingSecret, secrets), ...replaced]
    const columns = { signing_secrets: formatSigningSecrets(signingSecrets) }
    return { receiver: await saveReceiver(tx, before, columns, options.now), signingSecret }
  })
}

/** Returns the previous secrets that go on signing beside a new one, each with the time at which it ends. */
export function limitReplacedSecrets(previous: readonly SigningSecret[], now: Date): SigningSecret[] {
  const end = new Date(now.getTime() + replacedSecretMs)
  return previous
    .flatMap(({ sealed, until }) =>
      until === null || until > now ? [{ sealed, until: until ?? end, isDeclared: false }] : [],
    )
    .slice(0, maxReplacedSecrets)
}
