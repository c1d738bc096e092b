// Draws the chunk grids of a page. Most arrays of a dataset have the same grid, so they share one drawing.
import type { ArrayMetadata } from '@floe/storage/zarr'
import { html, type Html } from '../../html.ts'
import { PageBudget } from '../../page-budget.ts'
import { drawBlock } from './draw-block.ts'
import { type DrawnBlock, maxDrawnDimensions, measureGrid } from './grid-shape.ts'

/** Maximum size of the drawings of a page, in bytes. */
const drawingBytes = 50_000

/** A drawing as the page defines it once, and the markup that shows it. */
type SharedDrawing = { readonly definition: Html; readonly use: Html }

/** The drawings of one page. Screen readers skip them, because the text beside each says the same. */
export class GridDrawings {
  readonly #budget = new PageBudget(drawingBytes)
  /** By grid; null for a grid that cannot be drawn or does not fit. */
  readonly #drawings = new Map<string, SharedDrawing | null>()

  /** Shows the array's grid. Undefined when it cannot be drawn, or does not fit. */
  show(array: ArrayMetadata): Html | undefined {
    const key = `${array.shape.join()} ${array.chunkShape?.join()} ${array.shardShape?.join()}`
    let drawing = this.#drawings.get(key)
    if (drawing === undefined) {
      drawing = this.#draw(array)
      this.#drawings.set(key, drawing)
    }
    return drawing !== null && this.#budget.trySpend(drawing.use) ? drawing.use : undefined
  }

  /** The definitions of all drawings that were shown so far; undefined when there are none. */
  get definitions(): Html | undefined {
    const definitions = [...this.#drawings.values()].flatMap((drawing) => drawing?.definition ?? [])
    return definitions.length === 0 ? undefined : html`<svg class="definitions" aria-hidden="true">${definitions}</svg>`
  }

  #draw(array: ArrayMetadata): SharedDrawing | null {
    const blocks = measureGrid(array)
    if (blocks === undefined) return null
    const id = `grid-${this.#drawings.size}`
    const { width, height, content } = drawBlocks(blocks, array.shape.length > maxDrawnDimensions)
    const definition = html`<symbol id="${id}">${content}</symbol>`
    if (!this.#budget.trySpend(definition)) return null
    const use = html`<svg class="grid" width="${width}" height="${height}" aria-hidden="true">
      <use href="#${id}" />
    </svg>`
    return { definition, use }
  }
}

/** Draws blocks side by side, with `×` between them. An ellipsis stands for dimensions that are not drawn. */
function drawBlocks(blocks: readonly DrawnBlock[], isCut: boolean) {
  const drawn = blocks.map(drawBlock)
  const height = Math.ceil(Math.max(...drawn.map((block) => block.height)))
  const middle = Math.round(height / 2)
  const content: Html[] = []
  let x = 0
  if (isCut) {
    content.push(html`<text class="grid-text" y="${middle}">… ×</text>`)
    x = 26
  }
  drawn.forEach((block, index) => {
    if (index > 0) {
      content.push(html`<text class="grid-text" x="${x}" y="${middle}">×</text>`)
      x += 14
    }
    const y = Math.round((height - block.height) / 2)
    content.push(x + y === 0 ? block.content : html`<g transform="translate(${x} ${y})">${block.content}</g>`)
    x += Math.ceil(block.width)
  })
  return { width: x, height, content }
}
