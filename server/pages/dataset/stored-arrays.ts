// How the arrays of a page are stored, as facts and as a drawing. Arrays whose documents differ only in their attributes share both,
// because most arrays of a dataset do.
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { html, type Html } from '../html.ts'
import { GridDrawings } from './drawings/grid-drawings.ts'
import { listStorageFacts, type Shown } from './storage-facts.ts'

/** The arrays of one page. */
export class StoredArrays {
  readonly #drawings = new GridDrawings()
  /** By document without attributes: the last list made for it. */
  readonly #lists = new Map<JsonObject, { readonly shown: Shown; readonly list: Html }>()

  /** Facts about an array. */
  listFacts(array: ArrayMetadata, shown: Shown): Html {
    const known = this.#lists.get(array.document)
    if (known && isSame(known.shown, shown)) return known.list
    const list = html`<dl class="storage">
      ${listStorageFacts(array, shown).map(
        ([label, text]) =>
          html`<dt>${label}</dt>
            <dd>${text}</dd>`,
      )}
    </dl>`
    this.#lists.set(array.document, { shown, list })
    return list
  }

  /** A drawing of the array's chunks; undefined when they cannot be drawn, or the page has no room for it. */
  draw(array: ArrayMetadata): Html | undefined {
    return this.#drawings.show(array)
  }

  /** What the drawings refer to; undefined when there are none. */
  get definitions(): Html | undefined {
    return this.#drawings.definitions
  }
}

function isSame(one: Shown, other: Shown): boolean {
  return (
    one.typeText === other.typeText &&
    one.itemBytes === other.itemBytes &&
    one.shape.length === other.shape.length &&
    one.shape.every((size, axis) => size === other.shape[axis])
  )
}
