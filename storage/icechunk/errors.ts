// All errors of the reader, except those of `storage/objects`, which pass through unchanged.
import { mainRefKey, repoKey } from './layout.ts'
import type { ReaderLimits } from './limits.ts'

/** Base class of the reader's errors. `repository` is the location of the store, without credentials. */
export abstract class IcechunkError extends Error {
  readonly repository: string

  constructor(repository: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.repository = repository
  }
}

/** The location has neither a `repo` object nor `refs/branch.main/ref.json`. */
export class NotARepositoryError extends IcechunkError {
  override name = 'NotARepositoryError'

  constructor(repository: string) {
    super(repository, `${repository} is not an Icechunk repository: it has neither "${repoKey}" nor "${mainRefKey}"`)
  }
}

/** The object has a format version that this reader does not know. */
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

/** The object breaks a rule of the format. */
export class DamagedObjectError extends IcechunkError {
  override name = 'DamagedObjectError'
  readonly key: string
  readonly rule: string

  constructor(repository: string, key: string, rule: string, options?: { readonly cause?: unknown }) {
    super(repository, `${key} is damaged: ${rule}`, options)
    this.key = key
    this.rule = rule
  }
}

/** The repository may be sound, but it is larger than a limit of this reader. */
export class LimitExceededError extends IcechunkError {
  override name = 'LimitExceededError'
  readonly key: string
  readonly limit: keyof ReaderLimits
  readonly value: number

  constructor(
    repository: string,
    { key, limit, value }: { key: string; limit: keyof ReaderLimits; value: number },
    excess: string,
    options?: { readonly cause?: unknown },
  ) {
    super(repository, `${key} is too large to be read: ${excess}`, options)
    this.key = key
    this.limit = limit
    this.value = value
  }
}

/** Another object refers to this one, which does not exist: it was garbage-collected, or the copy is incomplete. */
export class MissingObjectError extends IcechunkError {
  override name = 'MissingObjectError'
  readonly key: string

  constructor(repository: string, key: string) {
    super(repository, `${key} does not exist`)
    this.key = key
  }
}

/** There is more between two snapshots than a limit allows to combine. */
export class RangeTooLongError extends IcechunkError {
  override name = 'RangeTooLongError'
  readonly limit: keyof ReaderLimits
  readonly value: number

  /** `excess` says what is too much, for example "there are more than 10 commits between the snapshots". */
  constructor(repository: string, limit: keyof ReaderLimits, value: number, excess: string) {
    super(repository, excess)
    this.limit = limit
    this.value = value
  }
}

export class RefNotFoundError extends IcechunkError {
  override name = 'RefNotFoundError'
  readonly ref: string

  constructor(repository: string, ref: string) {
    super(repository, `no branch, tag or snapshot is called ${JSON.stringify(ref)}`)
    this.ref = ref
  }
}

export class NotInHistoryError extends IcechunkError {
  override name = 'NotInHistoryError'
  readonly snapshotId: string

  constructor(repository: string, snapshotId: string, head: string) {
    super(repository, `the history of ${head} does not hold ${snapshotId}`)
    this.snapshotId = snapshotId
  }
}

/** Creates the error for a damaged object. `rule` says what is wrong with it, for example "its path is empty". */
export type Damage = (rule: string, options?: { readonly cause?: unknown }) => DamagedObjectError

/** Creates the error for an object beyond a limit. `excess` says how, for example "it has more than 10 nodes". */
export type Excess = (
  limit: keyof ReaderLimits,
  excess: string,
  options?: { readonly cause?: unknown },
) => LimitExceededError

export type ObjectErrors = { readonly damage: Damage; readonly exceed: Excess }

export function bindErrors(repository: string, key: string, limits: Partial<ReaderLimits>): ObjectErrors {
  return {
    damage: (rule, options) => new DamagedObjectError(repository, key, rule, options),
    exceed: (limit, excess, options) =>
      new LimitExceededError(repository, { key, limit, value: limits[limit] ?? Number.NaN }, excess, options),
  }
}
