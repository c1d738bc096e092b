// Damages the objects of an Icechunk repository. All randomness comes from one seeded generator, so that a seed and a
// number reproduce a finding.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

const headerLength = 39

/** A generator of integers from 0 below a bound (mulberry32). */
export type Random = (below: number) => number

/** Makes a generator whose numbers depend only on the seed. */
export function makeSeededRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Picks a random element of a non-empty list. */
export function pick<T>(random: Random, list: readonly T[]): T {
  const chosen = list[random(list.length)]
  if (chosen === undefined) throw new RangeError('nothing to choose from')
  return chosen
}

/** An object to damage: as stored and, for binary objects, decompressed. */
export type Victim = { readonly stored: Uint8Array; readonly payload: Uint8Array | undefined }

/** Decompresses an object if it is binary. */
export function toVictim(stored: Uint8Array): Victim {
  const isBinary = stored.length > headerLength && stored[0] === 0x49
  return { stored, payload: isBinary ? zstdDecompressSync(stored.subarray(headerLength)) : undefined }
}

/** Makes a damaged copy of an object. Returns the copy and the name of the damage. */
export function damageObject(
  random: Random,
  victim: Victim,
  ids: readonly Uint8Array[],
): { bytes: Uint8Array; how: string } {
  const { stored, payload } = victim
  // Most damage is in the uncompressed bytes, which have the offsets and lengths that the reader follows.
  if (payload === undefined || random(10) === 0) return damageBytes(random, stored)
  const { bytes, how } = random(8) === 0 ? swapIds(random, payload, ids) : damageBytes(random, payload)
  return { bytes: wrap(random, stored, bytes), how: `payload ${how}` }
}

function damageBytes(random: Random, bytes: Uint8Array): { bytes: Uint8Array; how: string } {
  const how = pick(random, ['flip', 'byte', 'word', 'length', 'splice', 'cut', 'insert', 'several'] as const)
  if (bytes.length < 8 || how === 'cut') return { bytes: bytes.slice(0, random(bytes.length)), how: 'cut' }
  if (how === 'insert') {
    const position = random(bytes.length)
    const inserted = Buffer.from(Array.from({ length: 1 + random(8) }, () => random(256)))
    return { bytes: Buffer.concat([bytes.subarray(0, position), inserted, bytes.subarray(position)]), how }
  }
  const copy = Uint8Array.from(bytes)
  for (let count = how === 'several' ? 2 + random(6) : 1; count > 0; count--) {
    damageInPlace(random, copy, how === 'several' ? pick(random, ['flip', 'word', 'length', 'splice'] as const) : how)
  }
  return { bytes: copy, how }
}

function damageInPlace(random: Random, bytes: Uint8Array, how: 'flip' | 'byte' | 'word' | 'length' | 'splice'): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const position = random(bytes.length)
  // Offsets and lengths are aligned.
  const word = random(bytes.length >> 2 || 1) * 4
  if (how === 'flip') bytes[position] = (bytes[position] ?? 0) ^ (1 << random(8))
  if (how === 'byte') bytes[position] = random(256)
  if (word + 4 > bytes.length) return
  const extremes = [0, 1, 2, 3, 4, 0x7f, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, bytes.length]
  if (how === 'length') view.setUint32(word, pick(random, extremes), true)
  if (how === 'word') view.setUint32(word, random(bytes.length * 2), true)
  if (how === 'splice') bytes.copyWithin(word, random(bytes.length >> 2 || 1) * 4, random(bytes.length))
}

/** Replaces an id with another: cycles of parents, references to missing objects, objects with wrong names. */
function swapIds(random: Random, payload: Uint8Array, ids: readonly Uint8Array[]): { bytes: Uint8Array; how: string } {
  const copy = Buffer.from(payload)
  const position = copy.indexOf(pick(random, ids), random(copy.length))
  if (position < 0) return damageBytes(random, payload)
  copy.set(random(4) === 0 ? Buffer.alloc(12, random(256)) : pick(random, ids), position)
  return { bytes: copy, how: 'id' }
}

/** Makes an object with this payload, mostly uncompressed, which is faster and reaches the same code. */
function wrap(random: Random, stored: Uint8Array, payload: Uint8Array): Uint8Array {
  if (random(8) !== 0) return wrapPlain(stored, payload)
  return Buffer.concat([stored.subarray(0, headerLength), zstdCompressSync(payload)])
}

/** Makes an uncompressed object from the header of another object and this payload. */
export function wrapPlain(stored: Uint8Array, payload: Uint8Array): Uint8Array {
  const bytes = Buffer.concat([stored.subarray(0, headerLength), payload])
  bytes[headerLength - 1] = 0
  return bytes
}

/**
 * Makes objects of a few kilobytes that decompress to hundreds of megabytes: zeros, and a list that repeats one table.
 */
export function makeBombs(stored: Uint8Array, payload: Uint8Array): Uint8Array[] {
  const header = stored.subarray(0, headerLength)
  const lists = Buffer.alloc(64 * 1024 * 1024, payload.subarray(0, 64))
  const contents = [Buffer.alloc(500 * 1024 * 1024), Buffer.alloc(90 * 1024 * 1024, 1), Buffer.concat([payload, lists])]
  return contents.flatMap((content) =>
    [0, 1].map((contentSizeFlag) => {
      const params = { [constants.ZSTD_c_contentSizeFlag]: contentSizeFlag }
      return Buffer.concat([header, zstdCompressSync(content, { params })])
    }),
  )
}
