import type { ReceiverKind } from '@floe/contract/lists'

/** Why the database refuses a change, or a record that does not exist. The API shows the message to its callers. */
export class RecordProblem extends Error {
  override name = 'RecordProblem'
  /** The code with which the API answers. */
  readonly code: RecordProblemCode

  constructor(code: RecordProblemCode, message: string) {
    super(message)
    this.code = code
  }
}

type RecordProblemCode =
  | 'receiver-not-found'
  | 'expectation-not-found'
  | 'remark-not-found'
  | 'delivery-not-found'
  | 'too-many-receivers'
  | 'too-many-expectations'
  | 'too-many-checks'
  | 'too-many-remarks'
  | 'too-many-keys'
  | 'too-many-deliveries'
  | 'receiver-disabled'
  /** The configuration file declares the record, so it can only be changed there. */
  | 'declared-in-file'
  /** The record has changed since the caller read it. */
  | 'precondition-failed'

/** Unlike a {@link RecordProblem}, it names the member of the request that cannot be accepted. */
export class AliasInUseError extends Error {
  override name = 'AliasInUseError'

  constructor(options?: ErrorOptions) {
    super('Another webhook or chat of the repository has this alias', options)
  }
}

export function explainMissingReceiver({ repoId, id }: { readonly repoId: string | null; readonly id: string }) {
  const owner = repoId === null ? 'organisation' : 'repository'
  return new RecordProblem('receiver-not-found', `The ${owner} has no webhook or chat with the id ${id}`)
}

export function explainMissingExpectation(owner: 'repository' | 'organisation', id: string) {
  return new RecordProblem('expectation-not-found', `The ${owner} has no expectation of its own with the id ${id}`)
}

export function explainMissingRemark(id: string) {
  return new RecordProblem('remark-not-found', `The repository has no remark with the id ${id}`)
}

export function explainMissingDelivery(id: string) {
  return new RecordProblem('delivery-not-found', `The repository has no delivery with the id ${id}`)
}

export function explainDisabledReceiver() {
  return new RecordProblem('receiver-disabled', 'The webhook or chat is disabled; enable it first')
}

/** @param record what a caller calls it, such as `webhook` */
export function explainChangedRecord(record: ReceiverKind | 'expectation') {
  return new RecordProblem('precondition-failed', `Somebody else has changed the ${record}, so nothing was done`)
}
