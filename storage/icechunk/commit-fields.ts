// The parts that a commit's own object (snapshot) and its entry in `repo` (SnapshotInfo) have in common, though in
// different slots.
import type { Allowance } from './allowance.ts'
import type { Table } from './flatbuffers.ts'
import { formatSnapshotId, idBytes } from './object-id.ts'
import type { SnapshotId } from './types.ts'

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
