// Draws up to three dimensions in oblique projection. The last dimension runs to the right, the second last down, and
// the third last to the back (up and to the left). So the first chunk is at the corner that shows three faces.
import { html, type Html } from '../../html.ts'
import { type DrawnAxis, type DrawnBlock, roundTenth } from './grid-shape.ts'

/** A drawing with its upper left corner at the origin. */
type Drawing = { readonly width: number; readonly height: number; readonly content: Html }

/** Stands for an axis that the array does not have. */
const noAxis: DrawnAxis = { label: '', length: 0, chunk: 0, chunkLines: [], shardLines: [] }
/** Stands for the second axis of an array with one dimension, which is drawn as a bar. */
const barAxis: DrawnAxis = { ...noAxis, length: 14, chunk: 14 }

/** Shift to the left and up for one unit to the back. */
const back = { x: 0.55, y: 0.45 }

const characterWidth = 6.2
const lineHeight = 13

/** Draws a bar, a rectangle or a block, with its chunks, its first chunk, its shards and its sizes. */
export function drawBlock(block: DrawnBlock): Drawing {
  const [across = noAxis, down = barAxis, behind = noAxis] = block.toReversed()
  const frame = { across: across.length, down: down.length, dx: behind.length * back.x, dy: behind.length * back.y }
  const hasShards = block.some((axis) => axis.shardLines.length > 0)
  const first = {
    across: across.chunk,
    down: down.chunk,
    dx: roundTenth(behind.chunk * back.x),
    dy: roundTenth(behind.chunk * back.y),
  }
  const right = frame.dx + frame.across
  const bottom = frame.dy + frame.down
  const texts = [
    { text: across.label, x: frame.dx + frame.across / 2 - (across.label.length * characterWidth) / 2, y: bottom + 11 },
    { text: down.label, x: right + 4, y: Math.max(frame.dy + frame.down / 2 + 4, behind.label === '' ? 0 : 20) },
    { text: behind.label, x: frame.across + frame.dx / 2 + 6, y: frame.dy / 2 + 2 },
  ].filter(({ text }) => text !== '')
  const content = html`<path class="grid-faces" d="${drawFaces(frame, frame)}" />
    <path class="grid-first" d="${drawFaces(frame, first)}" />
    <path d="${drawLines(frame, across.chunkLines, down.chunkLines, behind.chunkLines)}" />
    ${
      hasShards &&
      html`<path class="grid-shards" d="${drawLines(frame, across.shardLines, down.shardLines, behind.shardLines)}" />`
    }
    <g class="grid-text">
      ${texts.map(
        ({ text, x, y }) =>
          html`<text x="${Math.max(0, Math.round(x))}" y="${Math.max(9, Math.round(y))}">${text}</text>`,
      )}
    </g>`
  const ends = texts.map(({ text, x }) => Math.max(0, x) + text.length * characterWidth)
  return { width: Math.max(right, ...ends) + 2, height: bottom + lineHeight + 1, content }
}

type Frame = { readonly across: number; readonly down: number; readonly dx: number; readonly dy: number }

/** Draws the front, top and left faces of a box that begins at the first chunk's corner of the block. */
function drawFaces({ dx: x, dy: y }: Frame, { across, down, dx, dy }: Frame): string {
  const corner = `M${roundTenth(x)} ${roundTenth(y)}`
  const front = `${corner}h${across}v${down}h${-across}z`
  if (dx === 0) return front
  const step = `l${roundTenth(-dx)} ${roundTenth(-dy)}`
  return `${front}${corner}h${across}${step}h${-across}z${corner}v${down}${step}v${-down}z`
}

/** Draws lines between chunks or shards. Each line runs over two faces. */
function drawLines(
  { across, down, dx, dy }: Frame,
  acrossLines: readonly number[],
  downLines: readonly number[],
  behindLines: readonly number[],
): string {
  const toBack = dx === 0 ? '' : `l${roundTenth(-dx)} ${roundTenth(-dy)}`
  const lines = [
    ...acrossLines.map((line) => `M${roundTenth(dx + line)} ${roundTenth(dy + down)}v${-down}${toBack}`),
    ...downLines.map((line) => `M${roundTenth(dx + across)} ${roundTenth(dy + line)}h${-across}${toBack}`),
    ...behindLines.map(
      (line) => `M${roundTenth(dx - line * back.x + across)} ${roundTenth(dy - line * back.y)}h${-across}v${down}`,
    ),
  ]
  return lines.join('')
}
