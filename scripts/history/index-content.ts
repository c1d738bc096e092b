// The content of a search index.
import type { Database } from '@floe/storage/database'
import { makePlaceList, TermPlaces } from '../../server/search/match/term-places.ts'

/** Compares an index with a newly built one. Returns the differences, in words, and how much it compared. */
export async function compareIndexes(
  db: Database,
  fresh: Database,
): Promise<{ readonly faults: readonly string[]; readonly facts: number }> {
  const [old, made] = [new Set(await readIndex(db)), new Set(await readIndex(fresh))]
  const faults = [
    ...[...old].filter((line) => !made.has(line)).map((line) => `only the old index has: ${line}`),
    ...[...made].filter((line) => !old.has(line)).map((line) => `the index lacks: ${line}`),
  ]
  return { faults, facts: made.size }
}

/**
 * Reads what the index says, as lines: what it holds of each dataset, and the places of each term. It does not matter
 * which shard a dataset is in, nor when it was changed, because a new index knows only the last commit. Reads also
 * shards of branches that are gone, which no search reads.
 */
async function readIndex(db: Database): Promise<readonly string[]> {
  const lines: string[] = []
  const shards = await db
    .selectFrom('search_shards')
    .innerJoin('repositories', 'repositories.id', 'repo_id')
    .select(['search_shards.id', 'name', 'branch', 'datasets as count'])
    .execute()
  for (const { id, name, branch, count } of shards) {
    const head = `${name} ${branch}`
    const datasets = await db.selectFrom('search_datasets').selectAll().where('shard', '=', id).execute()
    const paths = new Map(datasets.map(({ number, path }) => [number, path]))
    for (const { shard: _, number: __, changed_at: ___, changed_message: ____, ...shown } of datasets)
      lines.push(JSON.stringify([head, ...Object.values(shown)]))
    const words = await db.selectFrom('search_words').selectAll().where('shard', '=', id).execute()
    for (const { term, places } of words) {
      const [read, found] = [new TermPlaces(places, count), makePlaceList()]
      for (const [number, path] of paths) {
        read.read(number, found)
        if (found.length > 0) lines.push(`${term}: ${head} ${path} ${found.numbers.subarray(0, found.length).join()}`)
      }
    }
    const variables = await db.selectFrom('search_variables').selectAll().where('shard', '=', id).execute()
    for (const { chunk, lines: text } of variables)
      lines.push(`${head} ${paths.get(Math.floor(chunk / 8_192))} ${chunk % 8_192}: ${text}`)
  }
  return lines
}
