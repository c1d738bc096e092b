// The functions that the contract demands: one for each of its questions, and one for each page at their addresses.
import type { AnswerTo, Questions } from '@floe/contract'
import type { Cancellation, JsonBytes } from '@floe/storage/json'
import type { Page } from '../../pages/page.ts'
import type { DiffPageFacts } from '../diff/build-diff-page.ts'
import type { AskedFor } from '../asked-for.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import type { RefPageFacts } from '../page-facts.ts'

type ContractQuestion = Questions[keyof Questions]

/** What a question is about. */
type AboutOf<Declared> = Declared extends { readonly about: infer About } ? About : 'snapshot'

type BodyOf<Name extends keyof Questions> = Questions[Name] extends { readonly format: 'html' }
  ? Page
  : JsonBytes<AnswerTo<Name>>

/**
 * A function that answers a question from a source, a snapshot or two compared ones, and from the manifests that have
 * been read, with the snapshot or the later of the two.
 */
type Answerer<Source, Asked, Body> = (
  source: Source,
  asked: Asked,
  cancellation: Cancellation | undefined,
  manifests: SnapshotManifests,
) => Body

/** The functions that the contract demands for its questions about one snapshot, or about a change. */
export type ContractAnswerers<Source, About extends 'snapshot' | 'change'> = {
  readonly [Name in keyof Questions as AboutOf<Questions[Name]> extends About ? Name : never]: Answerer<
    Source,
    AskedFor<Name>,
    BodyOf<Name>
  >
}

/** The questions of the contract that have a page at their addresses. */
type QuestionWithPage<Page> = {
  readonly [Name in keyof Questions]: Questions[Name] extends { readonly page: Page } ? Name : never
}[keyof Questions]

/** The pages at the addresses of questions of the contract. */
export type PageAnswerers<Source, Name extends NonNullable<Extract<ContractQuestion, { page: string }>['page']>> = {
  readonly [Each in Name]: Answerer<
    Source,
    AskedFor<QuestionWithPage<Each>> & { readonly page: Each extends 'diff-page' ? DiffPageFacts : RefPageFacts },
    Page
  >
}
