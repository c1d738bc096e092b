// The groups of a snapshot as nested lists, which can be folded without script.
import { describeMembers } from '../parts/format-count.ts'
import { html, type Html } from '../html.ts'
import { isLongList, moreNote, PageBudget } from '../page-budget.ts'

export type GroupSummary = {
  /** Without a leading slash; the root group is `''`. */
  readonly path: string
  /** Number of arrays directly in the group. A group with at least one is a dataset. */
  readonly arrays: number
}

type TreeGroup = GroupSummary & { readonly name: string; readonly children: TreeGroup[] }

/** A tree with more groups starts folded. */
const maxUnfoldedGroups = 100

/** Maximum size of the tree in bytes: enough for about 20,000 groups with names of usual length. */
const treeBytes = 3_000_000

/**
 * The tree with the root group first, and a note when some groups do not fit.
 *
 * @param linkTo - returns the address of the page of a group
 */
export function groupTree(groups: readonly GroupSummary[], linkTo: (path: string) => string): Html {
  const isUnfolded = groups.length <= maxUnfoldedGroups
  const budget = new PageBudget(treeBytes)
  const { root, top } = buildTree(groups)
  let rendered = 0

  const list = (siblings: readonly TreeGroup[]): Html[] => {
    const items: Html[] = []
    for (const group of siblings) {
      const members = describeMembers({ arrays: group.arrays, groups: group.children.length })
      const line = html`<a href="${linkTo(group.path)}">${group.name}</a> <small>${members}</small>`
      if (!budget.trySpend(line)) break
      rendered += 1
      items.push(html`<li>${line}${group !== root && group.children.length > 0 && fold(group)}</li>`)
    }
    return items
  }
  const fold = (group: TreeGroup): Html =>
    html`<details${isUnfolded && ' open'}>
      <summary><span class="spoken">Groups in ${group.name}</span></summary>
      <ul>
        ${list(group.children)}
      </ul>
    </details>`

  const items = list(root ? [root, ...top] : top)
  return html`<ul class="tree${isLongList(groups.length) && ' long'}">
      ${items}
    </ul>
    ${moreNote(groups.length - rendered, 'groups are not shown.')}`
}

/** Puts every group below its nearest listed ancestor. `top` has the groups directly below the root group. */
function buildTree(groups: readonly GroupSummary[]): {
  readonly root: TreeGroup | undefined
  readonly top: TreeGroup[]
} {
  const byPath = new Map<string, TreeGroup>()
  const top: TreeGroup[] = []
  for (const { path, arrays } of groups) {
    if (path === '') {
      byPath.set(path, { path, arrays, name: '/', children: top })
      continue
    }
    const parent = findNearestAncestor(path, byPath)
    const name = parent ? path.slice(parent.path.length + 1) : path
    const group: TreeGroup = { path, arrays, name, children: [] }
    byPath.set(path, group)
    const siblings = parent ? parent.children : top
    siblings.push(group)
  }
  return { root: byPath.get(''), top }
}

function findNearestAncestor(path: string, byPath: ReadonlyMap<string, TreeGroup>): TreeGroup | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const ancestor = byPath.get(path.slice(0, end))
    if (ancestor) return ancestor
  }
  return undefined
}
