// Converts FlexBuffers to JSON. Objects of version 2 encode commit metadata in this format. Integers keep all digits,
// and floats stay floats. A buffer is read from its end; the type of a value follows the value:
//
//   root     ... value (width bytes) | packed type | width
//   packed   bits 7-2 type, bits 1-0 log2 of the width of what the value points to
//   scalar   stored directly, as wide as its container says; of other values, the distance back from here to the value
//   text     length, bytes; keys have no length and end in NUL
//   vector   count, values, one packed type per value; typed vectors have no packed types, fixed ones no count either
//   map      distance back to the vector of keys, width of the keys, then like a vector
import type { Allowance } from './allowance.ts'
import { CheckedBytes } from './checked-bytes.ts'
import { JsonNumber, type JsonObject, type JsonValue, toJsonFloat } from '../../json/index.ts'

const type = { null: 0, int: 1, uint: 2, float: 3, key: 4, text: 5, indirect: 6, map: 9, vector: 10, bool: 26 } as const

export function decodeFlexBuffer(bytes: Uint8Array, allowance: Allowance): JsonValue {
  const width = bytes.at(-1)
  const packed = bytes.at(-2)
  if (width === undefined || packed === undefined || ![1, 2, 4, 8].includes(width) || bytes.length < 2 + width) {
    throw allowance.damage('a metadata value does not end like a FlexBuffer')
  }
  return new FlexBuffer(bytes, allowance).readValue(bytes.length - 2 - width, width, packed, 0)
}

class FlexBuffer {
  readonly #bytes: CheckedBytes
  readonly #allowance: Allowance

  constructor(bytes: Uint8Array, allowance: Allowance) {
    this.#bytes = new CheckedBytes(bytes, allowance)
    this.#allowance = allowance
  }

  /** The value in the `width` bytes at `position`. */
  readValue(position: number, width: number, packed: number, depth: number): JsonValue {
    this.#allowance.takeValue(depth)
    const kind = packed >> 2
    if (kind <= type.float || kind === type.bool) return this.#readScalar(kind, position, width)
    const target = this.#followOffset(position, width)
    const targetWidth = 1 << (packed & 3)
    if (kind === type.key) return this.#readKey(target)
    if (kind === type.text) return this.#bytes.readText(target, this.#readCount(target, targetWidth))
    if (kind < type.map) return this.#readScalar(kind - type.indirect + type.int, target, targetWidth)
    if (kind === type.map) return this.#readMap(target, targetWidth, depth)
    if (kind === type.vector) return this.#readVector(target, targetWidth, depth)
    const typed = parseVectorType(kind)
    if (typed !== undefined) {
      const count = typed.count ?? this.#readCount(target, targetWidth)
      return this.#readItems(target, targetWidth, count, () => typed.element << 2, depth)
    }
    throw this.#allowance.damage(`a metadata value has the FlexBuffers type ${kind}, which JSON cannot express`)
  }

  #readScalar(kind: number, position: number, width: number): JsonValue {
    this.#bytes.check(position, width)
    if (kind === type.null) return null
    if (kind === type.int) return new JsonNumber(String(this.#readInt(position, width)))
    if (kind === type.uint) return new JsonNumber(String(this.#readUint(position, width)))
    if (kind === type.bool) return Number(this.#readUint(position, width)) !== 0
    if (width === 4) return toJsonFloat(this.#bytes.view.getFloat32(position, true))
    if (width === 8) return toJsonFloat(this.#bytes.view.getFloat64(position, true))
    throw this.#allowance.damage(`a metadata value is a float of ${width} bytes`)
  }

  #readVector(start: number, width: number, depth: number): JsonValue[] {
    const count = this.#readCount(start, width)
    const types = start + count * width
    this.#bytes.check(types, count)
    return this.#readItems(start, width, count, (index) => this.#bytes.bytes[types + index] ?? 0, depth)
  }

  #readItems(start: number, width: number, count: number, findType: (index: number) => number, depth: number) {
    this.#bytes.check(start, count * width)
    const values: JsonValue[] = []
    for (let index = 0; index < count; index++) {
      values.push(this.readValue(start + index * width, width, findType(index), depth + 1))
    }
    return values
  }

  #readMap(start: number, width: number, depth: number): JsonObject {
    const header = start - 3 * width
    this.#bytes.check(header, 2 * width)
    const keys = this.#followOffset(header, width)
    const keyWidth = Number(this.#readUint(header + width, width))
    if (![1, 2, 4, 8].includes(keyWidth)) throw this.#allowance.damage('a metadata object has keys of an unknown width')
    const values = this.#readVector(start, width, depth)
    this.#bytes.check(keys, values.length * keyWidth)
    return new Map(
      values.map((value, index) => [this.#readKey(this.#followOffset(keys + index * keyWidth, keyWidth)), value]),
    )
  }

  #readKey(position: number): string {
    this.#bytes.check(position, 1)
    const end = this.#bytes.bytes.indexOf(0, position)
    if (end < 0) throw this.#allowance.damage('a metadata key has no end')
    return this.#bytes.readText(position, end - position)
  }

  /** Reads the number of elements, which is stored before the first element. */
  #readCount(start: number, width: number): number {
    this.#bytes.check(start - width, width)
    const count = Number(this.#readUint(start - width, width))
    this.#bytes.check(start, count)
    return count
  }

  #followOffset(position: number, width: number): number {
    this.#bytes.check(position, width)
    const target = position - Number(this.#readUint(position, width))
    this.#bytes.check(target, 0)
    return target
  }

  #readUint(position: number, width: number): number | bigint {
    if (width === 8) return this.#bytes.view.getBigUint64(position, true)
    if (width === 4) return this.#bytes.view.getUint32(position, true)
    return width === 2 ? this.#bytes.view.getUint16(position, true) : this.#bytes.view.getUint8(position)
  }

  #readInt(position: number, width: number): number | bigint {
    if (width === 8) return this.#bytes.view.getBigInt64(position, true)
    if (width === 4) return this.#bytes.view.getInt32(position, true)
    return width === 2 ? this.#bytes.view.getInt16(position, true) : this.#bytes.view.getInt8(position)
  }
}

/**
 * Returns the element type of a typed vector, and the element count when the type implies it; undefined for any other
 * type. Type 15, a vector of short texts, is obsolete and not supported.
 */
function parseVectorType(kind: number): { element: number; count: number | undefined } | undefined {
  if (kind >= 11 && kind <= 14) return { element: kind - 11 + type.int, count: undefined }
  if (kind >= 16 && kind <= 24) return { element: ((kind - 16) % 3) + type.int, count: Math.floor((kind - 16) / 3) + 2 }
  return kind === 36 ? { element: type.bool, count: undefined } : undefined
}
