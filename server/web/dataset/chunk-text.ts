// Arithmetic on shapes, exact: Zarr allows more elements than 2^53.
import { formatBytes } from '../../xarray/size.ts'

/** `(24, 721, 1440)`. */
export function shapeText(shape: readonly bigint[]): string {
  return `(${shape.join(', ')})`
}

/** Elements of a shape; 1 for a scalar. */
export function elementCount(shape: readonly bigint[]): bigint {
  return shape.reduce((product, size) => product * size, 1n)
}

/** How many chunks cover an array, partial ones included; null when the two do not fit together. */
export function chunkCount(shape: readonly bigint[], chunkShape: readonly bigint[]): bigint | null {
  if (shape.length !== chunkShape.length || chunkShape.includes(0n)) return null
  return shape.reduce((product, size, axis) => {
    const chunk = chunkShape[axis] ?? 1n
    return product * ((size + chunk - 1n) / chunk)
  }, 1n)
}

/** `(24, 721, 1440) · 61 × 99MB`: shape, number and size of the chunks; the size only where an element's bytes are known. */
export function chunkText(shape: readonly bigint[], chunkShape: readonly bigint[], itemBytes: number | null): string {
  const count = chunkCount(shape, chunkShape)
  if (count === null) return shapeText(chunkShape)
  const counted = count.toLocaleString('en')
  if (itemBytes === null) return `${shapeText(chunkShape)} · ${counted}`
  return `${shapeText(chunkShape)} · ${counted} × ${formatBytes(elementCount(chunkShape) * BigInt(itemBytes))}`
}
