import fc from 'fast-check'
import type { Test } from 'tap'
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

/** Reads any of these bytes. Each read must return a value or throw an error that the reader names. */
export async function readAny(
  t: Test,
  content: fc.Arbitrary<Uint8Array>,
  read: (bytes: Uint8Array) => unknown,
  numRuns: number,
): Promise<void> {
  const isReadOrRefused = async (bytes: Uint8Array) => {
    try {
      await read(bytes)
    } catch (error) {
      return error instanceof IcechunkError
    }
    return true
  }
  await fc.assert(fc.asyncProperty(content, isReadOrRefused), { numRuns })
  t.pass()
}
