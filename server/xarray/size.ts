import type { DecodedDataset } from './dataset.ts'

/** Larger sizes exceed every float, and would take long to compute and to read exactly. */
const tooLarge = 2n ** 1024n

/** Multiplies sizes; null when the product exceeds every float. */
export function multiplySizes(sizes: readonly bigint[], first = 1n): bigint | null {
  if (first === 0n || sizes.includes(0n)) return 0n
  let product = first
  for (const size of sizes) {
    product *= size
    if (product >= tooLarge) return null
  }
  return product
}

/** Sums the bytes in memory of all decoded variables, with coordinates; null when the sum exceeds every float. */
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
 * Formats a size with a decimal unit and no fraction: `4MB`. A size that exceeds every float, for which xarray
 * overflows, has a text of its own. Source: `xarray/core/formatting.py` `render_human_readable_nbytes`.
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

/** Rounds like Python: a half goes to the even neighbour. */
function roundHalfEven(value: number): bigint {
  const floor = Math.floor(value)
  const isUp = value - floor > 0.5 || (value - floor === 0.5 && floor % 2 === 1)
  return BigInt(floor) + (isUp ? 1n : 0n)
}
