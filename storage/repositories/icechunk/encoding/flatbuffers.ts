// Reads FlatBuffers by slot number, without generated code. The bytes may be hostile, so every position is checked
// before it is read. Parts that are not requested are neither read nor checked.
//
//   root     u32 at 0: position of the root table
//   table    i32: distance back to its vtable, then its fields
//   vtable   u16 own size, u16 table size, then one u16 per slot: the field's distance from the table, 0 = absent
//   offset   u32: distance forward to a table, text or vector
//   vector   u32 count, then the elements: offsets, or structs in place
//   text     like a vector of bytes
import type { Allowance } from './allowance.ts'
import { CheckedBytes } from './checked-bytes.ts'
import { type Field, TableFields } from './table-fields.ts'

/** The file identifier `Ichk`, which all of Icechunk's FlatBuffers carry. */
const fileIdentifier = 0x6b_68_63_49

/**
 * Opens the root table of a FlatBuffer. Data extracted from it counts against `allowance`. This function and the
 * methods of its tables throw {@link DamagedObjectError}.
 */
export function openFlatBuffer(payload: Uint8Array, allowance: Allowance): Table {
  const bytes = new CheckedBytes(payload, allowance)
  if (bytes.readU32(4) !== fileIdentifier) throw allowance.damage("its content is not marked as Icechunk's")
  return new Table(bytes, followOffset(bytes, 0))
}

/** One table. An absent number reads as 0, as the format says; any other absent field reads as undefined. */
export class Table {
  readonly #bytes: CheckedBytes
  #position = 0
  #vtable = 0
  #vtableSize = 0

  constructor(bytes: CheckedBytes, position: number) {
    this.#bytes = bytes
    this.moveTo(position)
  }

  /** Makes this object read the table at another position. A walk over many tables then allocates nothing. */
  moveTo(position: number): void {
    const bytes = this.#bytes
    this.#position = position
    bytes.check(position, 4)
    this.#vtable = position - bytes.view.getInt32(position, true)
    bytes.check(this.#vtable, 2)
    this.#vtableSize = bytes.view.getUint16(this.#vtable, true)
    bytes.check(this.#vtable, this.#vtableSize)
  }

  readU8(slot: number): number {
    const field = this.#findField(slot, 1)
    return field === undefined ? 0 : this.#bytes.view.getUint8(field)
  }

  readU16(slot: number): number {
    const field = this.#findField(slot, 2)
    return field === undefined ? 0 : this.#bytes.view.getUint16(field, true)
  }

  readU32(slot: number): number {
    const field = this.#findField(slot, 4)
    return field === undefined ? 0 : this.#bytes.view.getUint32(field, true)
  }

  readI32(slot: number): number {
    const field = this.#findField(slot, 4)
    return field === undefined ? 0 : this.#bytes.view.getInt32(field, true)
  }

  readU64(slot: number): bigint {
    const field = this.#findField(slot, 8)
    return field === undefined ? 0n : this.#bytes.view.getBigUint64(field, true)
  }

  readStruct(slot: number, length: number): Uint8Array | undefined {
    const field = this.#findField(slot, length)
    return field === undefined ? undefined : this.#bytes.slice(field, length)
  }

  /** A vector of structs of `length` bytes each, one after the other. Not a copy. */
  readStructs(slot: number, length: number): Uint8Array | undefined {
    const start = this.findStructs(slot, length)
    return start === undefined ? undefined : this.#bytes.slice(start + 4, this.#bytes.readU32(start) * length)
  }

  /** The position of a vector of structs: their number, a u32, then the structs. All of them lie in the object. */
  findStructs(slot: number, length: number): number | undefined {
    const start = this.#follow(slot)
    if (start === undefined) return undefined
    this.#bytes.check(start + 4, this.#bytes.readU32(start) * length)
    return start
  }

  readText(slot: number): string | undefined {
    const bytes = this.readTextBytes(slot)
    return bytes === undefined ? undefined : this.#bytes.allowance.takeText(bytes)
  }

  /** The UTF-8 bytes of a text. Not a copy, and not counted against the allowance. */
  readTextBytes(slot: number): Uint8Array | undefined {
    const start = this.findStructs(slot, 1)
    return start === undefined ? undefined : this.#bytes.readBytes(start)
  }

  /** A vector of bytes. Not a copy. */
  readBlob(slot: number): Uint8Array | undefined {
    const blob = this.readTextBytes(slot)
    if (blob !== undefined) this.#bytes.allowance.takeBytes(blob.length)
    return blob
  }

  readTable(slot: number): Table | undefined {
    const position = this.#follow(slot)
    return position === undefined ? undefined : new Table(this.#bytes, position)
  }

  /** A vector of tables at a position that was found before. */
  tablesAt(position: number): TableVector {
    return new TableVector(this.#bytes, position)
  }

  /** Reads fields of other tables, at positions that were found before. */
  readFields(fields: readonly Field[]): TableFields {
    return new TableFields(this.#bytes, fields)
  }

  /** At most `maxCount` numbers of a vector. */
  readU16s(slot: number, maxCount: number): readonly number[] {
    const start = this.#follow(slot)
    if (start === undefined) return []
    const length = Math.min(this.#bytes.readU32(start), maxCount)
    this.#bytes.check(start + 4, 2 * length)
    this.#bytes.allowance.takeBytes(2 * length)
    return Array.from({ length }, (_, index) => this.#bytes.view.getUint16(start + 4 + 2 * index, true))
  }

  readTables(slot: number): TableVector | undefined {
    const position = this.#follow(slot)
    return position === undefined ? undefined : new TableVector(this.#bytes, position)
  }

  #follow(slot: number): number | undefined {
    const field = this.#findField(slot, 4)
    return field === undefined ? undefined : followOffset(this.#bytes, field)
  }

  #findField(slot: number, length: number): number | undefined {
    const entry = 4 + 2 * slot
    // The vtable of an older version is shorter; slots beyond its end are absent.
    if (entry + 2 > this.#vtableSize) return undefined
    const distance = this.#bytes.view.getUint16(this.#vtable + entry, true)
    if (distance === 0) return undefined
    this.#bytes.check(this.#position + distance, length)
    return this.#position + distance
  }
}

/** The indexes from `first` up to before `end`. */
type IndexRange = { readonly first: number; readonly end: number }

/** A vector of tables, each read only when it is requested. */
export class TableVector {
  readonly length: number
  readonly #bytes: CheckedBytes
  readonly #start: number

  constructor(bytes: CheckedBytes, position: number) {
    this.#bytes = bytes
    this.#start = position + 4
    this.length = bytes.readU32(position)
    bytes.check(this.#start, this.length * 4)
  }

  at(index: number): Table {
    return new Table(this.#bytes, this.find(index))
  }

  moveTo(table: Table, index: number): void {
    table.moveTo(this.find(index))
  }

  /** Finds a table in a sorted vector. `compare` is negative for tables before it, positive for tables after it. */
  search(compare: (table: Table) => number): number | undefined {
    let first = 0
    let end = this.length
    while (first < end) {
      const middle = Math.floor((first + end) / 2)
      const order = compare(this.at(middle))
      if (order === 0) return middle
      if (order < 0) first = middle + 1
      else end = middle
    }
    return undefined
  }

  /**
   * Reads one number from each table of the range into `numbers`, at the index of the table. Writes `unreadable` for a
   * damaged table instead of throwing: a hostile object can have a million of these, and each error takes microseconds.
   */
  readI32s(slot: number, numbers: Int32Array, { first, end }: IndexRange, unreadable: number): void {
    const { view, bytes } = this.#bytes
    const entry = 4 + 2 * slot
    const lastStart = bytes.length - 4
    for (let index = first; index < end; index++) {
      const offset = this.#start + 4 * index
      const table = offset + view.getUint32(offset, true)
      const vtable = table <= lastStart ? table - view.getInt32(table, true) : -1
      const vtableSize = vtable >= 0 && vtable + 2 <= bytes.length ? view.getUint16(vtable, true) : Infinity
      if (vtable + vtableSize > bytes.length) {
        numbers[index] = unreadable
        continue
      }
      const distance = entry + 2 > vtableSize ? 0 : view.getUint16(vtable + entry, true)
      if (distance === 0) numbers[index] = 0
      else numbers[index] = table + distance <= lastStart ? view.getInt32(table + distance, true) : unreadable
    }
  }

  /** All tables in order. Yields the same object each time, so a walk over many tables allocates nothing. */
  *walk(): Generator<Table> {
    if (this.length === 0) return
    const table = this.at(0)
    for (let index = 0; index < this.length; index++) {
      this.moveTo(table, index)
      yield table
    }
  }

  *[Symbol.iterator](): Generator<Table> {
    for (let index = 0; index < this.length; index++) yield this.at(index)
  }

  /** The position of a table, which is checked when the table is read. */
  find(index: number): number {
    return followOffset(this.#bytes, this.#start + 4 * index)
  }
}

function followOffset(bytes: CheckedBytes, position: number): number {
  return position + bytes.readU32(position)
}
