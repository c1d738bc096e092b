import { generateSecretKey, SecretBox } from '@floe/storage/secrets'

const key = generateSecretKey()

/** What seals secrets in tests: its key is another one in each process. */
export const secrets = new SecretBox(() => [key])
