// The section of the groups directly below a group.
import { describeMembers } from '../parts/format-count.ts'
import { html, type Html } from '../html.ts'
import { moreNote, PageBudget, renderWithin } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'
import type { PageSubject } from '../page-subject.ts'
import { section } from '../parts/section.ts'

export type ChildGroup = {
  /** Full path, without a leading slash. */
  readonly path: string
  readonly arrays: number
  readonly groups: number
}

const budgetBytes = 15_000

/** Links to the groups directly below, each with its numbers of arrays and groups. Undefined when there are none. */
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
      <small>${describeMembers(child)}</small>
    </li>`
  })
  const allGroups = html`<a href="${links.ref(at.repository, at.ref.name)}">${at.ref.name}</a>`
  return section({
    id: 'groups',
    title: 'Groups',
    count: children.length,
    isOpen: true,
    content: html`<ul class="groups">
        ${rendered}
      </ul>
      ${moreNote(leftOut, html`groups are on the page of ${allGroups}.`)}`,
  })
}
