import { generateSecretKey, SecretBox } from '@floe/storage/secrets'

const key = generateSecretKey()

/** Seals secrets in tests. Each process has another key. */
export const secrets = new SecretBox(() => [key])
