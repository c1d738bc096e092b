// Converts MessagePack to JSON. Objects of version 1 encode commit metadata in this format. Supports only the types
// that JSON can express; Icechunk writes no others. No library is used, because integers must keep all digits and
// floats must stay floats (`3.0` is not `3`).
//
//   00-7f int | 80-8f map | 90-9f list | a0-bf text | c0 nil | c2 c3 bool | ca cb float | cc-cf uint | d0-d3 int
//   d9 da db text | dc dd list | de df map (length of 1, 2, 4 bytes; 2, 4; 2, 4) | e0-ff int; numbers are big-endian
import type { Allowance } from './allowance.ts'
import { JsonNumber, type JsonObject, type JsonValue, toJsonFloat } from '../../json/index.ts'

/**
 * Reads one value, which must fill `bytes`. Its content counts against `allowance`. Throws {@link DamagedObjectError}.
 */
export function decodeMessagePack(bytes: Uint8Array, allowance: Allowance): JsonValue {
  const reader = new MessagePackReader(bytes, allowance)
  const value = reader.readValue(0)
  reader.expectEnd()
  return value
}

class MessagePackReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #allowance: Allowance
  #position = 0

  constructor(bytes: Uint8Array, allowance: Allowance) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#allowance = allowance
  }

  readValue(depth: number): JsonValue {
    this.#allowance.takeValue(depth)
    const lead = this.#readUint(1)
    if (lead <= 0x7f) return new JsonNumber(String(lead))
    if (lead <= 0x8f) return this.#readMap(lead & 15, depth)
    if (lead <= 0x9f) return this.#readList(lead & 15, depth)
    if (lead <= 0xbf) return this.#readText(lead & 31)
    if (lead >= 0xe0) return new JsonNumber(String(lead - 256))
    switch (lead) {
      case 0xc0:
        return null
      case 0xc2:
        return false
      case 0xc3:
        return true
      case 0xca:
        return toJsonFloat(this.#view.getFloat32(this.#take(4)))
      case 0xcb:
        return toJsonFloat(this.#view.getFloat64(this.#take(8)))
      case 0xcc:
      case 0xcd:
      case 0xce:
        return new JsonNumber(String(this.#readUint(1 << (lead - 0xcc))))
      case 0xcf:
        return new JsonNumber(String(this.#view.getBigUint64(this.#take(8))))
      case 0xd0:
        return new JsonNumber(String(this.#view.getInt8(this.#take(1))))
      case 0xd1:
        return new JsonNumber(String(this.#view.getInt16(this.#take(2))))
      case 0xd2:
        return new JsonNumber(String(this.#view.getInt32(this.#take(4))))
      case 0xd3:
        return new JsonNumber(String(this.#view.getBigInt64(this.#take(8))))
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#readText(this.#readUint(1 << (lead - 0xd9)))
      case 0xdc:
      case 0xdd:
        return this.#readList(this.#readUint(2 << (lead - 0xdc)), depth)
      case 0xde:
      case 0xdf:
        return this.#readMap(this.#readUint(2 << (lead - 0xde)), depth)
      default:
        throw this.#allowance.damage(`a metadata value has the MessagePack type ${lead}, which JSON cannot express`)
    }
  }

  expectEnd(): void {
    if (this.#position !== this.#bytes.length) throw this.#allowance.damage('there is data after a metadata value')
  }

  #readList(count: number, depth: number): JsonValue[] {
    const values: JsonValue[] = []
    // Append one by one instead of allocating `count` items: a hostile count can be far larger than the data.
    while (values.length < count) values.push(this.readValue(depth + 1))
    return values
  }

  #readMap(count: number, depth: number): JsonObject {
    const members = new Map<string, JsonValue>()
    for (let index = 0; index < count; index++) {
      const name = this.readValue(depth + 1)
      if (typeof name !== 'string') throw this.#allowance.damage('a metadata object has a name that is not a text')
      members.set(name, this.readValue(depth + 1))
    }
    return members
  }

  #readText(length: number): string {
    const start = this.#take(length)
    return this.#allowance.takeText(this.#bytes.subarray(start, start + length))
  }

  #readUint(width: number): number {
    const start = this.#take(width)
    if (width === 1) return this.#view.getUint8(start)
    return width === 2 ? this.#view.getUint16(start) : this.#view.getUint32(start)
  }

  /** Moves past the next `length` bytes and returns where they start. */
  #take(length: number): number {
    const start = this.#position
    if (start + length > this.#bytes.length) throw this.#allowance.damage('a metadata value is cut short')
    this.#position += length
    return start
  }
}
