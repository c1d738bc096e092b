// Everything the reader can refuse, as values. No other class leaves `storage/icechunk`, except those of `storage/objects`.

/** Base of all refusals; `repository` is the store's location without credentials. */
export abstract class IcechunkError extends Error {
  readonly repository: string

  constructor(repository: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.repository = repository
  }
}

/** Neither a `repo` object nor `refs/branch.main/ref.json` lies at this place. */
export class NotARepositoryError extends IcechunkError {
  override name = 'NotARepositoryError'

  constructor(repository: string) {
    super(
      repository,
      `${repository} is not an Icechunk repository: it has neither "repo" nor "refs/branch.main/ref.json"`,
    )
  }
}

/** The object was written by a format version that this reader does not know. */
export class UnsupportedFormatError extends IcechunkError {
  override name = 'UnsupportedFormatError'
  readonly key: string
  readonly formatVersion: number

  constructor(repository: string, key: string, formatVersion: number) {
    super(repository, `${key} has format version ${formatVersion}; versions 1 and 2 can be read`)
    this.key = key
    this.formatVersion = formatVersion
  }
}

/** The object breaks a rule of the format, or one of the reader's limits. */
export class DamagedObjectError extends IcechunkError {
  override name = 'DamagedObjectError'
  readonly key: string
  readonly rule: string

  constructor(repository: string, key: string, rule: string, options?: ErrorOptions) {
    super(repository, `${key} is damaged: ${rule}`, options)
    this.key = key
    this.rule = rule
  }
}

/** An object that another one points to does not exist (garbage collection, or a partial copy). */
export class MissingObjectError extends IcechunkError {
  override name = 'MissingObjectError'
  readonly key: string

  constructor(repository: string, key: string) {
    super(repository, `${key} does not exist`)
    this.key = key
  }
}

/** No branch, tag or snapshot has this name. */
export class RefNotFoundError extends IcechunkError {
  override name = 'RefNotFoundError'
  readonly ref: string

  constructor(repository: string, ref: string) {
    super(repository, `no branch, tag or snapshot is called ${JSON.stringify(ref)}`)
    this.ref = ref
  }
}

/** Makes the refusal of one object; `rule` says what it breaks, as in "its path is empty". */
export type Damage = (rule: string, options?: ErrorOptions) => DamagedObjectError

/** The refusals of the object at `key`. */
export function damageIn(repository: string, key: string): Damage {
  return (rule, options) => new DamagedObjectError(repository, key, rule, options)
}
