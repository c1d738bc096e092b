// Random bytes and ids that depend on the seed, in place of those of the system.
import crypto from 'node:crypto'
import { machine } from './machine.ts'

/** Replaces the sources of random numbers. */
export function patchRandom(): void {
  Math.random = () => machine.random.next()
  const fill = <Bytes extends NodeJS.ArrayBufferView>(view: Bytes): Bytes => {
    const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength)
    for (let index = 0; index < bytes.length; index++) bytes[index] = machine.random.bits() & 0xff
    return view
  }
  const randomUUID = () => {
    const bytes = fill(Buffer.alloc(16))
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  const refuse = () => {
    throw new TypeError('the machine gives random bytes at once only')
  }
  Object.assign(crypto, {
    randomBytes: (size: number, callback?: unknown) => (callback === undefined ? fill(Buffer.alloc(size)) : refuse()),
    randomFillSync: fill,
    randomFill: refuse,
    randomUUID,
    randomInt: (least: number, limit?: number) =>
      limit === undefined ? machine.random.below(least) : least + machine.random.below(limit - least),
  })
  Object.assign(crypto.webcrypto, { getRandomValues: fill, randomUUID })
}
