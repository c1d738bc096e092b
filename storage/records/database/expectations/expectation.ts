// Expectations: what is expected of the branches that match. One belongs to a repository, or to all repositories of an
// organisation whose names match a pattern. The kind decides what its settings and facts are; here they are JSON.
import type { EventNameAbout, ExpectationEventName, ExpectationKindName, Severity } from '@floe/contract/lists'
import type { EventTexts } from '../events/new-event.ts'
import type { HeadCommit } from '../heads/heads.ts'
import type { RecordedRepository } from '../repositories.ts'

/**
 * Maximum number of expectations of a repository, including those of its organisation: if there are more, the oldest
 * count. Also of those that administrators add to an organisation.
 */
export const maxExpectations = 50

/** Maximum number of branches of a repository that an expectation with a pattern of branches judges. */
export const maxExpectedBranches = 100

/** The settings of a kind, or what a judgement has found: a JSON object, as the contract declares it for the kind. */
export type KindObject = { readonly [member: string]: unknown }

/** What an administrator or the configuration file says of an expectation. */
export type ExpectationSettings = {
  readonly kind: ExpectationKindName
  /** Name for people; null when it has none. */
  readonly alias: string | null
  /** A pattern of branches. */
  readonly branch: string
  readonly severity: Severity
  /**
   * How long a branch may fail to meet it, as it was written, such as `30m`, and in milliseconds; null for no grace.
   */
  readonly within: string | null
  readonly withinMs: number | null
  /** How long after an event the next one reminds of a branch that still fails, in the same two forms. */
  readonly remind: string | null
  readonly remindMs: number | null
  readonly settings: KindObject
  /** The document of a contract, as JSON; null for other kinds. It can have a megabyte. */
  readonly document: string | null
}

/** What is expected, and in which repositories of an organisation; null for an expectation of a repository. */
export type NewExpectation = ExpectationSettings & { readonly repos: readonly string[] | null }

/** An expectation without its document. */
export type Expectation = Omit<ExpectationSettings, 'document'> & {
  /** Higher than those of the expectations that were added to the organisation before. */
  readonly number: number
  readonly id: string
  readonly org: string
  /** Null for one of an organisation. */
  readonly repoId: string | null
  /** Patterns of the repositories of an organisation; null for one of a repository. */
  readonly repos: readonly string[] | null
  readonly isDeclared: boolean
  /** From 1. Each change increments it. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What is known about a branch. */
export type BranchState = {
  /** The version of the expectation that was judged last. */
  readonly version: number
  /** The head that was judged last; empty if there was none, or if it is judged again, as after each change. */
  readonly headId: string
  /**
   * Null before the first head that could be judged, and after a change of the severity of what was unmet. `unmet` when
   * an event told it: not before the grace is over.
   */
  readonly verdict: 'met' | 'unmet' | null
  /** Since when the branch has failed to meet it; null while it does not. */
  readonly failingSince: Date | null
  /** The same, once an event has reported it. */
  readonly unmetSince: Date | null
  /** When an event reported it last. */
  readonly toldAt: Date | null
  readonly facts: KindObject | null
  /** Why the last head could not be judged, or what else the facts do not say. */
  readonly reason: string | null
  /** When it must be judged again although nothing has changed; null if never. Reminders come besides. */
  readonly dueAt: Date | null
}

/** The recorded head of a branch. */
export type ExpectedHead = {
  readonly snapshotId: string
  /** When its commit was written, or when the head was seen if that was earlier: the clock of a writer can be wrong. */
  readonly committedAt: Date
  readonly commit: HeadCommit
  /** How often something was said of the snapshots of the repository that may decide which heads are good. */
  readonly remarks: number
}

/** A branch that an expectation matches, with what is known about it. */
export type ExpectedBranch = {
  readonly expectation: Expectation
  readonly branch: string
  /** Null while no head of the branch is recorded: it does not exist, or no longer. */
  readonly head: ExpectedHead | null
  /** Null before the first judgement. */
  readonly state: BranchState | null
}

/** What a judgement has found about a branch. */
export type Judgement =
  | {
      readonly verdict: 'met' | 'unmet'
      readonly facts: KindObject
      /** Since when it fails, if that is not now. */
      readonly since?: Date
      /** When it fails unless something changes; undefined if that does not depend on time. */
      readonly dueAt?: Date
      /** What the facts do not say. */
      readonly reason?: string
    }
  /** The head could not be judged, which changes no state. With `mayPass`, the next check judges it again. */
  | { readonly verdict: 'unknown'; readonly reason: string; readonly mayPass: boolean }
  /** It is not decided yet whether the head meets it: until then, the verdict of an earlier one stays. */
  | {
      readonly verdict: 'undecided'
      readonly facts: KindObject
      /** When it is decided even if nothing changes; null if that does not depend on time. */
      readonly dueAt: Date | null
    }
  /** Nothing new was found out, but a grace may be over. */
  | { readonly verdict: 'unchanged' }
  /** There is nothing to judge any more, such as a branch that matched a pattern and was deleted. */
  | { readonly verdict: 'gone' }

/** A branch when its judgement began, and the result. */
export type JudgedBranch = {
  readonly from: ExpectedBranch
  readonly judgement: Judgement
  /**
   * Whether the judgement is about the head of `from`, whatever the time, so that it counts although the branch has
   * another head meanwhile. Otherwise, a branch that moves faster than it can be judged would never be. Default:
   * false.
   */
  readonly isAboutHead?: boolean
  /** What people read of a head that does not meet it, if the judgement is about the head. */
  readonly words?: string | undefined
}

/** What an event about an expectation says. */
export type ExpectationStateChange = {
  readonly name: ExpectationEventName
  readonly repository: RecordedRepository
  readonly expectation: Expectation
  readonly branch: string
  readonly since: Date
  /** Whether the same was told before. */
  readonly isReminder: boolean
  /** What is known now. The verdict of a state that is closed because nothing is expected any more stays `unmet`. */
  readonly state: Pick<BranchState, 'headId' | 'verdict' | 'facts' | 'reason'>
  /** The commit of the head of `state`; null if it is not recorded. */
  readonly commit: HeadCommit | null
}

/** What the event says that another head of a branch is the last good one, or none any more. */
export type GoodMove = Pick<ExpectationStateChange, 'repository' | 'expectation' | 'branch'> & {
  readonly name: EventNameAbout<'good'>
  /** The snapshots before and now; null for none. */
  readonly from: string | null
  readonly to: string | null
  /** Number of heads since that one; null if there is none. */
  readonly behind: number | null
  /** Why no head is good any more, if the heads do not show it. */
  readonly reason: string | null
}

/** Writes the texts of an event about an expectation, which happens now. */
export type DescribeExpectation = (change: ExpectationStateChange | GoodMove, now: Date) => EventTexts

/** Whose expectations they are: a repository's, or an organisation's. */
export type ExpectationOwner = RecordedRepository | { readonly org: string }

/** A branch in a repository, as lists of many repositories show it. */
export type ListedBranch = {
  readonly expectation: Expectation
  readonly repo: string
  readonly repoId: string
  readonly branch: string
  readonly state: BranchState
}
