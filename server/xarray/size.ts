import type { DecodedDataset } from './dataset.ts'

/** Sizes from here on exceed any float, and exact numbers take long to compute and to read. */
const tooLarge = 2n ** 1024n

/** Multiplies sizes; null when the product is larger than any float. */
export function multiplySizes(sizes: readonly bigint[], first = 1n): bigint | null {
  if (first === 0n || sizes.includes(0n)) return 0n
  let product = first
  for (const size of sizes) {
    product *= size
    if (product >= tooLarge) return null
  }
  return product
}

/** Sums the bytes of all variables, with coordinates, decoded in memory; null when they are more than any float. */
export function sumBytes({ variables }: DecodedDataset): bigint | null {
  let total = 0n
  for (const { type, shape } of variables) {
    const bytes = multiplySizes(shape, BigInt(type.itemBytes))
    if (bytes === null) return null
    total += bytes
  }
  return total < tooLarge ? total : null
}

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']

/**
 * `4MB`: decimal units, no fraction. Says so when a size exceeds any float, where xarray overflows. Source: `xarray/core/formatting.py`
 * `render_human_readable_nbytes`.
 */
export function formatBytes(bytes: bigint | null): string {
  let value = bytes === null ? Infinity : Number(bytes)
  if (value === Infinity) return 'more than 1.8e308 B'
  let index = 0
  while (value >= 1000 && index < units.length - 1) {
    value /= 1000
    index += 1
  }
  return `${roundHalfEven(value)}${units[index]}`
}

// Python rounds a half to the even neighbour.
function roundHalfEven(value: number): bigint {
  const floor = Math.floor(value)
  const isUp = value - floor > 0.5 || (value - floor === 0.5 && floor % 2 === 1)
  return BigInt(floor) + (isUp ? 1n : 0n)
}
