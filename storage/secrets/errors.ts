/** A sealed secret is not what was sealed: it was changed, or taken from another record. */
export class SecretError extends Error {
  override name = 'SecretError'
}

/** A secret was sealed under a key that is not at hand. */
export class UnknownKeyError extends Error {
  override name = 'UnknownKeyError'
}
