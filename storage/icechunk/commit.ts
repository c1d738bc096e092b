// What a commit consists of: its id, time and message, which its own object (snapshot) and its entry in `repo` (SnapshotInfo) hold in
// different slots; its metadata; and its author, which by convention is a part of the metadata.
import type { JsonValue } from '../json/index.ts'
import type { Allowance } from './encoding/allowance.ts'
import type { Table, TableVector } from './encoding/flatbuffers.ts'
import { decodeFlexBuffer } from './encoding/flexbuffers.ts'
import { decodeMessagePack } from './encoding/message-pack.ts'
import { formatSnapshotId, idBytes } from './object-id.ts'
import type { CommitMetadata, FormatVersion, SnapshotId } from './types.ts'

/** The last millisecond of the year 9999: beyond it, ISO 8601 needs another form. */
const maxTime = 253_402_300_799_999n

/** The id in a slot, which must be there. */
export function readId(table: Table, slot: number, allowance: Allowance): SnapshotId {
  const bytes = table.struct(slot, idBytes)
  if (bytes === undefined) throw allowance.damage('a snapshot has no id')
  return formatSnapshotId(bytes)
}

/** Stored as microseconds since 1970-01-01 UTC; given in whole milliseconds. */
export function readTime(table: Table, slot: number, allowance: Allowance): Date {
  const milliseconds = table.u64(slot) / 1000n
  if (milliseconds > maxTime) throw allowance.damage('a time lies after the year 9999')
  return new Date(Number(milliseconds))
}

/** The message in a slot, which must be there; it may be empty. */
export function readMessage(table: Table, slot: number, allowance: Allowance): string {
  const message = table.text(slot)
  if (message === undefined) throw allowance.damage('a commit has no message')
  return message
}

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

/** What stands in place of an author where the commit names none. */
const unknown = 'unknown'

/** Metadata items that identify an author, the most exact one first. Icechunk itself stores no author. */
const authorItems = ['author_id', 'author_email', 'author_name', 'author']

/** Identifies the author of a commit to programs: the first item that is a text and not blank, trimmed; else `unknown`. */
export function commitAuthorId(metadata: CommitMetadata): string {
  for (const name of authorItems) {
    const text = textItem(metadata, name)
    if (text !== undefined) return text
  }
  return unknown
}

/**
 * Names the author of a commit to people. Arraylake's clients write `author_name` and `author_email`, which give
 * `Name <email>`; Icechunk's own examples write `author`. Without either it is the author's id, or else `unknown`.
 */
export function commitAuthor(metadata: CommitMetadata): string {
  const name = textItem(metadata, 'author_name')
  if (name === undefined) return textItem(metadata, 'author') ?? commitAuthorId(metadata)
  const email = textItem(metadata, 'author_email')
  return email === undefined ? name : `${name} <${email}>`
}

function textItem(metadata: CommitMetadata, name: string): string | undefined {
  const value = metadata.get(name)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
