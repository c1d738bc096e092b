// Says why a search finds nothing: which words no dataset has, and which words that some have are near.
import type { UnknownWord } from '@floe/contract'
import { type Database, listCompletions } from '@floe/storage/database'
import { makeTerm } from '../form/terms.ts'
import { countEdits } from '../../text/nearest-name.ts'
import { stemWord } from '../form/stems.ts'
import type { QueryWord } from '../form/words.ts'
import type { RankedShard } from './rank-datasets.ts'

/** Maximum number of edits between a word and a near one. */
const maxEdits = 2

/** Maximum number of words that are compared with an unknown one, and of those that are shown. */
const maxCompared = 20_000
const maxShown = 3

/** Maximum number of unknown words that are listed. */
const maxUnknown = 5

/** Shorter words have too many near ones. */
const minLength = 4

/** Lists the words that none of the searched datasets has. */
export async function listUnknownWords(
  db: Database,
  shards: readonly RankedShard[],
  words: readonly QueryWord[],
): Promise<readonly UnknownWord[]> {
  const unknown = words.filter((_, index) => shards.every(({ places }) => places.required[index]?.length === 0))
  const repos = [...new Set(shards.map(({ repo }) => repo))]
  const ids = shards.map(({ id }) => id)
  const listed: UnknownWord[] = []
  for (const value of [...new Set(unknown.map(({ value }) => value))].slice(0, maxUnknown)) {
    // Misspelt words mostly begin with the right letter.
    const start = String.fromCodePoint(value.codePointAt(0) ?? 0)
    const terms = value.length < minLength ? [] : await listCompletions(db, ids, makeTerm('word', start), maxCompared)
    listed.push({
      word: value,
      near: findNear(
        value,
        terms.map((term) => term.slice(1)),
      ),
      repository: repos.find((repo) => repo.toLowerCase().includes(value)) ?? null,
    })
  }
  return listed
}

function findNear(word: string, known: readonly string[]): string[] {
  const near = known
    .map((other) => ({ other, edits: countEdits(word, other, maxEdits) }))
    .filter(({ edits }) => edits <= maxEdits)
  const stems = new Set(
    near
      .map(({ other }) => other)
      .filter((other) => stemWord(other) !== other)
      .map(stemWord),
  )
  return near
    .filter(({ other }) => !stems.has(other))
    .sort((a, b) => a.edits - b.edits || (a.other < b.other ? -1 : 1))
    .slice(0, maxShown)
    .map(({ other }) => other)
}
