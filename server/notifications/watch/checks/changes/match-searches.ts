import type { MoveChanges, MoveQuestions } from '@floe/storage/database'
import { readJsonBytes } from '@floe/storage/json'
import type { Answers, Question } from '../../../../reading/questions/question.ts'

/**
 * Finds out which searches of receivers find a dataset that a head move touched. `ask` asks a reader thread. Leaves out
 * all if that fails: then the move goes to these receivers. `note` is called with the failure.
 */
export async function matchSearches(
  { searches }: Pick<MoveQuestions, 'searches'>,
  ask: (searches: Question<'search-matches'>['searches']) => Promise<Answers['search-matches']>,
  note: (error: unknown) => void,
): Promise<MoveChanges['found']> {
  if (searches.size === 0) return new Map()
  try {
    const found = readJsonBytes(await ask([...searches.values()]))
    return new Map([...searches.keys()].map((text, index) => [text, found[index] ?? true]))
  } catch (error) {
    note(error)
    return new Map()
  }
}
