import type { CheckedBytes } from './checked-bytes.ts'

/** A field: its slot, and the number of bytes that it takes in the table. */
export type Field = { readonly slot: number; readonly size: number }

/**
 * Reads the same fields of many tables. Writers give these tables the same vtable, so it is read once for all of them.
 * Fields are named by their place in the list. An absent number reads as 0, and the position of what is absent is 0.
 * The methods throw {@link DamagedObjectError}.
 */
export class TableFields {
  readonly #bytes: CheckedBytes
  readonly #fields: readonly Field[]
  /** How far each field is from the position of its table; 0 where it is absent. */
  readonly #distances: Uint16Array
  /** The position of the vtable from which they were read. */
  #vtable = NaN
  /** How far the fields reach from the position of their table. */
  #size = 0
  #position = 0

  constructor(bytes: CheckedBytes, fields: readonly Field[]) {
    this.#bytes = bytes
    this.#fields = fields
    this.#distances = new Uint16Array(fields.length)
  }

  /** Makes this object read the table at a position. */
  moveTo(position: number): void {
    this.#bytes.check(position, 4)
    const vtable = position - this.#bytes.view.getInt32(position, true)
    if (vtable !== this.#vtable) this.#readVtable(vtable)
    this.#bytes.check(position, this.#size)
    this.#position = position
  }

  /** The position of a field, which lies in the object. */
  find(field: number): number {
    const distance = this.#distances[field] ?? 0
    return distance === 0 ? 0 : this.#position + distance
  }

  /** The position of the table to which a field refers. It is checked when the table is read. */
  findTable(field: number): number {
    const position = this.find(field)
    return position === 0 ? 0 : position + this.#bytes.view.getUint32(position, true)
  }

  /** The position of a text or a vector of bytes: its length, a u32, then its bytes. All of them lie in the object. */
  findBytes(field: number): number {
    return this.findStructs(field, 1)
  }

  /** The position of a vector of structs: their number, a u32, then the structs. All of them lie in the object. */
  findStructs(field: number, length: number): number {
    const start = this.findTable(field)
    if (start === 0) return 0
    this.#bytes.check(start, 4)
    this.#bytes.check(start + 4, this.#bytes.view.getUint32(start, true) * length)
    return start
  }

  readU8(field: number): number {
    const position = this.find(field)
    return position === 0 ? 0 : this.#bytes.view.getUint8(position)
  }

  readU32(field: number): number {
    const position = this.find(field)
    return position === 0 ? 0 : this.#bytes.view.getUint32(position, true)
  }

  /** Rounded if it is larger than 2^53. */
  readU64(field: number): number {
    const position = this.find(field)
    if (position === 0) return 0
    const { view } = this.#bytes
    return view.getUint32(position, true) + 2 ** 32 * view.getUint32(position + 4, true)
  }

  #readVtable(vtable: number): void {
    const { view } = this.#bytes
    this.#bytes.check(vtable, 2)
    const size = view.getUint16(vtable, true)
    this.#bytes.check(vtable, size)
    this.#vtable = vtable
    this.#size = 0
    for (const [at, field] of this.#fields.entries()) {
      const entry = 4 + 2 * field.slot
      // The vtable of an older version is shorter; slots beyond its end are absent.
      const distance = entry + 2 > size ? 0 : view.getUint16(vtable + entry, true)
      this.#distances[at] = distance
      if (distance !== 0) this.#size = Math.max(this.#size, distance + field.size)
    }
  }
}
