// The checks of a commit in a list of commits.
import type { CheckState } from '@floe/contract/lists'
import type { Check } from '@floe/storage/database'
import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'

/** A check as a page shows it. Its text and its link, an `https` URL, come from strangers. */
type ShownCheck = Pick<Check, 'name' | 'state' | 'text' | 'link'>

/** Some checks of a commit, and how many it has. */
export type CheckMarks = { readonly checks: readonly ShownCheck[]; readonly count: number }

/** Maximum number of checks of a commit that a page shows; the others are counted. */
export const maxMarks = 6

const maxTextLength = 200

const words: Readonly<Record<CheckState, string>> = {
  pending: 'pending',
  passed: 'passed',
  failed: 'failed',
  error: 'could not be run',
}

/** Shows checks with their states in words. */
export function checkMarks({ checks, count }: CheckMarks): Html {
  const more = count - checks.length
  return html`<ul class="marks" aria-label="Checks">
    ${checks.map(({ name, state, text, link }) => {
      const isBad = state === 'failed' || state === 'error'
      const shown = link === null ? name : html`<a href="${link}" rel="nofollow noopener">${name}</a>`
      return html`<li>
        ${shown}
        ${isBad ? html`<strong class="late">${words[state]}</strong>` : words[state]}${
          text !== null && html`: <bdi>${clipText(text, maxTextLength)}</bdi>`
        }
      </li>`
    })}
    ${more > 0 && html`<li>and ${more.toLocaleString('en')} more</li>`}
  </ul>`
}
