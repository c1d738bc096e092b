// The parsed `zarr.json` of a node. The members come from the Zarr specification, version 3.
import type { JsonObject, JsonValue } from '../json/json-value.ts'

/** A data type, chunk grid or codec of Zarr. `configuration` is empty when the document has none. */
export type NamedConfiguration = { readonly name: string; readonly configuration: JsonObject }

export type ArrayMetadata = {
  readonly shape: readonly bigint[]
  readonly dataType: NamedConfiguration
  /** Null when the document has no such member. */
  readonly dimensionNames: readonly (string | null)[] | null
  readonly attributes: JsonObject
  /** Elements of one chunk, or inner chunk of a shard, in each dimension. Null when the chunk grid is not regular. */
  readonly chunkShape: readonly bigint[] | null
  /**
   * Elements of one shard in each dimension; null without sharding. A shard is one stored object with several chunks.
   */
  readonly shardShape: readonly bigint[] | null
  /**
   * In document order. With sharding, the outer codecs; the inner ones are in the configuration of `sharding_indexed`.
   */
  readonly codecs: readonly NamedConfiguration[]
  readonly chunkGrid: NamedConfiguration
  readonly fillValue: JsonValue
  /**
   * All members as stored, because whether a reader accepts the document can depend on their spelling. The attributes
   * can be replaced by null: arrays of a group that differ only in their attributes share one object.
   */
  readonly document: JsonObject
}

export type GroupMetadata = { readonly attributes: JsonObject; readonly document: JsonObject }
