export { SecretError, UnknownKeyError } from './errors.ts'
export { dropOldKeys, KeyFileError, openKeyFile, putKeyFirst, readKeyFile, writeKeyFile } from './key-file.ts'
export { SecretBox } from './secret-box.ts'
export { generateSecretKey, parseSecretKeys, type SecretKeys } from './secret-key.ts'
