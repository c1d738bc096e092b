// The section of the groups directly below a group.
import { html, type Html } from './html.ts'
import { moreNote, PageBudget, renderWithin } from './page-budget.ts'
import type { PageLinks } from './page-links.ts'
import { section } from './section.ts'
import type { PageSubject } from './page-subject.ts'

export type ChildGroup = {
  /** Full path, without a leading slash. */
  readonly path: string
  readonly arrays: number
  readonly groups: number
}

const budgetBytes = 15_000

/** A section that links to the groups directly below, each with its numbers of arrays and groups. */
export function childGroupSection(
  at: PageSubject,
  children: readonly ChildGroup[],
  links: PageLinks,
): Html | undefined {
  if (children.length === 0) return undefined
  const { rendered, leftOut } = renderWithin(new PageBudget(budgetBytes), children, (child) => {
    const name = child.path.slice(child.path.lastIndexOf('/') + 1)
    return html`<li>
      <a href="${links.dataset(at.repository, at.ref.name, child.path)}">${name}</a>
      <small>${describeHoldings(child)}</small>
    </li>`
  })
  return section({
    id: 'groups',
    title: 'Groups',
    count: children.length,
    isOpen: true,
    content: html`<ul class="groups">
        ${rendered}
      </ul>
      ${moreNote(leftOut, html`groups are listed under <a href="${links.ref(at.repository, at.ref.name)}">${at.ref.name}</a>.`)}`,
  })
}

/** `3 arrays, 2 groups`; `empty` when there are none. */
export function describeHoldings({ arrays, groups }: { readonly arrays: number; readonly groups: number }): string {
  const parts = [arrays > 0 && formatCount(arrays, 'array'), groups > 0 && formatCount(groups, 'group')]
  return parts.filter(Boolean).join(', ') || 'empty'
}

/** `1 group`, `2,000 groups`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
