// The lengths and lines of a drawn array. An array with a size larger than any float is not drawn.
import type { ArrayMetadata } from '@floe/storage/zarr'

export type DrawnAxis = {
  readonly label: string
  readonly length: number
  readonly chunk: number
  /** Where chunks meet, from the start of the axis; every second, third and so on when they are many. */
  readonly chunkLines: readonly number[]
  readonly shardLines: readonly number[]
}

/** Up to three dimensions, which are drawn as a line, a rectangle or a block. */
export type DrawnBlock = readonly DrawnAxis[]

/** Maximum number of dimensions in a drawing. numpy has at most 64, and more than a few cannot be seen. */
export const maxDrawnDimensions = 9

/** Maximum number of lines across one axis; more would fill the drawing. Lines of shards are thicker. */
const maxLines = { chunks: 20, shards: 10 }

const longest = 120
/** The longest axis of an array with more than three dimensions, whose blocks are drawn side by side. */
const longestOfMany = 80
const shortest = 13
/** The shortest chunk that can be seen. */
const shortestChunk = 1.5

/**
 * Measures the dimensions of an array and groups them by three, from the last. Undefined when there is nothing to draw: no dimension, no
 * element, no regular grid, or a size larger than any float.
 */
export function measureGrid({ shape, chunkShape, shardShape }: ArrayMetadata): DrawnBlock[] | undefined {
  if (shape.length === 0 || chunkShape?.length !== shape.length) return undefined
  const first = Math.max(0, shape.length - maxDrawnDimensions)
  const sizes = shape.slice(first).map(Number)
  const chunks = chunkShape.slice(first).map(Number)
  const shards = shardShape?.length === shape.length ? shardShape.slice(first).map(Number) : undefined
  if (![...sizes, ...chunks, ...(shards ?? [])].every((size) => size > 0 && Number.isFinite(size))) return undefined

  const largest = Math.max(...sizes)
  const scale = sizes.length > 3 ? longestOfMany : longest
  const axes = sizes.map((size, index): DrawnAxis => {
    const length = roundTenth(Math.max(shortest, scale * (size / largest) ** 0.35))
    const chunk = Math.min(chunks[index] ?? size, size)
    return {
      label: formatSize(size),
      length,
      chunk: roundTenth(Math.max(shortestChunk, (length * chunk) / size)),
      chunkLines: placeLines(size, chunk, length, maxLines.chunks),
      shardLines: placeLines(size, shards?.[index] ?? size, length, maxLines.shards),
    }
  })
  return groupByThree(axes)
}

function placeLines(size: number, step: number, length: number, most: number): number[] {
  const steps = Math.ceil(size / step)
  const every = Math.ceil(steps / most)
  const lines: number[] = []
  for (let line = every; line < steps && lines.length < most; line += every) {
    lines.push(roundTenth((line / size) * step * length))
  }
  return lines
}

function groupByThree(axes: readonly DrawnAxis[]): DrawnBlock[] {
  const blocks: DrawnBlock[] = []
  for (let end = axes.length; end > 0; end -= 3) blocks.unshift(axes.slice(Math.max(0, end - 3), end))
  return blocks
}

/** Positions in drawings are written with one digit after the point. */
export function roundTenth(value: number): number {
  return Math.round(value * 10) / 10
}

/** `1,440`; `4e+12` when there is no room for the digits. */
function formatSize(size: number): string {
  return size < 1e9 ? String(size).replace(/\B(?=(?:\d{3})+$)/g, ',') : size.toPrecision(2)
}
