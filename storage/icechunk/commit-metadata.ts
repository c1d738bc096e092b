import type { Allowance } from './allowance.ts'
import { decodeFlexBuffer } from './flexbuffers.ts'
import type { TableVector } from './flatbuffers.ts'
import { decodeMessagePack } from './message-pack.ts'
import type { CommitMetadata, FormatVersion } from './types.ts'
import type { JsonValue } from '../zarr/index.ts'

/**
 * Reads a vector of MetadataItem tables (slot 0 name, slot 1 value). The encoding of the values goes by the version of
 * the file that holds them: MessagePack in version 1, FlexBuffers in version 2.
 */
export function readCommitMetadata(
  items: TableVector | undefined,
  formatVersion: FormatVersion,
  allowance: Allowance,
): CommitMetadata {
  const metadata = new Map<string, JsonValue>()
  for (const item of items ?? []) {
    const name = item.text(0)
    const value = item.blob(1)
    if (name === undefined || value === undefined) throw allowance.damage('a metadata item lacks its name or value')
    metadata.set(name, formatVersion === 1 ? decodeMessagePack(value, allowance) : decodeFlexBuffer(value, allowance))
  }
  return metadata
}
