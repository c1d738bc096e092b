// Resolves the two refs of an answer about what changed between them.
import { answerAtRef, type RefOfRepository } from './answer-at-ref.ts'
import type { MetadataContext } from '../metadata-context.ts'
import type { ServedNames } from '../../catalog/served-catalog.ts'

type Names = ServedNames & { readonly from: string; readonly to: string }

/** Resolves both refs, as {@link answerAtRef} does with one, then calls `answer`. Throws what that throws. */
export async function answerBetweenRefs<Answer>(
  context: MetadataContext,
  names: Names,
  request: { readonly signal: AbortSignal },
  answer: (earlier: RefOfRepository, later: RefOfRepository) => Promise<Answer>,
): Promise<Answer> {
  return answerAtRef(context, { ...names, ref: names.from, parameter: 'from' }, request, (earlier) =>
    answerAtRef(context, { ...names, ref: names.to, parameter: 'to' }, request, (later) => answer(earlier, later)),
  )
}
