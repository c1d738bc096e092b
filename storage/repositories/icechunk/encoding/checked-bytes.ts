import type { Allowance } from './allowance.ts'

/** The bytes of an object. It may be hostile, so each position that it contains is checked before use. */
export class CheckedBytes {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly allowance: Allowance

  constructor(bytes: Uint8Array, allowance: Allowance) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.allowance = allowance
  }

  /** Throws for a negative position, and for a range that ends beyond the object, even if the sum exceeds 2^53. */
  check(position: number, length: number): void {
    if (position < 0 || position + length > this.bytes.length) {
      throw this.allowance.damage('an offset points outside the object')
    }
  }

  slice(position: number, length: number): Uint8Array {
    this.check(position, length)
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + position, length)
  }

  readU32(position: number): number {
    this.check(position, 4)
    return this.view.getUint32(position, true)
  }

  /** The bytes after their length, which is a u32 at `position`. Not a copy. */
  readBytes(position: number): Uint8Array {
    return this.slice(position + 4, this.readU32(position))
  }

  readText(position: number, length: number): string {
    return this.allowance.takeText(this.slice(position, length))
  }
}
