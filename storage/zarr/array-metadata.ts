// The `zarr.json` of a node, parsed. Source of the members: Zarr specification, version 3.
import type { JsonObject, JsonValue } from '../json/json-value.ts'

/** A named extension point of Zarr: data type, codec. `configuration` is empty when the document has none. */
export type NamedConfiguration = { readonly name: string; readonly configuration: JsonObject }

/** What an array's document says. */
export type ArrayMetadata = {
  readonly shape: readonly bigint[]
  readonly dataType: NamedConfiguration
  /** Null when the document has no such member. */
  readonly dimensionNames: readonly (string | null)[] | null
  readonly attributes: JsonObject
  /** Elements of one chunk; null when the chunk grid is not regular. With sharding: the inner chunk. */
  readonly chunkShape: readonly bigint[] | null
  /** Elements of one stored object when chunks are sharded, else null. */
  readonly shardShape: readonly bigint[] | null
  /** In document order; with sharding, the outer codecs (the inner ones are in the `sharding_indexed` configuration). */
  readonly codecs: readonly NamedConfiguration[]
  readonly chunkGrid: NamedConfiguration
  readonly fillValue: JsonValue
  /** All members as stored: what a reader accepts can depend on how they are spelled. */
  readonly document: JsonObject
}

/** What a group's document says. */
export type GroupMetadata = {
  readonly attributes: JsonObject
  /** All members as stored. */
  readonly document: JsonObject
}
