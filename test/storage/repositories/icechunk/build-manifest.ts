// Writes manifests that no official library would write.
import type { ManifestId } from '../../../../storage/repositories/icechunk/types.ts'
import { decodeSnapshotId } from '../../../../storage/repositories/icechunk/format/object-id.ts'
import { buildNodeId } from './build-log.ts'
import { buildFlatBuffer, buildId, buildObject, type TableDescription } from './build-object.ts'

/** A reference to a chunk. It is of the kinds whose parts are given. */
export type DescribedReference = {
  /** Undefined to leave it out. */
  readonly index: readonly number[] | undefined
  readonly inline?: Uint8Array
  readonly offset?: bigint
  readonly length?: bigint
  readonly chunk?: number
  readonly location?: string
  readonly compressedLocation?: Uint8Array
}

/** The references of an array, by the number of its node's id. */
export type DescribedReferences = readonly [node: number, references: readonly DescribedReference[]]

/** Returns the id whose 12 bytes are a number below 65,536. */
export function buildManifestId(number: number): ManifestId {
  return buildId(number) as string as ManifestId // both have the same form
}

/** The content of a manifest: by default number 1, with the arrays in the order given. */
export function buildManifestContent(arrays: readonly DescribedReferences[], id = 1): Uint8Array {
  return buildFlatBuffer(listManifestFields(arrays, id))
}

/** Lists the fields of a manifest. */
export function listManifestFields(arrays: readonly DescribedReferences[], id = 1): TableDescription {
  return [
    { struct: decodeSnapshotId(buildId(id)) },
    {
      tables: arrays.map(([node, references]) => [
        { struct: buildNodeId(node) },
        { tables: references.map(listReferenceFields) },
      ]),
    },
  ]
}

function listReferenceFields(reference: DescribedReference): TableDescription {
  const { index, inline, offset, length, chunk, location, compressedLocation } = reference
  return [
    index && { structs: index.map(writeU32) },
    inline && { blob: inline },
    offset === undefined ? undefined : { u64: offset },
    length === undefined ? undefined : { u64: length },
    chunk === undefined ? undefined : { struct: decodeSnapshotId(buildId(chunk)) },
    location === undefined ? undefined : { text: location },
    undefined,
    undefined,
    compressedLocation && { blob: compressedLocation },
  ]
}

/** Writes a manifest as it is stored. */
export function buildManifest(content: Uint8Array, { version = 2, kind = 2, compression = 1 } = {}): Uint8Array {
  return buildObject(content, { version, kind, compression })
}

function writeU32(number: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}
