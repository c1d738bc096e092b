// How an array is stored: what xarray's own page does not show.
import type { ArrayMetadata } from '@floe/storage/zarr'
import { pythonStr } from '../../xarray/python/text.ts'
import { chunkText, shapeText } from './chunk-text.ts'
import { codecsText, extensionText } from './codec-text.ts'
import { clipText } from '../page-budget.ts'

/** A label and its text. */
export type Fact = readonly [label: string, text: string]

/** What the reader already sees of the array. Decoding can change the data type, and for characters the shape. */
export type Shown = {
  readonly typeText: string
  readonly shape: readonly bigint[]
  /** Bytes of one element in memory; null when they are not known. */
  readonly itemBytes: number | null
}

const maxFillLength = 200

/** Stored type and shape where they differ from what is shown, then chunks, shards, codecs, fill value. */
export function storageFacts(array: ArrayMetadata, shown: Shown): Fact[] {
  const facts: Fact[] = []
  const storedType = extensionText(array.dataType)
  if (storedType !== shown.typeText) facts.push(['Stored as', storedType])
  if (shapeText(array.shape) !== shapeText(shown.shape)) facts.push(['Stored shape', shapeText(array.shape)])
  facts.push(...gridFacts(array, shown))
  if (array.codecs.length > 0) facts.push(['Codecs', codecsText(array.codecs)])
  // An empty text would leave nothing to see.
  facts.push(['Fill value', clipText(pythonStr(array.fillValue) || "''", maxFillLength)])
  return facts
}

function gridFacts(array: ArrayMetadata, shown: Shown): Fact[] {
  if (!array.chunkShape) return [['Chunks', extensionText(array.chunkGrid)]]
  const itemBytes = array.shape.length === shown.shape.length ? shown.itemBytes : null
  const facts: Fact[] = [['Chunks', chunkText(array.shape, array.chunkShape, itemBytes)]]
  if (array.shardShape) facts.push(['Shards', chunkText(array.shape, array.shardShape, itemBytes)])
  return facts
}
