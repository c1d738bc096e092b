import { parseSecretKeys } from '@floe/storage/secrets'
import { z } from 'zod'

const expected =
  'must be 32 bytes in base64 or 64 hexadecimal digits, such as `openssl rand -base64 32` prints; put commas between several keys'

/** The keys that secrets in the database are encrypted with. The first one encrypts; each of them decrypts. */
export const EncryptionKey = z
  .string({ error: expected })
  .transform((text, context) => {
    const keys = parseSecretKeys(text)
    if (keys === undefined) context.addIssue({ code: 'custom', message: expected })
    return keys ?? z.NEVER
  })
  .nullable()
  .default(null)
