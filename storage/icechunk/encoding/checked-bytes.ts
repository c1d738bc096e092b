import type { Allowance } from './allowance.ts'

/** Bytes of an object with positions that come from the object itself: each is checked before it is read. */
export class CheckedBytes {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly allowance: Allowance

  /** What is taken out counts against `allowance`, whose damage every method throws. */
  constructor(bytes: Uint8Array, allowance: Allowance) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.allowance = allowance
  }

  /** Positions may be negative, and sums beyond 2^53: both are refused. */
  check(position: number, length: number): void {
    if (position < 0 || position + length > this.bytes.length) {
      throw this.allowance.damage('an offset leads out of the object')
    }
  }

  /** Bytes in place, without a copy. */
  slice(position: number, length: number): Uint8Array {
    this.check(position, length)
    return new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + position, length)
  }

  text(position: number, length: number): string {
    return this.allowance.takeText(this.slice(position, length))
  }
}
