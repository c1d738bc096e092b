// Bits in bytes, the lowest bit of a byte first. All work on many bits at once: an array can have 2^27.

/** Reads at least 25 bits from a position on. Those beyond the end are 0. */
export function readBits(bits: Uint8Array, at: number): number {
  const index = at >>> 3
  const [low, high] = [bits[index] ?? 0, bits[index + 1] ?? 0]
  return (low | (high << 8) | ((bits[index + 2] ?? 0) << 16) | ((bits[index + 3] ?? 0) << 24)) >>> (at & 7)
}

/** Counts the bits that are set in 32 bits. */
export function countIn(word: number): number {
  let sum = word - ((word >>> 1) & 0x55555555)
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333)
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Counts the bits that are set in a run. */
export function countRun(bits: Uint8Array, at: number, length: number): number {
  let count = 0
  for (let done = 0; done < length; done += 24) {
    count += countIn(readBits(bits, at + done) & maskOf(Math.min(24, length - done)))
  }
  return count
}

/**
 * Sets the bits of a run that are set in another run.
 *
 * @returns whether one of them was set before
 */
export function mergeRun(to: Uint8Array, toAt: number, from: Uint8Array, fromAt: number, length: number): boolean {
  let common = 0
  for (let done = 0; done < length;) {
    const at = toAt + done
    const taken = Math.min(8 - (at & 7), length - done)
    const added = (readBits(from, fromAt + done) & maskOf(taken)) << (at & 7)
    const before = to[at >>> 3] ?? 0
    common |= before & added
    to[at >>> 3] = before | added
    done += taken
  }
  return common !== 0
}

/**
 * Sets all bits of a run.
 *
 * @returns whether one of them was set before
 */
export function fillRun(to: Uint8Array, toAt: number, length: number): boolean {
  let common = 0
  for (let done = 0; done < length;) {
    const at = toAt + done
    const taken = Math.min(8 - (at & 7), length - done)
    const added = maskOf(taken) << (at & 7)
    const before = to[at >>> 3] ?? 0
    common |= before & added
    to[at >>> 3] = before | added
    done += taken
  }
  return common !== 0
}

export function clearRun(to: Uint8Array, toAt: number, length: number): void {
  for (let done = 0; done < length;) {
    const at = toAt + done
    const taken = Math.min(8 - (at & 7), length - done)
    to[at >>> 3] = (to[at >>> 3] ?? 0) & ~(maskOf(taken) << (at & 7))
    done += taken
  }
}

/** The lowest `count` bits, of up to 24. */
function maskOf(count: number): number {
  return (1 << count) - 1
}
