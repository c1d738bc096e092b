// Reads the parts of a commit. A snapshot object and an entry of `repo` (SnapshotInfo) store the same parts in
// different slots, so callers pass the slot. Icechunk stores no author; by convention, it is an item of the commit
// metadata.
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from '../../../json/index.ts'
import type { Allowance } from '../../encoding/allowance.ts'
import type { Table, TableVector } from '../../encoding/flatbuffers.ts'
import { decodeFlexBuffer } from '../../encoding/flexbuffers.ts'
import { decodeMessagePack } from '../../encoding/message-pack.ts'
import { formatSnapshotId, idBytes } from '../object-id.ts'
import type { Commit, CommitMetadata, FormatVersion, SnapshotId } from '../../types.ts'

/** The last microsecond of the year 9999, since 1970-01-01 UTC. ISO 8601 writes later years in another form. */
const maxMicroseconds = 253_402_300_799_999_999n

export function readId(table: Table, slot: number, allowance: Allowance): SnapshotId {
  const bytes = table.readStruct(slot, idBytes)
  if (bytes === undefined) throw allowance.damage('a snapshot has no id')
  return formatSnapshotId(bytes)
}

/** Reads a time, and rounds it down to milliseconds. Throws as {@link readMicroseconds}. */
export function readTime(table: Table, slot: number, allowance: Allowance): Date {
  return new Date(Number(readMicroseconds(table, slot, allowance) / 1000n))
}

/**
 * Reads a time, stored as microseconds since 1970-01-01 UTC. Throws {@link DamagedObjectError} for a time after the
 * year 9999.
 */
export function readMicroseconds(table: Table, slot: number, allowance: Allowance): bigint {
  const microseconds = table.readU64(slot)
  if (microseconds > maxMicroseconds) throw allowance.damage('a time lies after the year 9999')
  return microseconds
}

export function readMessage(table: Table, slot: number, allowance: Allowance): string {
  const message = table.readText(slot)
  if (message === undefined) throw allowance.damage('a commit has no message')
  return message
}

/** Reads MetadataItem tables (slot 0 name, 1 value). Values are MessagePack in version 1, FlexBuffers in version 2. */
export function readCommitMetadata(
  items: Iterable<Table> | undefined,
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

/** Memory of a value in bytes, without its texts. */
const valueBytes = 40

/** Estimates the memory of a commit in bytes. */
export function measureCommit({ message, metadata }: Pick<Commit, 'message' | 'metadata'>): number {
  return 5 * valueBytes + 2 * message.length + measureValue(metadata)
}

function measureValue(value: JsonValue): number {
  if (typeof value === 'string') return valueBytes + 2 * value.length
  if (value instanceof JsonNumber) return valueBytes + 2 * value.text.length
  if (isJsonArray(value)) return value.reduce((sum: number, item) => sum + measureValue(item), valueBytes)
  if (!isJsonObject(value)) return valueBytes
  let sum = valueBytes
  for (const [name, member] of value) sum += 2 * name.length + measureValue(member)
  return sum
}

/** Maximum number of metadata items of a commit to search for its author. */
const maxItems = 10_000

/** Like {@link readAuthorId}, but decodes only the items that can name an author. */
export function findAuthorId(
  items: TableVector | undefined,
  formatVersion: FormatVersion,
  allowance: Allowance,
): string {
  if (items === undefined) return unknownAuthor
  if (items.length > maxItems)
    throw allowance.exceed('maxCommitValues', `a commit has more than ${maxItems} metadata values`)
  const candidates: Table[] = []
  for (const item of items) {
    const name = item.readTextBytes(0) ?? new Uint8Array()
    if (authorNames.some((bytes) => bytes.equals(name))) candidates.push(item)
  }
  return readAuthorId(readCommitMetadata(candidates, formatVersion, allowance))
}

const unknownAuthor = 'unknown'

/** Names of the metadata items that can identify an author, in order of precedence. */
export const authorItems: readonly string[] = ['author_id', 'author_email', 'author_name', 'author']
const authorNames = authorItems.map((name) => Buffer.from(name))

/**
 * Reads the author's id, for programs: the first of `authorItems` that is a non-blank text, trimmed; else `unknown`.
 */
export function readAuthorId(metadata: CommitMetadata): string {
  for (const name of authorItems) {
    const text = findText(metadata, name)
    if (text !== undefined) return text
  }
  return unknownAuthor
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
