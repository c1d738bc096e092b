// What is expected of a branch, and whether it is so.
import type { ExpectationKindName } from '@floe/contract/lists'
import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'
import { timeElement } from '../page-subject.ts'

export type ExpectedBranch = {
  readonly kind: ExpectationKindName
  readonly branch: string
  /** A pattern of the groups and arrays that count; null if all do, or if it is not about them. */
  readonly path: string | null
  readonly isUnmet: boolean
  /** Since when it is unmet; null while it is not. */
  readonly since: Date | null
  /** Such as `updated 3 h ago, expected every 6 h`. */
  readonly words: string
}

/** Longer words are usually cut, in characters: they can name arrays. */
const maxWordsLength = 1_000

/** The words, after a badge if it is unmet. Names the branch if it is not `main`, and the path. */
export function showExpectedBranch(expected: ExpectedBranch, maxLength = maxWordsLength): Html {
  const { branch, path, isUnmet, since, words } = expected
  const names = [...(branch === 'main' ? [] : [branch]), ...(path === null ? [] : [path])]
  return html`${isUnmet && html`<strong class="late">Unmet</strong> `}${
    names.length > 0 && html`<code>${names.join(' ')}</code> `
  }${clipText(words, maxLength)}${since !== null && html` <small>since ${timeElement(since)}</small>`}`
}
