import type { Allowance } from '../../encoding/allowance.ts'
import type { ReaderLimits } from '../../limits.ts'
import { compareBytes, NodeList, recordLength } from './node-list.ts'
import { checkNodePath } from './node-path.ts'

/**
 * Collects the nodes of an object, checks each, and sorts them if necessary. Their paths and documents count against
 * the allowance. Its methods throw {@link DamagedObjectError} and {@link LimitExceededError}.
 */
export class NodeListBuilder {
  readonly #bytes: Buffer
  readonly #view: DataView
  readonly #limits: ReaderLimits
  readonly #allowance: Allowance
  readonly #records: Uint32Array
  #count = 0
  #isSorted = true

  constructor(bytes: Uint8Array, count: number, limits: ReaderLimits, allowance: Allowance) {
    const { maxNodes } = limits
    if (count > maxNodes) throw allowance.exceed('maxNodes', `it has more than ${maxNodes} nodes`)
    if (bytes.length > 2 ** 32) throw allowance.damage('it is larger than its offsets can express')
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#limits = limits
    this.#allowance = allowance
    this.#records = new Uint32Array(recordLength * count)
  }

  /**
   * Adds a node, unless Zarr readers cannot address it. `path` and `document` are the positions of a u32 length that is
   * followed by the bytes; `id` is the position of the id. All of them must lie within the object. `data` is the
   * position of the table of an array, which is not checked.
   */
  add(kind: number, path: number | undefined, document: number | undefined, id = 0, data = 0): void {
    const { damage } = this.#allowance
    if (kind !== 1 && kind !== 2) throw damage(`a node is neither array nor group but ${kind}`)
    if (path === undefined) throw damage('null is not the path of a node')
    const pathLength = this.#view.getUint32(path, true)
    this.#allowance.takeBytes(pathLength)
    if (!checkNodePath(this.#bytes, path + 4, path + 4 + pathLength, this.#limits, this.#allowance)) return
    if (document === undefined) throw damage(`node ${this.#quotePath(path)} has no zarr.json`)
    this.#allowance.takeBytes(this.#view.getUint32(document, true))
    const start = recordLength * this.#count++
    // In the order of `recordFields`.
    this.#records[start] = path
    this.#records[start + 1] = document
    this.#records[start + 2] = kind === 1 ? 1 : 0
    this.#records[start + 3] = id
    this.#records[start + 4] = data
    if (start > 0 && this.#isSorted) this.#isSorted = this.#comparePaths(this.#pathOf(start - recordLength), path) < 0
  }

  finish(): NodeList {
    const end = recordLength * this.#count
    // Drop the unused records of skipped nodes.
    const records = end < this.#records.length ? this.#records.slice(0, end) : this.#records
    return new NodeList(this.#bytes, this.#isSorted ? records : this.#sort(records))
  }

  /** Rarely needed: Icechunk always sorts nodes. */
  #sort(records: Uint32Array): Uint32Array {
    const starts = Uint32Array.from({ length: this.#count }, (_, index) => recordLength * index)
    starts.sort((left, right) => this.#comparePaths(this.#pathOf(left), this.#pathOf(right)))
    const sorted = new Uint32Array(records.length)
    for (const [index, start] of starts.entries()) {
      const previous = starts[index - 1]
      if (previous !== undefined && this.#comparePaths(this.#pathOf(previous), this.#pathOf(start)) === 0) {
        throw this.#allowance.damage(`node ${this.#quotePath(this.#pathOf(start))} is listed twice`)
      }
      sorted.set(records.subarray(start, start + recordLength), recordLength * index)
    }
    return sorted
  }

  /** The position of the path of the record that starts at `start`. */
  #pathOf(start: number): number {
    return this.#records[start] ?? 0
  }

  #comparePaths(left: number, right: number): number {
    const leftEnd = left + 4 + this.#view.getUint32(left, true)
    const rightEnd = right + 4 + this.#view.getUint32(right, true)
    return compareBytes(this.#bytes, left + 4, leftEnd, this.#bytes, right + 4, rightEnd)
  }

  /** Quotes the path at a position for an error message, without its leading slash. */
  #quotePath(path: number): string {
    return JSON.stringify(this.#bytes.toString('utf8', path + 5, path + 4 + this.#view.getUint32(path, true)))
  }
}
