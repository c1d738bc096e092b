// Reads where the words and values of a search are in the datasets of some shards.
import { type Database, type Posting, readCompletions, readPostings, type SearchedShard } from '@floe/storage/database'
import { AskedTerms, type Conditions } from '../match/asked-terms.ts'
import type { ShardPlaces } from '../match/term-places.ts'

/** A shard with the places of the terms that are searched for. */
export type PlacedShard = SearchedShard & { readonly places: ShardPlaces }

/** Reads the places of a search in some shards. */
export async function readPlaces(
  db: Database,
  shards: readonly SearchedShard[],
  conditions: Conditions,
): Promise<readonly PlacedShard[]> {
  const asked = new AskedTerms(conditions)
  const { wanted, beginning } = asked
  const ids = shards.map(({ id }) => id)
  const byShard = (found: readonly Posting[]) => Map.groupBy(found, ({ shard }) => shard)
  const postings = byShard(wanted.length > 0 ? await readPostings(db, ids, wanted) : [])
  const completions = byShard(beginning === undefined ? [] : await readCompletions(db, ids, beginning))
  return shards.map((shard) => {
    const { id, datasets } = shard
    return { ...shard, places: asked.place(postings.get(id) ?? [], completions.get(id) ?? [], datasets) }
  })
}
