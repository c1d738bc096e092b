import type { ManifestArray } from '../../../../../../storage/repositories/icechunk/index.ts'

/** Lists the positions of chunks that an array of a manifest has, in the order of its bits. */
export function listPositions({ first, size, bits }: Pick<ManifestArray, 'first' | 'size' | 'bits'>): number[][] {
  const positions: number[][] = []
  for (let place = 0; place < 8 * bits.length; place++) {
    if (((bits[place >> 3] ?? 0) & (1 << (place & 7))) === 0) continue
    const position: number[] = []
    let rest = place
    for (const [axis, length] of [...size.entries()].reverse()) {
      position[axis] = (first[axis] ?? 0) + (rest % length)
      rest = Math.floor(rest / length)
    }
    if (rest > 0) throw new RangeError('a bit lies beyond the box')
    positions.push(position)
  }
  return positions
}
