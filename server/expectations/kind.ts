// What the server adds to the declaration of a kind of expectation in the contract: how it judges a branch, and its
// words for people.
import type { expectationForms, ExpectationKinds } from '@floe/contract'
import type { ExpectationKindName, ExpectationStateName, HeadKindName } from '@floe/contract/lists'
import type { BranchState, Database, Expectation, ExpectedBranch, HeadCommit, Judgement } from '@floe/storage/database'
import type { z } from 'zod'
import type { CatalogEntry } from '../catalog/catalog-entry.ts'
import { nameCommit } from '../events/name-commit.ts'
import type { ReaderPool } from '../reading/threads/reader-pool.ts'
import type { Timing } from '../timing.ts'

type Names = ExpectationKindName

type Values<Shape> = { [Member in keyof Shape]: Shape[Member] extends z.ZodType ? z.infer<Shape[Member]> : never }

/** The settings of a kind, by their names in JSON. */
type SettingsOf<Name extends Names> = Values<ExpectationKinds[Name]['required'] & ExpectationKinds[Name]['optional']>

/** What a judgement finds out about a branch. */
export type FactsOf<Name extends Names> = z.infer<(typeof expectationForms)[Name]['facts']>

/** A branch to judge. */
export type BranchToJudge<Name extends Names> = Pick<ExpectedBranch, 'branch' | 'head'> & {
  readonly expectation: Expectation
  readonly settings: SettingsOf<Name>
  /** What is known of the branch; null before the first judgement. It can be about an earlier version. */
  readonly state: (BranchState & { readonly facts: FactsOf<Name> | null }) | null
  /** When the check of the repository began, which has found the head. */
  readonly checkedAt: Date
}

/** With what a repository is read. */
export type Reading = {
  readonly db: Database
  readonly readers: Pick<ReaderPool, 'ask'>
  readonly timing: Pick<Timing, 'now' | 'after'>
  readonly entry: CatalogEntry
  readonly signal: AbortSignal
}

/** What words are about: an expectation, and what was found about a branch. */
export type Found<Name extends Names> = {
  readonly alias: string | null
  readonly settings: SettingsOf<Name>
  readonly facts: FactsOf<Name>
  /** What the facts do not say. */
  readonly reason: string | null
}

/** What lines for chats are about: also the commit of the head that was judged, if it is known, and the time. */
export type Told<Name extends Names> = Found<Name> & { readonly commit: HeadCommit | null; readonly now: Date }

/** Names the head that was judged after other words. */
export function nameHead({ commit, now }: Told<Names>): string {
  return commit === null ? '' : nameCommit(commit, now)
}

export type Kind<Name extends Names = Names> = {
  /**
   * `head`: each head is judged once. `now`: a branch is also judged when the repository has changed otherwise.
   * `verdicts`: the same, after the branches whose heads are judged.
   */
  readonly asks: Name extends HeadKindName ? 'head' : 'now' | 'verdicts'
  /**
   * Judges a branch by what is recorded. If that is not enough, returns how to judge it by reading, which takes its
   * turn after others. Reading may throw: a problem of the repository makes the branch `unknown`.
   */
  readonly judge: (toJudge: BranchToJudge<Name>) => Judgement | ((reading: Reading) => Promise<Judgement>)
  readonly words: {
    /** What a line for chats says of a branch that does not meet it, before the name of the branch and after it. */
    readonly unmet: (told: Told<Name>) => readonly [headline: string, words: string]
    /** The same of one that meets it again. */
    readonly met: (told: Told<Name>) => readonly [headline: string, words: string]
    /** What pages say of a branch: `updated 8 h ago, expected every 6 h: late`. */
    readonly state: (found: Found<Name>, state: ExpectationStateName, now: number) => string
  }
}
