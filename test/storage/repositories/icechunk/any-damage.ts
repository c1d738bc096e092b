import fc from 'fast-check'
import { IcechunkError } from '../../../../storage/repositories/icechunk/index.ts'

/** Content with some bytes changed, and in a quarter of the cases cut off. */
export function anyDamage(payload: Uint8Array): fc.Arbitrary<Buffer> {
  const patch = fc.uint8Array({ minLength: 1, maxLength: 4 })
  return fc.tuple(fc.nat(payload.length - 1), patch, fc.nat(payload.length)).map(([position, bytes, cut]) => {
    const copy = Buffer.from(payload)
    copy.set(bytes.subarray(0, copy.length - position), position)
    return cut % 4 === 0 ? copy.subarray(0, cut) : copy
  })
}

/** Makes a predicate of a reader: given any bytes, it must return a value or throw an error that it names. */
export function readsOrRefuses(read: (bytes: Uint8Array) => unknown): (bytes: Uint8Array) => Promise<void> {
  return async (bytes) => {
    try {
      await read(bytes)
    } catch (error) {
      if (!(error instanceof IcechunkError)) throw error
    }
  }
}
