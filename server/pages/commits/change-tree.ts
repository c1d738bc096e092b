// The changed nodes as nested lists, each below its group, with the values before and after.
import { formatCount } from '../parts/format-count.ts'
import { html, type Html } from '../html.ts'
import { clipText, isLongList, moreNote, PageBudget } from '../page-budget.ts'
import type { NodeChange } from './collect-changes.ts'
import { describeChunks, describeFilled } from './describe-chunks.ts'
import { describeSizes, valueTable } from './value-table.ts'

/** A node of the tree. `change` is null for an unchanged group that contains changed nodes. */
type TreeNode = { readonly name: string; change: NodeChange | null; readonly children: Map<string, TreeNode> }

/** Maximum number of changed nodes on a page; the others are counted. */
const maxNodes = 3_000
/** A node in a deeper group shows the rest of its path as its name. */
const maxDepth = 30
const treeBytes = 1_000_000
const maxNameLength = 1_000

/** A line of the tree. Arrays of a group with equal changes share a line. */
type Line = {
  readonly nodes: TreeNode[]
  /** The changed sizes of dimensions, such as `time 744 → 768`. */
  readonly sizes: readonly string[]
  /** The other values, before and after. */
  readonly table: Html | undefined
}

/** The tree, and a note when nodes are left out. */
export function changeTree(changedNodes: ReadonlyMap<string, NodeChange>): Html {
  const budget = new PageBudget(treeBytes)
  const maxChunks = [...changedNodes.values()].reduce((max, { chunks }) => Math.max(max, chunks), 1)
  let shown = 0
  const list = (siblings: Iterable<TreeNode>): Html[] =>
    collectLines(siblings, budget).map((line) => {
      const [node] = line.nodes
      shown += line.nodes.filter(({ change }) => change !== null).length
      const children = list(node?.children.values() ?? [])
      return html`<li>
        ${renderLine(line, maxChunks)}${line.table}${
          children.length > 0 &&
          html`<ul>
            ${children}
          </ul>`
        }
      </li>`
    })
  const items = list(buildTree(changedNodes).values())
  return html`<ul class="changes${isLongList(items.length) && ' long'}">
      ${items}
    </ul>
    ${moreNote(changedNodes.size - shown, 'changed nodes are not shown.')}`
}

/** Compares the documents of the nodes, and joins the lines of those with equal changes, while the budget lasts. */
function collectLines(nodes: Iterable<TreeNode>, budget: PageBudget): Line[] {
  const lines: Line[] = []
  const lineByChanges = new Map<string, Line>()
  for (const node of nodes) {
    if (!budget.trySpend(emptyLine(node))) break
    const values = budget.bytesLeft > 0 ? node.change?.compare?.() : undefined
    const sizes = values ? describeSizes(values) : []
    const table = values ? valueTable(values, new PageBudget(budget.bytesLeft)) : undefined
    const key = values && canShareLine(node) ? joinKey(node, sizes, table) : null
    const equalLine = key === null ? undefined : lineByChanges.get(key)
    if (equalLine) {
      equalLine.nodes.push(node)
      continue
    }
    const line = { nodes: [node], sizes, table: table && budget.trySpend(table) ? table : undefined }
    lines.push(line)
    if (key !== null) lineByChanges.set(key, line)
  }
  return lines
}

/** Equal for nodes whose changes look the same. */
function joinKey({ change }: TreeNode, sizes: readonly string[], table: Html | undefined): string {
  return [change?.change, sizes.join(), describeFilled(change?.facts), table?.toString()].join('\n')
}

/** About as many bytes as the line of a node takes, without its values. */
function emptyLine({ name }: TreeNode): Html {
  return html`<li>
    <p><b></b><span>${clipText(name, maxNameLength)}</span></p>
  </li>`
}

/** Whether a node can share its line with others: it is an array, and stayed where it was. */
function canShareLine({ change }: TreeNode): boolean {
  return change?.kind === 'array' && change.movedFrom === null
}

function renderLine({ nodes, sizes }: Line, maxChunks: number): Html {
  const [{ name, change } = { name: '', change: null }] = nodes
  if (nodes.length < 2) return html`<p>${changeLine(name, change, sizes, maxChunks)}</p>`
  const facts = [...(change?.change === 'replaced' ? ['replaced'] : []), ...sizes]
  facts.push(...describeChunks(nodes.flatMap(({ change }) => change ?? [])))
  return html`<details>
    <summary>
      <span>${formatCount(nodes.length, 'array')}</span>
      <small>${facts.join(', ') || 'updated'}</small>
    </summary>
    <p>${nodes.map(({ name }) => clipText(name, maxNameLength)).join(', ')}</p>
  </details>`
}

const signs = { created: '+', deleted: '−', replaced: '±', updated: '•' } as const

function changeLine(name: string, change: NodeChange | null, sizes: readonly string[], maxChunks: number): Html {
  const shownName = clipText(name, maxNameLength)
  if (change === null) return html`<span>${shownName}/</span>`
  const { chunks } = change
  return html`<b class="${change.change}" aria-hidden="true">${signs[change.change]}</b> <span>${shownName}</span>
    <small>${listFacts(change, sizes).join(', ')}</small>
    ${
      chunks > 0 &&
      html`<svg class="chunks" aria-hidden="true">
        <rect width="${Math.max(1, Math.round((100 * chunks) / maxChunks))}%" />
      </svg>`
    }`
}

/** Lists facts such as `array updated`, `moved from wind/speed`, `4 chunks written or deleted`. */
function listFacts(node: NodeChange, sizes: readonly string[]): string[] {
  const { kind, change, replacedKind, compare, movedFrom, chunks } = node
  const facts: string[] = []
  const isDocumentUnchanged = change === 'updated' && compare === null && (movedFrom !== null || chunks > 0)
  if (replacedKind !== null) facts.push(`${replacedKind} replaced by ${kind === 'group' ? 'a group' : 'an array'}`)
  else if (!isDocumentUnchanged) facts.push(`${kind ?? 'node'} ${change}`)
  else if (kind !== null) facts.push(kind)
  if (movedFrom !== null) facts.push(`moved from ${clipText(movedFrom, maxNameLength)}`)
  facts.push(...sizes)
  facts.push(...describeChunks([node]))
  return facts
}

/** Puts the changed nodes below their groups, sorted by path. Returns the nodes at the top. */
function buildTree(changes: ReadonlyMap<string, NodeChange>): Map<string, TreeNode> {
  const top = new Map<string, TreeNode>()
  const paths = [...changes.keys()].sort().slice(0, maxNodes)
  for (const path of paths) {
    const names = splitPath(path)
    let children = top
    let node: TreeNode | undefined
    for (const name of names) {
      node = children.get(name) ?? { name, change: null, children: new Map() }
      children.set(name, node)
      children = node.children
    }
    if (node) node.change = changes.get(path) ?? null
  }
  return top
}

/** Splits a path into names. The root group is `/`. Beyond the maximum depth, the rest of the path is one name. */
function splitPath(path: string): string[] {
  if (path === '') return ['/']
  const names = path.split('/')
  return names.length <= maxDepth ? names : [...names.slice(0, maxDepth - 1), names.slice(maxDepth - 1).join('/')]
}
