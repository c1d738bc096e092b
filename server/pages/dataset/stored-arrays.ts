// How the arrays of a page are stored, as facts and as a drawing. Arrays whose documents differ only in their attributes share both,
// because most arrays of a dataset do.
import type { JsonObject } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import { html, type Html } from '../html.ts'
import { GridDrawings } from './drawings/grid-drawings.ts'
import { listStorageFacts, type Shown } from './storage-facts.ts'

export class StoredArrays {
  readonly drawings = new GridDrawings()
  /** By document without attributes: the last list made for it, and what the page showed of the array. */
  readonly #lists = new Map<JsonObject, { readonly shown: string; readonly list: Html }>()

  listFacts(array: ArrayMetadata, { typeText, shape, itemBytes }: Shown): Html {
    const shown = `${typeText} ${itemBytes} ${shape.join()}`
    const known = this.#lists.get(array.document)
    if (known?.shown === shown) return known.list
    const facts = listStorageFacts(array, { typeText, shape, itemBytes })
    const list = html`<dl class="storage">
      ${facts.map(
        ([label, text]) =>
          html`<dt>${label}</dt>
            <dd>${text}</dd>`,
      )}
    </dl>`
    this.#lists.set(array.document, { shown, list })
    return list
  }
}
