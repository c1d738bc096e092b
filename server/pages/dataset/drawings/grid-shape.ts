// The lengths of the axes and the positions of the lines of a drawn array.
import type { ArrayMetadata } from '@floe/storage/zarr'

/** An axis of the drawing. All numbers are in pixels. */
export type DrawnAxis = {
  /** The size of the dimension. */
  readonly label: string
  readonly length: number
  /** Length of the first chunk. */
  readonly chunk: number
  /** Where chunks meet, from the start of the axis. When there are many, only every second, third and so on. */
  readonly chunkLines: readonly number[]
  /** The same for shards. */
  readonly shardLines: readonly number[]
}

/** Up to three dimensions, which are drawn as a bar, a rectangle or a block. */
export type DrawnBlock = readonly DrawnAxis[]

/** Maximum number of dimensions in a drawing. numpy allows 64, but a drawing of them is unreadable. */
export const maxDrawnDimensions = 9

/** Maximum number of lines across one axis, because more would fill the drawing. Lines of shards are thicker. */
const maxLines = { chunks: 20, shards: 10 }

/** Length of the longest axis of an array with up to three dimensions. */
const maxLength = 120
/** The same with more dimensions, because their blocks are drawn side by side. */
const maxLengthInRow = 80
const minLength = 13
/** Length of the shortest chunk that is visible. */
const minChunkLength = 1.5

/**
 * Measures the dimensions of an array and groups them by three, from the last one. Undefined when it cannot be drawn:
 * it has no dimension, no element, no regular grid, or a size that exceeds any float.
 */
export function measureGrid({ shape, chunkShape, shardShape }: ArrayMetadata): DrawnBlock[] | undefined {
  if (shape.length === 0 || chunkShape?.length !== shape.length) return undefined
  const first = Math.max(0, shape.length - maxDrawnDimensions)
  const sizes = shape.slice(first).map(Number)
  const chunks = chunkShape.slice(first).map(Number)
  const shards = shardShape?.length === shape.length ? shardShape.slice(first).map(Number) : undefined
  if (![...sizes, ...chunks, ...(shards ?? [])].every((size) => size > 0 && Number.isFinite(size))) return undefined

  const largest = Math.max(...sizes)
  const scale = sizes.length > 3 ? maxLengthInRow : maxLength
  const axes = sizes.map((size, index): DrawnAxis => {
    // The power brings very different sizes closer together.
    const length = roundTenth(Math.max(minLength, scale * (size / largest) ** 0.35))
    const chunk = Math.min(chunks[index] ?? size, size)
    return {
      label: formatSize(size),
      length,
      chunk: roundTenth(Math.max(minChunkLength, (length * chunk) / size)),
      chunkLines: placeLines(size, chunk, length, maxLines.chunks),
      shardLines: placeLines(size, shards?.[index] ?? size, length, maxLines.shards),
    }
  })
  return groupByThree(axes)
}

/** Returns the positions of lines at multiples of `step` along an axis. */
function placeLines(size: number, step: number, length: number, maxCount: number): number[] {
  const steps = Math.ceil(size / step)
  const interval = Math.ceil(steps / maxCount)
  const lines: number[] = []
  for (let line = interval; line < steps && lines.length < maxCount; line += interval) {
    lines.push(roundTenth((line / size) * step * length))
  }
  return lines
}

function groupByThree(axes: readonly DrawnAxis[]): DrawnBlock[] {
  const blocks: DrawnBlock[] = []
  for (let end = axes.length; end > 0; end -= 3) blocks.unshift(axes.slice(Math.max(0, end - 3), end))
  return blocks
}

/** Rounds to one digit after the point, as positions in drawings are written. */
export function roundTenth(value: number): number {
  return Math.round(value * 10) / 10
}

/** `1,440`; `4e+12` when there is no room for the digits. */
function formatSize(size: number): string {
  return size < 1e9 ? String(size).replace(/\B(?=(?:\d{3})+$)/g, ',') : size.toPrecision(2)
}
