// The functions that the contract demands: one for each of its questions, and one for each page at their addresses.
import type { AnswerTo, Questions } from '@floe/contract'
import type { SnapshotId } from '@floe/storage/icechunk'
import type { Cancellation, JsonBytes } from '@floe/storage/json'
import type { Page } from '../../pages/page.ts'
import type { DiffPageFacts } from '../diff/build-diff-page.ts'
import type { AskedFor } from '../asked-for.ts'
import type { RefPageFacts } from '../page-facts.ts'

type ContractQuestion = Questions[keyof Questions]

/** What a question is about. */
type AboutOf<Declared> = Declared extends { readonly about: infer About } ? About : 'snapshot'

type BodyOf<Name extends keyof Questions> = Questions[Name] extends { readonly format: 'html' }
  ? Page
  : JsonBytes<AnswerTo<Name>>

/** A function that answers a question from a source: a snapshot, one with its manifests, or two compared ones. */
type Answerer<Source, Asked, Body> = (source: Source, asked: Asked, cancellation: Cancellation | undefined) => Body

/** The functions that the contract demands for its questions about a snapshot, one with its manifests, or a change. */
export type ContractAnswerers<Source, About extends 'snapshot' | 'manifests' | 'change'> = {
  readonly [Name in keyof Questions as AboutOf<Questions[Name]> extends About ? Name : never]: Answerer<
    Source,
    AskedFor<Name>,
    BodyOf<Name>
  >
}

/** The pages at the addresses of questions of the contract. */
export type PageAnswerers<Source, Name extends NonNullable<Extract<ContractQuestion, { page: string }>['page']>> = {
  readonly [Each in Name]: Answerer<
    Source,
    Each extends 'diff-page'
      ? { readonly from: SnapshotId; readonly group: string; readonly page: DiffPageFacts }
      : { readonly group: string; readonly page: RefPageFacts },
    Page
  >
}
