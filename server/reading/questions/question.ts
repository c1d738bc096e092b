// Questions about snapshots, and the types of their answers. Both follow from the functions that answer them.
import type { AnswerTo, Questions } from '@floe/contract'
import type { SnapshotId } from '@floe/storage/icechunk'
import type { Cancellation, Written } from '@floe/storage/json'
import type { Page } from '../../pages/page.ts'
import type { changeAnswerers } from './answer-diff.ts'
import type { snapshotAnswerers } from './answer-question.ts'
import type { DiffPageAddress } from '../diff/build-diff-page.ts'
import type { PageAddress, RefPageAddress } from '../page-address.ts'

/**
 * Maximum number of commits that are examined for one path. In version 1 of the format, listing one costs a read of its
 * snapshot.
 */
export const maxExaminedCommits = { 1: 20, 2: 100 } as const

type ContractQuestion = Questions[keyof Questions]

/** What a question of the contract says besides its kind. `''` is the root group. */
type Asked<Declared> = { readonly group: string } & (Declared extends { readonly about: 'change' }
  ? { readonly from: SnapshotId }
  : object) &
  (Declared extends { readonly format: 'html' }
    ? { readonly page: RefPageAddress }
    : Declared extends { readonly needsService: true }
      ? { readonly page: PageAddress }
      : object)

type BodyOf<Name extends keyof Questions> = Questions[Name] extends { readonly format: 'html' }
  ? Page
  : Written<AnswerTo<Name>>

/** A function that answers a question from a source: a snapshot, or two compared ones. */
type Answerer<Source, Asked, Body> = (source: Source, asked: Asked, cancellation: Cancellation | undefined) => Body

/** The functions that the contract demands for its questions about one snapshot, or about a change. */
export type ContractAnswerers<Source, About extends 'snapshot' | 'change'> = {
  readonly [
    Name in keyof Questions as Questions[Name] extends { readonly about: 'change' }
      ? About extends 'change'
        ? Name
        : never
      : About extends 'snapshot'
        ? Name
        : never
  ]: Answerer<Source, Asked<Questions[Name]>, BodyOf<Name>>
}

/** The pages at the addresses of questions of the contract. */
export type PageAnswerers<Source, Name extends NonNullable<Extract<ContractQuestion, { page: string }>['page']>> = {
  readonly [Each in Name]: Answerer<
    Source,
    Each extends 'diff-page'
      ? { readonly from: SnapshotId; readonly group: string; readonly page: DiffPageAddress }
      : { readonly group: string; readonly page: RefPageAddress },
    Page
  >
}

type Answerers = typeof snapshotAnswerers & typeof changeAnswerers

export type QuestionKind = keyof Answerers

/** The kinds of questions about what changed between two snapshots. */
export type DiffKind = keyof typeof changeAnswerers

/** The kinds of questions about one snapshot. */
export type SnapshotKind = keyof typeof snapshotAnswerers

/**
 * A question. Plain data: it is sent to a thread, and its JSON, or a hash of that, is the key of the cached answer and
 * its entity tag. So it names everything that the answer depends on besides the snapshot.
 */
export type Question<Kind extends QuestionKind = QuestionKind> = {
  readonly [Each in Kind]: { readonly kind: Each } & Parameters<Answerers[Each]>[1]
}[Kind]

/** The body that answers each kind of question. */
export type Answers = { readonly [Each in QuestionKind]: ReturnType<Answerers[Each]> }

export type AnyAnswer = Answers[QuestionKind]
