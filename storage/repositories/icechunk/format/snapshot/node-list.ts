// The nodes of a snapshot, as positions in its bytes: five numbers for each node instead of an object, a text and a map
// entry. Icechunk stores them sorted by the UTF-8 bytes of their paths, so binary search finds a node, and the nodes
// below a group are adjacent.
import { nodeIdBytes, readNodeId } from '../object-id.ts'
import { compareBytes } from './compare-bytes.ts'
import type { Node, NodeId } from '../../types.ts'

const slash = 0x2f
/** The byte after the slash, `0`: all paths that begin with `a/` sort before `a0`. */
const afterSlash = 0x30

/** How Icechunk stores what a node is. */
export const nodeKinds = { array: 1, group: 2 } as const

/**
 * The fields of nodes, one number for each node: what it is, and the positions of its path, document and id, and of the
 * table with the shape and the manifests of an array. A path or document is a u32 length followed by its bytes. The
 * position of a missing id or table is 0.
 */
export type NodeColumns = {
  readonly kinds: Uint8Array
  readonly paths: Uint32Array
  readonly documents: Uint32Array
  readonly ids: Uint32Array
  readonly data: Uint32Array
}

/** How the nodes of a large snapshot are read when somebody asks. Both methods throw what `readNodes` throws. */
export type UnreadNodes = {
  /**
   * Reads a node and some beside it into the columns. Returns false if they are not sorted, or if Zarr readers cannot
   * address one; then all must be read.
   */
  readonly readAround: (index: number) => boolean
  readonly readAll: () => NodeColumns
}

export type ChildCounts = { readonly arrays: number; readonly groups: number }

/**
 * Nodes sorted by the UTF-8 bytes of their whole paths, as in `a`, `a-b`, `a/b`. In a large snapshot, {@link find},
 * {@link listChildren} and {@link countChildren} read the nodes that they compare, and rely on their order as Icechunk
 * does. All other methods, and a path that is not found, read and check all nodes.
 */
export class NodeList {
  readonly #bytes: Buffer
  readonly #view: DataView
  #columns: NodeColumns
  /** Undefined when all are read. */
  #unread: UnreadNodes | undefined

  /**
   * The caller, `readNodes`, has checked the nodes and sorted them by path.
   *
   * @param unread reads the nodes whose paths are at 0
   */
  constructor(bytes: Buffer, columns: NodeColumns, unread?: UnreadNodes) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#columns = columns
    this.#unread = unread
  }

  get length(): number {
    return this.#readAll().paths.length
  }

  /** Memory in bytes, including the bytes of the snapshot. */
  get sizeBytes(): number {
    const { kinds, paths, documents, ids, data } = this.#columns
    return [kinds, paths, documents, ids, data].reduce((sum, { byteLength }) => sum + byteLength, this.#bytes.length)
  }

  /** The node at a path without leading slash; the root is `''`. */
  find(path: string): Node | undefined {
    return this.#lookUp(() => {
      const index = this.#findIndex(path)
      if (index !== undefined) return this.at(index)
      this.#readAll()
      return undefined
    })
  }

  /** The index of the node at a path, as {@link find} takes it. */
  findIndex(path: string): number | undefined {
    this.#readAll()
    return this.#findIndex(path)
  }

  #findIndex(path: string): number | undefined {
    // UTF-8 cannot express a lone surrogate. It would become U+FFFD, which is another name.
    if (!path.isWellFormed()) return undefined
    const stored = Buffer.from(`/${path}`)
    const index = this.#findFrom(0, stored)
    return index < this.#columns.paths.length && this.#compare(index, stored) === 0 ? index : undefined
  }

  /** The indexes of the nodes below a path, from `first` up to before `end`. The root is below `''`. */
  findBelow(path: string): { readonly first: number; readonly end: number } {
    const { length } = this
    if (path === '') return { first: 0, end: length }
    const first = this.#findFrom(0, Buffer.from(`/${path}/`))
    return { first, end: this.#findFrom(first, Buffer.from(`/${path}${String.fromCharCode(afterSlash)}`)) }
  }

  /** The nodes directly below a path, sorted by the UTF-8 bytes of their names. */
  listChildren(path: string): Node[] {
    return this.#lookUp(() => [...this.#walkChildren(path)].map((index) => this.at(index)))
  }

  /** Counts the nodes directly below a path without reading them. */
  countChildren(path: string): ChildCounts {
    return this.#lookUp(() => {
      let arrays = 0
      let groups = 0
      for (const index of this.#walkChildren(path)) {
        if (this.#isArray(index)) arrays++
        else groups++
      }
      return { arrays, groups }
    })
  }

  /**
   * The groups that directly contain an array, sorted by UTF-8 bytes. A repository whose root is an array has none; nor
   * is an array a group that has another below it.
   */
  listParentsOfArrays(): string[] {
    const isParent = new Uint8Array(this.length)
    let [lastStart, lastLength] = [0, -1]
    for (let index = 0; index < this.length; index++) {
      if (!this.#isArray(index)) continue
      const start = this.#startOf(index)
      const end = this.#endOf(index)
      let parentEnd = end - 1
      while (this.#bytes[parentEnd] !== slash) parentEnd--
      // The path of the root is a single slash.
      if (parentEnd === end - 1) continue
      const length = Math.max(1, parentEnd - start)
      // Siblings are usually adjacent, and follow their parent.
      if (length === lastLength && this.#areEqual(start, lastStart, length)) continue
      const parent = this.#hasPath(index - 1, start, length)
        ? index - 1
        : this.findIndex(this.#bytes.toString('utf8', start + 1, start + length))
      if (parent !== undefined && !this.#isArray(parent)) isParent[parent] = 1
      lastStart = start
      lastLength = length
    }
    const parents: string[] = []
    for (let index = 0; index < this.length; index++) if (isParent[index] === 1) parents.push(this.readPath(index))
    return parents
  }

  *[Symbol.iterator](): Generator<Node> {
    for (let index = 0; index < this.length; index++) yield this.at(index)
  }

  /** The id of the node at an index below the length; undefined when the node has none. */
  readId(index: number): NodeId | undefined {
    const position = this.#columns.ids[index] ?? 0
    return position === 0 ? undefined : readNodeId(this.#bytes, position)
  }

  /** The first two bytes of the id of a node, as a number; undefined when the node has none. Makes no text. */
  readIdStart(index: number): number | undefined {
    const position = this.#columns.ids[index] ?? 0
    return position === 0 ? undefined : this.#view.getUint16(position)
  }

  /** Whether a node and one of another list have the same id; false when one has none. */
  hasSameId(index: number, other: NodeList, otherIndex: number): boolean {
    const [start, otherStart] = [this.#columns.ids[index] ?? 0, other.#columns.ids[otherIndex] ?? 0]
    if (start === 0 || otherStart === 0) return false
    return (
      compareBytes(this.#bytes, start, start + nodeIdBytes, other.#bytes, otherStart, otherStart + nodeIdBytes) === 0
    )
  }

  /** The position of the table with the shape and the manifests of an array; 0 of a group, and without a table. */
  findArrayData(index: number): number {
    return this.#isArray(index) ? (this.#columns.data[index] ?? 0) : 0
  }

  readPath(index: number): string {
    return this.#bytes.toString('utf8', this.#startOf(index) + 1, this.#endOf(index))
  }

  readKind(index: number): Node['kind'] {
    return this.#isArray(index) ? 'array' : 'group'
  }

  /** Compares the path of a node with that of a node in another list, by UTF-8 bytes. */
  comparePaths(index: number, other: NodeList, otherIndex: number): number {
    const [start, end] = [this.#startOf(index), this.#endOf(index)]
    const [otherStart, otherEnd] = [other.#startOf(otherIndex), other.#endOf(otherIndex)]
    return compareBytes(this.#bytes, start, end, other.#bytes, otherStart, otherEnd)
  }

  at(index: number): Node {
    return { path: this.readPath(index), kind: this.readKind(index), document: this.readDocument(index) }
  }

  /** The `zarr.json` of a node. Not a copy. */
  readDocument(index: number): Uint8Array {
    const position = this.#columns.documents[index] ?? 0
    const { buffer, byteOffset } = this.#bytes
    return new Uint8Array(buffer, byteOffset + position + 4, this.#view.getUint32(position, true))
  }

  /** Walks the indexes of the nodes directly below a path, sorted by the UTF-8 bytes of their names. */
  walkChildren(path: string): Generator<number> {
    this.#readAll()
    return this.#walkChildren(path)
  }

  *#walkChildren(path: string): Generator<number> {
    if (!path.isWellFormed()) return
    const prefix = Buffer.from(path === '' ? '/' : `/${path}/`)
    let index = this.#findFrom(0, prefix)
    while (index < this.#columns.paths.length && this.#startsWith(index, prefix)) {
      const start = this.#startOf(index)
      const end = this.#endOf(index)
      const nameAt = start + prefix.length
      let nameEnd = nameAt
      while (nameEnd < end && this.#bytes[nameEnd] !== slash) nameEnd++
      if (nameEnd === end) {
        if (nameAt < end) yield index
        index++
      } else {
        const next = Buffer.from(this.#bytes.subarray(start, nameEnd + 1))
        next[next.length - 1] = afterSlash
        index = this.#findFrom(index, next)
      }
    }
  }

  /** The index of the first node, from `first` on, whose path is not less than `wanted`, a path as stored. */
  #findFrom(first: number, wanted: Buffer): number {
    // The node is often near `first`, so the search begins with small steps.
    let step = 1
    let low = first
    let high = first
    const { length } = this.#columns.paths
    while (high < length && this.#compare(high, wanted) < 0) {
      low = high + 1
      high += step
      step *= 2
    }
    high = Math.min(high, length)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(middle, wanted) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(index: number, wanted: Buffer): number {
    const start = this.#startOf(index)
    return compareBytes(this.#bytes, start, this.#endOf(index), wanted, 0, wanted.length)
  }

  #startsWith(index: number, prefix: Buffer): boolean {
    const start = this.#startOf(index)
    const end = Math.min(this.#endOf(index), start + prefix.length)
    return compareBytes(this.#bytes, start, end, prefix, 0, prefix.length) === 0
  }

  /** Whether there is such a node, whose path has these bytes. */
  #hasPath(index: number, start: number, length: number): boolean {
    if (index < 0) return false
    const itsStart = this.#startOf(index)
    return this.#endOf(index) - itsStart === length && this.#areEqual(itsStart, start, length)
  }

  #areEqual(left: number, right: number, length: number): boolean {
    return compareBytes(this.#bytes, left, left + length, this.#bytes, right, right + length) === 0
  }

  #isArray(index: number): boolean {
    return this.#columns.kinds[index] === nodeKinds.array
  }

  #startOf(index: number): number {
    return this.#pathOf(index) + 4
  }

  /** The path is empty of a node beyond the end, which can come nearer when all nodes are read. */
  #endOf(index: number): number {
    const position = this.#pathOf(index)
    return position + 4 + (position === 0 ? 0 : this.#view.getUint32(position, true))
  }

  #pathOf(index: number): number {
    const position = this.#columns.paths[index] ?? 0
    if (position !== 0 || this.#unread === undefined) return position
    if (!this.#unread.readAround(index)) this.#readAll()
    return this.#columns.paths[index] ?? 0
  }

  /** Asks again if all nodes had to be read meanwhile, because that can change their order. */
  #lookUp<Answer>(ask: () => Answer): Answer {
    const columns = this.#columns
    const answer = ask()
    return columns === this.#columns ? answer : ask()
  }

  #readAll(): NodeColumns {
    if (this.#unread !== undefined) this.#columns = this.#unread.readAll()
    this.#unread = undefined
    return this.#columns
  }
}
