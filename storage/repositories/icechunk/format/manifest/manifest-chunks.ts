import type { NodeId } from '../../types.ts'
import type { ChunkFile } from './chunk-files.ts'

/** A number of references to chunks, and how many bytes the chunks have. */
type ChunkBytes = { readonly chunks: number; readonly bytes: number }

/** The chunks of one array to which a manifest refers. Plain data, because it is sent between threads. */
export type ManifestArray = {
  readonly node: NodeId
  /** The lowest position along each dimension. */
  readonly first: readonly number[]
  /** The number of positions along each dimension, from the lowest to the highest. */
  readonly size: readonly number[]
  /** One bit for each position of that box, the last dimension fastest, the lowest bit of a byte first. */
  readonly bits: Uint8Array
  /** Chunks that are objects of the repository, that are inside the manifest, and that are parts of other files. */
  readonly native: ChunkBytes
  readonly inline: ChunkBytes
  readonly virtual: ChunkBytes
  /** The files that its virtual chunks are in; undefined unless they were asked for. */
  readonly files?: readonly ChunkFile[]
}

/** What a manifest says about chunks, without inline ones. */
export type ManifestChunks = {
  /** Sorted by their node ids, as the format says. */
  readonly arrays: readonly ManifestArray[]
  /** Memory that this takes, in bytes. */
  readonly sizeBytes: number
}
