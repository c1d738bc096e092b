// Why the database refuses a change. The API shows these messages to its callers.
import type { ReceiverKind } from '@floe/contract/lists'

export class ReceiverNotFoundError extends Error {
  override name = 'ReceiverNotFoundError'

  constructor({ repoId, id }: { readonly repoId: string | null; readonly id: string }) {
    super(`The ${repoId === null ? 'organisation' : 'repository'} has no webhook or chat with the id ${id}`)
  }
}

/** The receiver has changed since the caller read it. */
export class ReceiverChangedError extends Error {
  override name = 'ReceiverChangedError'

  constructor(kind: ReceiverKind) {
    super(`Somebody else has changed the ${kind}, so nothing was done`)
  }
}

/** The configuration file declares the record, so it can only be changed there. */
export class DeclaredInFileError extends Error {
  override name = 'DeclaredInFileError'
}

export class AliasInUseError extends Error {
  override name = 'AliasInUseError'

  constructor(options?: ErrorOptions) {
    super('Another webhook or chat of the repository has this alias', options)
  }
}

export class ExpectationNotFoundError extends Error {
  override name = 'ExpectationNotFoundError'

  constructor(owner: 'repository' | 'organisation', id: string) {
    super(`The ${owner} has no expectation of its own with the id ${id}`)
  }
}

/** The expectation has changed since the caller read it. */
export class ExpectationChangedError extends Error {
  override name = 'ExpectationChangedError'

  constructor() {
    super('Somebody else has changed the expectation, so nothing was done')
  }
}

export class TooManyExpectationsError extends Error {
  override name = 'TooManyExpectationsError'

  constructor(owner: 'repository' | 'organisation', limit: number) {
    super(`The ${owner} has ${limit} expectations, which is the maximum`)
  }
}

export class TooManyReceiversError extends Error {
  override name = 'TooManyReceiversError'

  constructor(limit: number) {
    super(`The repository has ${limit} webhooks and chats, which is the maximum`)
  }
}

export class TooManyApiKeysError extends Error {
  override name = 'TooManyApiKeysError'

  constructor(limit: number) {
    super(`The organisation has ${limit} API keys, which is the maximum; revoked and expired keys count for 90 days`)
  }
}

export class ReceiverDisabledError extends Error {
  override name = 'ReceiverDisabledError'

  constructor() {
    super('The webhook or chat is disabled; enable it first')
  }
}

export class TooManyDeliveriesError extends Error {
  override name = 'TooManyDeliveriesError'

  constructor(limit: number) {
    super(`At least ${limit + 1} deliveries match, but one replay has at most ${limit}; choose a shorter time`)
  }
}

export class DeliveryNotFoundError extends Error {
  override name = 'DeliveryNotFoundError'

  constructor(id: string) {
    super(`The repository has no delivery with the id ${id}`)
  }
}
