// Reads the parts of a commit. The snapshot object and the commit's entry in `repo` (SnapshotInfo) both hold its id, time and message,
// but in different slots, so callers pass the slot. The author is by convention an item of the commit metadata.
import type { JsonValue } from '../../json/index.ts'
import type { Allowance } from '../encoding/allowance.ts'
import type { Table, TableVector } from '../encoding/flatbuffers.ts'
import { decodeFlexBuffer } from '../encoding/flexbuffers.ts'
import { decodeMessagePack } from '../encoding/message-pack.ts'
import { formatSnapshotId, idBytes } from './object-id.ts'
import type { CommitMetadata, FormatVersion, SnapshotId } from '../types.ts'

/** The last millisecond of the year 9999, since 1970-01-01 UTC. ISO 8601 writes later years in another form. */
const maxTime = 253_402_300_799_999n

/** Reads a snapshot id. Throws {@link DamagedObjectError} when the slot is empty. */
export function readId(table: Table, slot: number, allowance: Allowance): SnapshotId {
  const bytes = table.readStruct(slot, idBytes)
  if (bytes === undefined) throw allowance.damage('a snapshot has no id')
  return formatSnapshotId(bytes)
}

/**
 * Reads a time, which is stored as microseconds since 1970-01-01 UTC, and drops the part below a millisecond. Throws
 * {@link DamagedObjectError} for a time after the year 9999.
 */
export function readTime(table: Table, slot: number, allowance: Allowance): Date {
  const milliseconds = table.readU64(slot) / 1000n
  if (milliseconds > maxTime) throw allowance.damage('a time lies after the year 9999')
  return new Date(Number(milliseconds))
}

/** Reads a commit message, which may be empty. Throws {@link DamagedObjectError} when the slot is empty. */
export function readMessage(table: Table, slot: number, allowance: Allowance): string {
  const message = table.readText(slot)
  if (message === undefined) throw allowance.damage('a commit has no message')
  return message
}

/**
 * Reads a vector of MetadataItem tables (slot 0 name, slot 1 value). The version of the file decides how the
 * values are encoded: MessagePack in version 1, FlexBuffers in version 2.
 */
export function readCommitMetadata(
  items: TableVector | undefined,
  formatVersion: FormatVersion,
  allowance: Allowance,
): CommitMetadata {
  const metadata = new Map<string, JsonValue>()
  for (const item of items ?? []) {
    const name = item.readText(0)
    const value = item.readBlob(1)
    if (name === undefined || value === undefined) throw allowance.damage('a metadata item lacks its name or value')
    metadata.set(name, formatVersion === 1 ? decodeMessagePack(value, allowance) : decodeFlexBuffer(value, allowance))
  }
  return metadata
}

/** The author shown when the commit names none. */
const unknown = 'unknown'

/** Metadata items that can identify an author; the first one in this list that is present wins. Icechunk itself stores no author. */
const authorItems = ['author_id', 'author_email', 'author_name', 'author']

/** Reads the author's id, for programs: the first of `authorItems` that is a non-blank text, trimmed, or else `unknown`. */
export function readAuthorId(metadata: CommitMetadata): string {
  for (const name of authorItems) {
    const text = findText(metadata, name)
    if (text !== undefined) return text
  }
  return unknown
}

/**
 * Reads the author's name, for people. Arraylake's clients write `author_name` and `author_email`, which become
 * `Name <email>`; Icechunk's own examples write `author`. Without any of these, returns {@link readAuthorId}.
 */
export function readAuthor(metadata: CommitMetadata): string {
  const name = findText(metadata, 'author_name')
  if (name === undefined) return findText(metadata, 'author') ?? readAuthorId(metadata)
  const email = findText(metadata, 'author_email')
  return email === undefined ? name : `${name} <${email}>`
}

function findText(metadata: CommitMetadata, name: string): string | undefined {
  const value = metadata.get(name)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
