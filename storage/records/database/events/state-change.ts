// What the judgements of freshness, written chunks and contracts share: states that begin and end, each time with one
// event.

/** Why a head could not be judged. With `mayPass`, the next check judges it again. */
export type UnknownJudgement = { readonly verdict: 'unknown'; readonly reason: string; readonly mayPass: boolean }

export type RecordedJudgement = {
  readonly hasEvent: boolean
  /** Whether what is recorded is about the current head, and about what is expected now. */
  readonly isCurrent: boolean
}

/** The beginning or the end of a state. */
type StateChange = { readonly hasBegun: boolean; readonly since: Date }

/**
 * Finds whether a state has begun or ended. Both times are those of its beginning; null while there is no such state.
 */
export function findStateChange(before: Date | null, after: Date | null): StateChange | undefined {
  if (before === null) return after === null ? undefined : { hasBegun: true, since: after }
  return after === null ? { hasBegun: false, since: before } : undefined
}
