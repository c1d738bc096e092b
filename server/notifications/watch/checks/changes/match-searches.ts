import type { MoveChanges, MoveQuestions } from '@floe/storage/database'
import { readJsonBytes } from '@floe/storage/json'
import type { Answers, Question } from '../../../../reading/questions/question.ts'

/**
 * Finds out which searches of receivers find a dataset that a head move touched. `ask` asks a reader thread. Leaves out
 * all if that fails: then the move goes to these receivers.
 *
 * @throws the reason of the signal
 */
export async function matchSearches(
  { searches }: Pick<MoveQuestions, 'searches'>,
  ask: (searches: Question<'search-matches'>['searches']) => Promise<Answers['search-matches']>,
  signal: AbortSignal,
): Promise<MoveChanges['found']> {
  if (searches.size === 0) return new Map()
  try {
    const found = readJsonBytes(await ask([...searches.values()]))
    return new Map([...searches.keys()].map((text, index) => [text, found[index] ?? true]))
  } catch {
    signal.throwIfAborted()
    // A snapshot may have expired, or the range may be too long; the head itself was read.
    return new Map()
  }
}
