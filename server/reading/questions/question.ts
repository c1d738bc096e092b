// Questions about snapshots, and the types of their answers. Both follow from the functions that answer them.
import type { Cancellation } from '@floe/storage/json'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import type { changeAnswerers } from './change-answerers.ts'
import type { snapshotAnswerers } from './snapshot-answerers.ts'

/**
 * Maximum number of commits that are examined for one path. In version 1 of the format, listing one costs a read of its
 * snapshot.
 */
export const maxExaminedCommits = { 1: 20, 2: 100 } as const

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

/** For each of some kinds, the function that answers a question of this kind from a source and manifests. */
export type AnswerersOf<Kind extends QuestionKind, Source> = {
  readonly [Each in Kind]: (
    source: Source,
    question: Question<Each>,
    cancellation: Cancellation | undefined,
    manifests: SnapshotManifests,
  ) => Answers[Each]
}
