// All errors of the reader, except those of `storage/repositories/objects`, which pass through unchanged.
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

/** Names an object, so that the key `repo` is not taken for a repository. A key that ends in `/` is a directory. */
function nameKey(key: string): string {
  return key.endsWith('/') ? key : `the object ${key}`
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
    super(repository, `${nameKey(key)} has format version ${formatVersion}; Floe reads versions 1 and 2`)
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
    super(repository, `${nameKey(key)} is damaged: ${rule}`, options)
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
    super(repository, `${nameKey(key)} is too large to be read: ${excess}`, options)
    this.key = key
    this.limit = limit
    this.value = value
  }
}

/** An object to which another one refers is missing: garbage-collected, or absent from an incomplete copy. */
export class MissingObjectError extends IcechunkError {
  override name = 'MissingObjectError'
  readonly key: string

  constructor(repository: string, key: string) {
    super(repository, `${nameKey(key)} does not exist`)
    this.key = key
  }
}

/** The transaction logs between two snapshots are more, or larger, than a limit allows to combine. */
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
  /** What is missing, to follow the name of a repository. */
  readonly fault: string

  constructor(repository: string, ref: string, fault = `no branch, tag or snapshot called ${JSON.stringify(ref)}`) {
    super(repository, `the repository has ${fault}`)
    this.ref = ref
    this.fault = fault
  }
}

/** What follows the `@` after the name of a ref is not a time, and no ref has the whole name. */
export class NotATimeError extends RefNotFoundError {
  override name = 'NotATimeError'
}

/** The ref has no snapshot at or before a time. */
export class TimeTooEarlyError extends RefNotFoundError {
  override name = 'TimeTooEarlyError'
}

/** A history of version 1 reaches back to a time only with more reads than a limit allows. */
export class TimeTooFarError extends IcechunkError {
  override name = 'TimeTooFarError'

  /** `reached` is the time of the last commit that was read. */
  constructor(repository: string, maxCommits: number, reached: Date) {
    super(
      repository,
      `the time is too far back: in format version 1, a request reads at most ${maxCommits} commits, ` +
        `the last of which was written at ${reached.toISOString()}`,
    )
  }
}

export class NotInHistoryError extends IcechunkError {
  override name = 'NotInHistoryError'
  readonly snapshotId: string

  constructor(repository: string, snapshotId: string, head: string) {
    super(repository, `the history of ${head} does not contain ${snapshotId}`)
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
