import type { SecretBox } from '../../secrets/index.ts'
import type { AuditEntry, ChangeOptions } from '../audit.ts'
import { RecordProblem } from '../record-problem.ts'
import type { Database } from '../open-database.ts'
import { editReceiver, saveReceiver } from './edit-receiver.ts'
import { newSigningSecret, sealSigningSecret } from './receiver-secrets.ts'
import { formatSigningSecrets, type Receiver, type ReceiverAddress, type SigningSecret } from './receivers.ts'

/** How long a replaced signing secret still signs, in milliseconds: 24 hours. */
const replacedSecretMs = 86_400_000

/** Maximum number of replaced secrets that still sign. Each makes the signature header longer. */
const maxReplacedSecrets = 3

/**
 * Generates a new signing secret, which no other function returns. The previous one still signs for 24 hours.
 *
 * @throws RecordProblem
 */
export async function rotateSigningSecret(
  db: Database,
  address: ReceiverAddress,
  { secrets, ...options }: ChangeOptions & { readonly secrets: SecretBox },
): Promise<{ readonly receiver: Receiver; readonly signingSecret: string; readonly audit: AuditEntry | undefined }> {
  return editReceiver(db, address, 'rotate-secret', options, async (tx, before) => {
    if (before.signingSecrets.some(({ isDeclared }) => isDeclared)) {
      throw new RecordProblem(
        'declared-in-file',
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

/** Returns the previous secrets that still sign beside a new one, each with the time when it stops. */
export function limitReplacedSecrets(previous: readonly SigningSecret[], now: Date): SigningSecret[] {
  const end = new Date(now.getTime() + replacedSecretMs)
  return previous
    .flatMap(({ sealed, until }) =>
      until === null || until > now ? [{ sealed, until: until ?? end, isDeclared: false }] : [],
    )
    .slice(0, maxReplacedSecrets)
}
