import type { DecodedDataset } from './dataset.ts'

/** Sums the bytes that all variables and coordinates would take in memory after decoding. */
export function sumBytes({ variables }: DecodedDataset): bigint {
  let total = 0n
  for (const { type, shape } of variables) total += shape.reduce((count, size) => count * size, BigInt(type.itemBytes))
  return total
}

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']

/** Writes a size such as `4MB`: decimal units, no fraction. Source: `xarray/core/formatting.py` `render_human_readable_nbytes`. */
export function formatBytes(bytes: bigint): string {
  let value = Number(bytes)
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
