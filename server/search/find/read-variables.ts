// Reads what results show of variables.
import { type Database, readVariables } from '@floe/storage/database'
import { maxShardDatasets } from '../form/places.ts'
import { chunksPerDataset, variablesPerChunk } from '../form/variable-lines.ts'
import type { RankedDataset } from './rank-datasets.ts'

/** Some variables of a dataset. */
export type ChosenVariables = {
  readonly dataset: RankedDataset
  /** Their indices. */
  readonly indices: readonly number[]
}

type IndexedLine = { readonly index: number; readonly line: string }

/** Reads the lines of some variables of each dataset, in the given order. Leaves out variables that it lacks. */
export async function readLines(
  db: Database,
  chosen: readonly ChosenVariables[],
): Promise<readonly (readonly IndexedLine[])[]> {
  const keys = chosen.map(({ dataset: { shard, number }, indices }) => {
    const chunks = new Set(indices.map((index) => Math.floor(index / variablesPerChunk)))
    return [...chunks].map((chunk) => ({ shard: shard.id, chunk: number * chunksPerDataset + chunk }))
  })
  const chunks = new Map<number, readonly string[]>()
  for (const { shard, chunk, lines } of await readVariables(db, keys.flat()))
    chunks.set(nameChunk(shard, chunk), lines.split('\n'))
  return chosen.map(({ dataset: { shard, number }, indices }) =>
    indices.flatMap((index) => {
      const chunk = number * chunksPerDataset + Math.floor(index / variablesPerChunk)
      const line = chunks.get(nameChunk(shard.id, chunk))?.[index % variablesPerChunk]
      return line === undefined ? [] : [{ index, line }]
    }),
  )
}

/** One number for a chunk of any shard. */
function nameChunk(shard: number, chunk: number): number {
  return shard * maxShardDatasets * chunksPerDataset + chunk
}
