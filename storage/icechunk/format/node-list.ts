// The nodes of a snapshot, as positions in the bytes that hold them: three numbers for each node instead of an object, a text and an
// entry of a map. They are sorted by the UTF-8 bytes of their paths, as Icechunk stores them, so a node is found by binary search, and
// what lies below a group is a range.
import { sortUtf8 } from '../../objects/index.ts'
import { compareBytes } from './compare-bytes.ts'
import { nodeIdBytes } from './object-id.ts'
import type { Node, NodeId } from '../types.ts'

const slash = 0x2f
/** The byte after the slash: `a0` is the end of everything that begins with `a/`. */
const afterSlash = 0x30

/** Where the parts of the nodes lie in `bytes`. Paths and documents are stored as a u32 length and then their bytes. */
export type NodePositions = {
  readonly bytes: Buffer
  readonly paths: Uint32Array
  readonly documents: Uint32Array
  /** 1 for arrays, 0 for groups. */
  readonly isArray: Uint8Array
  /** Where the ids lie; 0 for a node without one. */
  readonly ids: Uint32Array
}

/** How many arrays and groups lie directly in a group. */
export type ChildCounts = { readonly arrays: number; readonly groups: number }

/** Nodes sorted by the UTF-8 bytes of their whole paths, as in `a`, `a-b`, `a/b`. */
export class NodeList {
  readonly length: number
  readonly #bytes: Buffer
  readonly #view: DataView
  readonly #paths: Uint32Array
  readonly #documents: Uint32Array
  readonly #isArray: Uint8Array
  readonly #ids: Uint32Array

  /** The positions must have been checked, and must be sorted by path. */
  constructor({ bytes, paths, documents, isArray, ids }: NodePositions) {
    this.length = paths.length
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#paths = paths
    this.#documents = documents
    this.#isArray = isArray
    this.#ids = ids
  }

  /** Memory in bytes, with the bytes that hold the nodes. */
  get sizeBytes(): number {
    const positions = [this.#paths, this.#documents, this.#isArray, this.#ids]
    return positions.reduce((sum, { byteLength }) => sum + byteLength, this.#bytes.length)
  }

  /** The node at a path without leading slash; the root is `''`. */
  find(path: string): Node | undefined {
    // A lone surrogate would become U+FFFD, which is another name.
    if (!path.isWellFormed()) return undefined
    const stored = Buffer.from(`/${path}`)
    const index = this.#findFrom(0, stored)
    return index < this.length && this.#compare(index, stored) === 0 ? this.at(index) : undefined
  }

  /** The nodes directly below a path, sorted by the UTF-8 bytes of their names. */
  listChildren(path: string): Node[] {
    return [...this.#walkChildren(path)].map((index) => this.at(index))
  }

  /** Counts the nodes directly below a path without reading them. */
  countChildren(path: string): ChildCounts {
    let arrays = 0
    let groups = 0
    for (const index of this.#walkChildren(path)) {
      if (this.#isArray[index] === 1) arrays++
      else groups++
    }
    return { arrays, groups }
  }

  /** The paths in which at least one array lies directly, sorted by their UTF-8 bytes. The array at the root lies in none. */
  listParentsOfArrays(): string[] {
    const parents = new Set<string>()
    let [lastStart, lastLength] = [0, -1]
    for (let index = 0; index < this.length; index++) {
      if (this.#isArray[index] !== 1) continue
      const start = this.#startOf(index)
      const end = this.#endOf(index)
      let parentEnd = end - 1
      while (this.#bytes[parentEnd] !== slash) parentEnd--
      // The root ends in its only slash.
      if (parentEnd === end - 1) continue
      const length = parentEnd - start
      // Siblings follow each other, and a text costs more than this comparison.
      if (length === lastLength && this.#areEqual(start, lastStart, length)) continue
      parents.add(this.#bytes.toString('utf8', start + 1, Math.max(start + 1, parentEnd)))
      lastStart = start
      lastLength = length
    }
    return sortUtf8([...parents])
  }

  /** All nodes in order. */
  *[Symbol.iterator](): Generator<Node> {
    for (let index = 0; index < this.length; index++) yield this.at(index)
  }

  /** The id of the node at an index, which must be less than the length; undefined when the node has none. */
  readId(index: number): NodeId | undefined {
    const position = this.#ids[index] ?? 0
    if (position === 0) return undefined
    return this.#bytes.toString('latin1', position, position + nodeIdBytes) as NodeId // made as its type says
  }

  /** The path of the node at an index, which must be less than the length. */
  readPath(index: number): string {
    return this.#bytes.toString('utf8', this.#startOf(index) + 1, this.#endOf(index))
  }

  /** The node at an index, which must be less than the length. */
  at(index: number): Node {
    const document = this.#documents[index] ?? 0
    return {
      path: this.readPath(index),
      kind: this.#isArray[index] === 1 ? 'array' : 'group',
      document: this.#bytes.subarray(document + 4, document + 4 + this.#view.getUint32(document, true)),
    }
  }

  *#walkChildren(path: string): Generator<number> {
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
        const behind = Buffer.from(this.#bytes.subarray(start, nameEnd + 1))
        behind[behind.length - 1] = afterSlash
        index = this.#findFrom(index, behind)
      }
    }
  }

  /** The index of the first node from `first` on whose path is not before the stored path `wanted`. */
  #findFrom(first: number, wanted: Buffer): number {
    // What is searched for is often near, so the steps begin small.
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

  #areEqual(one: number, other: number, length: number): boolean {
    return compareBytes(this.#bytes, one, one + length, this.#bytes, other, other + length) === 0
  }

  #startOf(index: number): number {
    return (this.#paths[index] ?? 0) + 4
  }

  #endOf(index: number): number {
    const position = this.#paths[index] ?? 0
    return position + 4 + this.#view.getUint32(position, true)
  }
}
