import {
  type ChangeKind,
  changeKinds,
  changeVerdicts,
  type StateVerdict,
  type VerdictOf,
} from '@floe/contract/constants'
import type { JsonValue } from '@floe/storage/json'

/** One difference between two states. */
export type Change = {
  readonly kind: ChangeKind
  readonly verdict: (typeof changeVerdicts)[number]
  readonly details: ChangeDetails
}

type ChangeDetails = {
  readonly variable?: string
  readonly dimension?: string
  readonly attribute?: string
  readonly before?: JsonValue
  readonly after?: JsonValue
  readonly widened?: true
  readonly movedFrom?: string
  /** Of what was moved: the new name in the same group, or the new path with a leading slash. */
  readonly movedTo?: string
  readonly reason?: string
}

/** Makes a change with a verdict that the table of rules has for its kind. */
export function makeChange<Kind extends ChangeKind>(
  kind: Kind,
  verdict: VerdictOf<Kind>,
  details: ChangeDetails = {},
): Change {
  return { kind, verdict, details }
}

const verdictRanks = new Map(changeVerdicts.map((verdict, rank) => [verdict, rank]))
const kindRanks = new Map(changeKinds.map((kind, rank) => [kind, rank]))

/** Sorts the worst first; those of one verdict in the order of the table. */
export function sortChanges(changes: readonly Change[]): readonly Change[] {
  const rank = ({ verdict, kind }: Change) =>
    (verdictRanks.get(verdict) ?? 0) * kindRanks.size + (kindRanks.get(kind) ?? 0)
  return changes.toSorted((left, right) => rank(left) - rank(right))
}

/** The worst of some verdicts; `identical` without one. */
export function findWorst(verdicts: Iterable<StateVerdict>): StateVerdict {
  const found = new Set(verdicts)
  return changeVerdicts.find((verdict) => found.has(verdict)) ?? 'identical'
}
