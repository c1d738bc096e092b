// The nodes of a snapshot, as positions in its bytes: five numbers for each node instead of an object, a text and a map
// entry. Icechunk stores them sorted by the UTF-8 bytes of their paths, so binary search finds a node, and the nodes
// below a group are adjacent.
import { sortUtf8 } from '../../../objects/index.ts'
import { nodeIdBytes, readNodeId } from '../object-id.ts'
import type { Node, NodeId } from '../../types.ts'

const slash = 0x2f
/** The byte after the slash, `0`: all paths that begin with `a/` sort before `a0`. */
const afterSlash = 0x30

/**
 * The record of a node, as 32-bit numbers: the positions of its path, document and id, whether it is an array, and the
 * position of the table with its shape and manifests. A path or document is a u32 length followed by its bytes. The
 * position of a missing id or table is 0.
 */
const recordFields = { path: 0, document: 1, isArray: 2, id: 3, data: 4 } as const

export const recordLength = 5

export type ChildCounts = { readonly arrays: number; readonly groups: number }

/** Nodes sorted by the UTF-8 bytes of their whole paths, as in `a`, `a-b`, `a/b`. */
export class NodeList {
  readonly length: number
  readonly #bytes: Buffer
  readonly #view: DataView
  readonly #records: Uint32Array

  /** The caller, `NodeListBuilder`, has checked the records and sorted them by path. */
  constructor(bytes: Buffer, records: Uint32Array) {
    this.length = records.length / recordLength
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#records = records
  }

  /** Memory in bytes, including the bytes of the snapshot. */
  get sizeBytes(): number {
    return this.#records.byteLength + this.#bytes.length
  }

  /** The node at a path without leading slash; the root is `''`. */
  find(path: string): Node | undefined {
    const index = this.findIndex(path)
    return index === undefined ? undefined : this.at(index)
  }

  /** The index of the node at a path, as {@link find} takes it. */
  findIndex(path: string): number | undefined {
    // UTF-8 cannot express a lone surrogate. It would become U+FFFD, which is another name.
    if (!path.isWellFormed()) return undefined
    const stored = Buffer.from(`/${path}`)
    const index = this.#findFrom(0, stored)
    return index < this.length && this.#compare(index, stored) === 0 ? index : undefined
  }

  /** The indexes of the nodes below a path, from `first` up to before `end`. The root is below `''`. */
  findBelow(path: string): { readonly first: number; readonly end: number } {
    if (path === '') return { first: 0, end: this.length }
    const first = this.#findFrom(0, Buffer.from(`/${path}/`))
    return { first, end: this.#findFrom(first, Buffer.from(`/${path}${String.fromCharCode(afterSlash)}`)) }
  }

  /** The nodes directly below a path, sorted by the UTF-8 bytes of their names. */
  listChildren(path: string): Node[] {
    return [...this.walkChildren(path)].map((index) => this.at(index))
  }

  /** Counts the nodes directly below a path without reading them. */
  countChildren(path: string): ChildCounts {
    let arrays = 0
    let groups = 0
    for (const index of this.walkChildren(path)) {
      if (this.#isArray(index)) arrays++
      else groups++
    }
    return { arrays, groups }
  }

  /**
   * The groups that directly contain an array, sorted by UTF-8 bytes. A repository whose root is an array has none; nor
   * is an array a group that has another below it.
   */
  listParentsOfArrays(): string[] {
    const parents = new Set<string>()
    let [lastStart, lastLength] = [0, -1]
    for (let index = 0; index < this.length; index++) {
      if (!this.#isArray(index)) continue
      const start = this.#startOf(index)
      const end = this.#endOf(index)
      let parentEnd = end - 1
      while (this.#bytes[parentEnd] !== slash) parentEnd--
      // The path of the root is a single slash.
      if (parentEnd === end - 1) continue
      const length = parentEnd - start
      // Siblings are adjacent, and creating a text costs more than this comparison.
      if (length === lastLength && this.#areEqual(start, lastStart, length)) continue
      parents.add(this.#bytes.toString('utf8', start + 1, Math.max(start + 1, parentEnd)))
      lastStart = start
      lastLength = length
    }
    return sortUtf8([...parents]).filter((path) => this.find(path)?.kind === 'group')
  }

  *[Symbol.iterator](): Generator<Node> {
    for (let index = 0; index < this.length; index++) yield this.at(index)
  }

  /** The id of the node at an index below the length; undefined when the node has none. */
  readId(index: number): NodeId | undefined {
    const position = this.#read(index, recordFields.id)
    return position === 0 ? undefined : readNodeId(this.#bytes, position)
  }

  /** The first two bytes of the id of a node, as a number; undefined when the node has none. Makes no text. */
  readIdStart(index: number): number | undefined {
    const position = this.#read(index, recordFields.id)
    return position === 0 ? undefined : this.#view.getUint16(position)
  }

  /** Whether a node and one of another list have the same id; false when one has none. */
  hasSameId(index: number, other: NodeList, otherIndex: number): boolean {
    const [start, otherStart] = [this.#read(index, recordFields.id), other.#read(otherIndex, recordFields.id)]
    if (start === 0 || otherStart === 0) return false
    return (
      compareBytes(this.#bytes, start, start + nodeIdBytes, other.#bytes, otherStart, otherStart + nodeIdBytes) === 0
    )
  }

  /** The position of the table with the shape and the manifests of an array; 0 of a group, and without a table. */
  findArrayData(index: number): number {
    return this.#isArray(index) ? this.#read(index, recordFields.data) : 0
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
    const document = this.#read(index, recordFields.document)
    return {
      path: this.readPath(index),
      kind: this.readKind(index),
      document: this.#bytes.subarray(document + 4, document + 4 + this.#view.getUint32(document, true)),
    }
  }

  /** Walks the indexes of the nodes directly below a path, sorted by the UTF-8 bytes of their names. */
  *walkChildren(path: string): Generator<number> {
    if (!path.isWellFormed()) return
    const prefix = Buffer.from(path === '' ? '/' : `/${path}/`)
    let index = this.#findFrom(0, prefix)
    while (index < this.length && this.#startsWith(index, prefix)) {
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
    while (high < this.length && this.#compare(high, wanted) < 0) {
      low = high + 1
      high += step
      step *= 2
    }
    high = Math.min(high, this.length)
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

  #areEqual(left: number, right: number, length: number): boolean {
    return compareBytes(this.#bytes, left, left + length, this.#bytes, right, right + length) === 0
  }

  #read(index: number, field: number): number {
    return this.#records[recordLength * index + field] ?? 0
  }

  #isArray(index: number): boolean {
    return this.#read(index, recordFields.isArray) === 1
  }

  #startOf(index: number): number {
    return this.#read(index, recordFields.path) + 4
  }

  #endOf(index: number): number {
    const position = this.#read(index, recordFields.path)
    return position + 4 + this.#view.getUint32(position, true)
  }
}

/** Compares two ranges of bytes. For paths, which are short, a loop is several times faster than `Buffer.compare`. */
export function compareBytes(
  left: Uint8Array,
  leftStart: number,
  leftEnd: number,
  right: Uint8Array,
  rightStart: number,
  rightEnd: number,
): number {
  const leftLength = leftEnd - leftStart
  const rightLength = rightEnd - rightStart
  const shared = Math.min(leftLength, rightLength)
  for (let at = 0; at < shared; at++) {
    const difference = (left[leftStart + at] ?? 0) - (right[rightStart + at] ?? 0)
    if (difference !== 0) return difference
  }
  return leftLength - rightLength
}
