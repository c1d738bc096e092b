// A nested attribute, such as an item of STAC, as a tree that can be folded without script.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@floe/storage/json'
import { clipPythonStr } from '../../xarray/python/text.ts'
import { formatCount } from './format-count.ts'
import { html, type Html, type HtmlValue } from '../html.ts'
import { clipText, moreNote, PageBudget } from '../page-budget.ts'

type Nested = JsonObject | readonly JsonValue[]

/** Shorter values are on one line, in characters. */
const maxLineLength = 80

/** Values below this depth are on one line, because a phone has no room for more indentation. */
const maxDepth = 8

const maxNameLength = 200

/** Whether a value is shown as a tree: it is long, and there are objects in it. */
export function isNested(value: JsonValue): value is Nested {
  return clipPythonStr(value, maxLineLength).isCut && holdsObjects(value)
}

function holdsObjects(value: JsonValue): boolean {
  return isJsonObject(value) || (isJsonArray(value) && value.some(holdsObjects))
}

/** Renders a tree whose markup fits into some bytes. */
export class AttributeTree {
  readonly #budget: PageBudget
  readonly #showValue: (value: JsonValue) => HtmlValue
  readonly #elsewhere: HtmlValue

  /**
   * @param showValue shows a value that is no tree
   * @param elsewhere where the members are that do not fit
   */
  constructor(bytes: number, showValue: (value: JsonValue) => HtmlValue, elsewhere: HtmlValue) {
    this.#budget = new PageBudget(bytes)
    this.#showValue = showValue
    this.#elsewhere = elsewhere
  }

  /** Renders the tree with its first level unfolded; nothing if the budget does not suffice for it. */
  render(name: string, value: Nested): Html | undefined {
    return this.#budget.trySpend(this.#frame(name, value)) ? this.#renderNested(name, value, 1) : undefined
  }

  #renderNested(name: string, value: Nested, depth: number): Html {
    const members: Html[] = []
    const entries: Iterable<readonly [string | number, JsonValue]> = value.entries()
    for (const [key, member] of entries) {
      const markup = this.#renderMember(clipText(String(key), maxNameLength), member, depth)
      if (markup === undefined) break
      members.push(markup)
    }
    return this.#frame(name, value, members, depth === 1)
  }

  /** Undefined if the budget is spent. */
  #renderMember(name: string, value: JsonValue, depth: number): Html | undefined {
    const line = (shown: HtmlValue) =>
      html`<dt>${name}</dt>
        <dd>${shown}</dd>`
    if (depth === maxDepth || !isNested(value)) {
      const leaf = line(this.#showValue(value))
      return this.#budget.trySpend(leaf) ? leaf : undefined
    }
    if (!this.#budget.trySpend(line(this.#frame(name, value)))) return undefined
    return line(this.#renderNested(name, value, depth + 1))
  }

  /** A value with these members, and a note if they are not all. */
  #frame(name: string, value: Nested, members: readonly Html[] = [], isOpen = true): Html {
    const count = isJsonArray(value) ? value.length : value.size
    return html`<details ${isOpen && 'open'}>
      <summary>
        ${formatCount(count, isJsonArray(value) ? 'item' : 'member')}<span class="spoken"> of ${name}</span>
      </summary>
      <dl class="attributes">${members}</dl>
      ${moreNote(count - members.length, this.#elsewhere)}
    </details>`
  }
}
