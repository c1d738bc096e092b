// The changed nodes as nested lists, each below its group, with the values before and after.
import { html, type Html } from '../html.ts'
import { formatCount } from '../child-groups.ts'
import { clipText, isLongList, moreNote, PageBudget } from '../page-budget.ts'
import { describeSizes, type ShownDocumentChanges, valueTable } from './value-table.ts'

/** The groups, or the arrays, that changed. Each list is sorted by the UTF-8 bytes of the paths, which have no leading slash. */
export type ShownChangedNodes = {
  readonly created: readonly string[]
  readonly deleted: readonly string[]
  /** `compare` compares the documents; it returns null for a node that only one of the snapshots contains. */
  readonly updated: readonly { readonly path: string; readonly compare: () => ShownDocumentChanges | null }[]
}

export type ShownChanges = {
  readonly groups: ShownChangedNodes
  readonly arrays: ShownChangedNodes
  readonly moves: readonly { readonly from: string; readonly to: string }[]
  /** Chunks that were written or deleted, by array; null when that is not known. */
  readonly chunks: readonly { readonly path: string; readonly count: number }[] | null
}

type NodeChange = {
  readonly kind: 'group' | 'array' | null
  /** `updated` includes nodes of which only the path or the chunks changed. */
  readonly change: 'created' | 'deleted' | 'replaced' | 'updated'
  readonly compare: (() => ShownDocumentChanges | null) | null
  readonly movedFrom: string | null
  readonly chunks: number
}

/** An entry of the tree; `change` is null for an unchanged group that contains changes. */
type Branch = { readonly name: string; change: NodeChange | null; readonly children: Map<string, Branch> }

/** Maximum number of nodes on a page; the others are counted. */
const maxNodes = 3_000
/** Deeper groups are shown on one line with their parent. */
const maxDepth = 30
const treeBytes = 1_000_000
const maxNameLength = 1_000

/** A line of the tree. Arrays of a group with equal changes share one. */
type Line = {
  readonly branches: Branch[]
  /** The changed sizes. */
  readonly sizes: readonly string[]
  /** The other values before and after. */
  readonly table: Html | undefined
}

/** The tree, and a note when something is left out. */
export function changeTree(changes: ShownChanges): Html {
  const nodes = collectNodes(changes)
  const budget = new PageBudget(treeBytes)
  const most = (changes.chunks ?? []).reduce((most, { count }) => Math.max(most, count), 1)
  let shown = 0
  const list = (branches: Iterable<Branch>): Html[] =>
    collectLines(branches, budget).map((line) => {
      const [branch] = line.branches
      shown += line.branches.filter(({ change }) => change !== null).length
      const children = list(branch?.children.values() ?? [])
      return html`<li>
        ${renderLine(line, most)}${line.table}${
          children.length > 0 &&
          html`<ul>
            ${children}
          </ul>`
        }
      </li>`
    })
  const items = list(buildBranches(nodes).values())
  return html`<ul class="changes${isLongList(items.length) && ' long'}">
      ${items}
    </ul>
    ${moreNote(nodes.size - shown, 'changed nodes are not shown.')}`
}

/** Compares the documents of the branches and joins those with equal changes, as long as the page has room. */
function collectLines(branches: Iterable<Branch>, budget: PageBudget): Line[] {
  const lines: Line[] = []
  const known = new Map<string, Line>()
  for (const branch of branches) {
    if (
      !budget.takes(
        html`<li>
          <p><b></b><span>${clipText(branch.name, maxNameLength)}</span></p>
        </li>`,
      )
    )
      break
    const values = budget.bytesLeft > 0 ? branch.change?.compare?.() : undefined
    const sizes = values ? describeSizes(values) : []
    const table = values ? valueTable(values, new PageBudget(budget.bytesLeft)) : undefined
    const key = `${sizes.join()}\n${table?.toString()}`
    const equal = known.get(key)
    if (equal && isJoinable(branch)) {
      equal.branches.push(branch)
      continue
    }
    const line = { branches: [branch], sizes, table: table && budget.takes(table) ? table : undefined }
    lines.push(line)
    if (values && isJoinable(branch)) known.set(key, line)
  }
  return lines
}

/** Whether the line of a node can be that of others: it is an array, and only its document and chunks changed. */
function isJoinable({ change }: Branch): boolean {
  return change?.kind === 'array' && change.change === 'updated' && change.movedFrom === null
}

function renderLine({ branches, sizes }: Line, mostChunks: number): Html {
  const [{ name, change } = { name: '', change: null }] = branches
  if (branches.length < 2) return html`<p>${changeLine(name, change, sizes, mostChunks)}</p>`
  const chunks = branches.reduce((sum, { change }) => sum + (change?.chunks ?? 0), 0)
  const facts = [...sizes, ...(chunks > 0 ? [describeChunks(chunks)] : [])]
  return html`<details>
    <summary>
      <span>${formatCount(branches.length, 'array')}</span>
      <small>${facts.join(', ') || 'updated'}</small>
    </summary>
    <p>${branches.map(({ name }) => clipText(name, maxNameLength)).join(', ')}</p>
  </details>`
}

const signs = { created: '+', deleted: '−', replaced: '±', updated: '•' } as const

function changeLine(name: string, change: NodeChange | null, sizes: readonly string[], mostChunks: number): Html {
  const shown = clipText(name, maxNameLength)
  if (change === null) return html`<span>${shown}/</span>`
  const { chunks } = change
  return html`<b class="${change.change}" aria-hidden="true">${signs[change.change]}</b> <span>${shown}</span>
    <small>${listFacts(change, sizes).join(', ')}</small>
    ${
      chunks > 0 &&
      html`<svg class="chunks" aria-hidden="true">
        <rect width="${Math.max(1, Math.round((100 * chunks) / mostChunks))}%" />
      </svg>`
    }`
}

/** `array updated`, `moved from wind/speed`, `4 chunks written or deleted`. */
function listFacts({ kind, change, compare, movedFrom, chunks }: NodeChange, sizes: readonly string[]): string[] {
  const facts: string[] = []
  const isOnlyMovedOrFilled = change === 'updated' && compare === null && (movedFrom !== null || chunks > 0)
  if (!isOnlyMovedOrFilled) {
    facts.push(`${kind ?? 'node'} ${change === 'replaced' ? 'deleted and created again' : change}`)
  } else if (kind !== null) facts.push(kind)
  if (movedFrom !== null) facts.push(`moved from ${clipText(movedFrom, maxNameLength)}`)
  facts.push(...sizes)
  if (chunks > 0) facts.push(describeChunks(chunks))
  return facts
}

function describeChunks(count: number): string {
  return `${formatCount(count, 'chunk')} written or deleted`
}

/** By path, in the order of the lists, which `buildBranches` sorts. */
function collectNodes({ groups, arrays, moves, chunks }: ShownChanges): Map<string, NodeChange> {
  const nodes = new Map<string, NodeChange>()
  const unchanged: NodeChange = { kind: null, change: 'updated', compare: null, movedFrom: null, chunks: 0 }
  const add = (path: string, change: Partial<NodeChange>) => {
    nodes.set(path, { ...(nodes.get(path) ?? unchanged), ...change })
  }
  for (const [kind, { created, deleted, updated }] of [
    ['group', groups],
    ['array', arrays],
  ] as const) {
    for (const path of deleted) add(path, { kind, change: 'deleted' })
    for (const path of created) add(path, { kind, change: nodes.has(path) ? 'replaced' : 'created' })
    for (const { path, compare } of updated) add(path, { kind, compare })
  }
  for (const { from, to } of moves) add(to, { movedFrom: from })
  for (const { path, count } of chunks ?? []) add(path, { kind: 'array', chunks: count })
  return nodes
}

function buildBranches(nodes: ReadonlyMap<string, NodeChange>): Map<string, Branch> {
  const top = new Map<string, Branch>()
  const paths = [...nodes.keys()].sort().slice(0, maxNodes)
  for (const path of paths) {
    const names = splitPath(path)
    let children = top
    let branch: Branch | undefined
    for (const name of names) {
      branch = children.get(name) ?? { name, change: null, children: new Map() }
      children.set(name, branch)
      children = branch.children
    }
    if (branch) branch.change = nodes.get(path) ?? null
  }
  return top
}

/** The root group is `/`. A node that is too deep has the rest of its path as its name. */
function splitPath(path: string): string[] {
  if (path === '') return ['/']
  const names = path.split('/')
  return names.length <= maxDepth ? names : [...names.slice(0, maxDepth - 1), names.slice(maxDepth - 1).join('/')]
}
