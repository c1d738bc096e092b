import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'

/** Longest name of an attribute that is shown, in characters. */
const maxLength = 100

/** Names the attribute that a fact is from; false if there is none. */
export function attributeNote(attribute: string | null): Html | false {
  return attribute !== null && html`<small>(attribute ${clipText(attribute, maxLength)})</small>`
}
