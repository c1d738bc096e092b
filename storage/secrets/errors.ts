/** A sealed secret cannot be opened: it was changed after sealing, or it belongs to another record. */
export class SecretError extends Error {
  override name = 'SecretError'
}

/** A secret was sealed with a key that is not known. */
export class UnknownKeyError extends Error {
  override name = 'UnknownKeyError'
}
