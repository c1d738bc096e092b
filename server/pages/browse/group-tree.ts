// The groups of a snapshot as nested lists, which can be folded without script.
import { describeHoldings } from '../child-groups.ts'
import { html, type Html } from '../html.ts'
import { isLongList, moreNote, PageBudget } from '../page-budget.ts'

export type GroupSummary = {
  /** Without a leading slash; the root group is `''`. */
  readonly path: string
  /** Number of arrays directly in it; a group with at least one is a dataset. */
  readonly arrays: number
}

type Branch = GroupSummary & { readonly name: string; readonly children: Branch[] }

/** Up to this many groups the whole tree starts unfolded. */
const unfoldedUpTo = 100

/** Bytes of the tree: enough for about 20,000 groups with names of usual length. */
const treeBytes = 3_000_000

/** Renders the tree with the root group first, and a note when some groups do not fit. `linkTo` returns the address of a group's page. */
export function groupTree(groups: readonly GroupSummary[], linkTo: (path: string) => string): Html {
  const isUnfolded = groups.length <= unfoldedUpTo
  const budget = new PageBudget(treeBytes)
  const { root, top } = buildBranches(groups)
  let rendered = 0

  const list = (branches: readonly Branch[]): Html[] => {
    const items: Html[] = []
    for (const branch of branches) {
      const holdings = describeHoldings({ arrays: branch.arrays, groups: branch.children.length })
      const line = html`<a href="${linkTo(branch.path)}">${branch.name}</a> <small>${holdings}</small>`
      if (!budget.takes(line)) break
      rendered += 1
      items.push(html`<li>${line}${branch !== root && branch.children.length > 0 && fold(branch)}</li>`)
    }
    return items
  }
  const fold = (branch: Branch): Html =>
    html`<details${isUnfolded && ' open'}>
      <summary><span class="spoken">Groups in ${branch.name}</span></summary>
      <ul>
        ${list(branch.children)}
      </ul>
    </details>`

  const items = list(root ? [root, ...top] : top)
  return html`<ul class="tree${isLongList(groups.length) && ' long'}">
      ${items}
    </ul>
    ${moreNote(groups.length - rendered, 'groups are not shown.')}`
}

/** Puts every group below its nearest listed ancestor. `top` has the groups directly below the root group. */
function buildBranches(groups: readonly GroupSummary[]): { readonly root: Branch | undefined; readonly top: Branch[] } {
  const known = new Map<string, Branch>()
  const top: Branch[] = []
  for (const { path, arrays } of groups) {
    if (path === '') {
      known.set(path, { path, arrays, name: '/', children: top })
      continue
    }
    const parent = findNearestAncestor(path, known)
    const name = parent ? path.slice(parent.path.length + 1) : path
    const branch: Branch = { path, arrays, name, children: [] }
    known.set(path, branch)
    const siblings = parent ? parent.children : top
    siblings.push(branch)
  }
  return { root: known.get(''), top }
}

function findNearestAncestor(path: string, known: ReadonlyMap<string, Branch>): Branch | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const ancestor = known.get(path.slice(0, end))
    if (ancestor) return ancestor
  }
  return undefined
}
