export {
  dropOldKeys,
  KeyFileError,
  openKeyFile,
  putKeyFirst,
  readKeyFile,
  syncToDisk,
  writeKeyFile,
} from './key-file.ts'
export { listKeyIds, SecretBox, SecretError, UnknownKeyError } from './secret-box.ts'
export { generateSecretKey, parseSecretKeys, type SecretKeys } from './secret-key.ts'
