import type { Allowance } from '../encoding/allowance.ts'
import type { ReaderLimits } from '../limits.ts'
import { compareBytes } from './compare-bytes.ts'
import { NodeList } from './node-list.ts'
import { checkNodePath } from './node-path.ts'

/**
 * Collects the nodes that lie in some bytes, checks each, and sorts them if they are not sorted. Their paths and documents count against
 * the allowance. Its methods throw {@link DamagedObjectError} and {@link LimitExceededError}.
 */
export class NodeListBuilder {
  readonly #bytes: Buffer
  readonly #view: DataView
  readonly #limits: ReaderLimits
  readonly #allowance: Allowance
  #paths: Uint32Array
  #documents: Uint32Array
  #isArray: Uint8Array
  #ids: Uint32Array
  #count = 0
  #isSorted = true

  /** @param count how many nodes will be added */
  constructor(bytes: Uint8Array, count: number, limits: ReaderLimits, allowance: Allowance) {
    const { maxNodes } = limits
    if (count > maxNodes) throw allowance.exceed('maxNodes', `it has more than ${maxNodes} nodes`)
    if (bytes.length > 2 ** 32) throw allowance.damage('it is larger than its offsets can express')
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#limits = limits
    this.#allowance = allowance
    this.#paths = new Uint32Array(count)
    this.#documents = new Uint32Array(count)
    this.#isArray = new Uint8Array(count)
    this.#ids = new Uint32Array(count)
  }

  /**
   * Adds a node, unless no reader of Zarr can ask for it. Its path and its document, each a u32 length and then the bytes, and its id must
   * lie within the bytes.
   */
  add(kind: number, path: number | undefined, document: number | undefined, id = 0): void {
    const { damage } = this.#allowance
    if (kind !== 1 && kind !== 2) throw damage(`a node is neither array nor group but ${kind}`)
    if (path === undefined) throw damage('null is not the path of a node')
    const pathLength = this.#view.getUint32(path, true)
    this.#allowance.takeBytes(pathLength)
    if (!checkNodePath(this.#bytes, path + 4, path + 4 + pathLength, this.#limits, this.#allowance)) return
    if (document === undefined) throw damage(`node ${this.#show(path)} has no zarr.json`)
    this.#allowance.takeBytes(this.#view.getUint32(document, true))
    const index = this.#count++
    this.#paths[index] = path
    this.#documents[index] = document
    this.#isArray[index] = kind === 1 ? 1 : 0
    this.#ids[index] = id
    if (index > 0 && this.#isSorted) this.#isSorted = this.#comparePaths(this.#paths[index - 1] ?? 0, path) < 0
  }

  finish(): NodeList {
    if (this.#count < this.#paths.length) this.#trim()
    if (!this.#isSorted) this.#sort()
    return new NodeList({
      bytes: this.#bytes,
      paths: this.#paths,
      documents: this.#documents,
      isArray: this.#isArray,
      ids: this.#ids,
    })
  }

  /** Gives up the places of nodes that were left out. */
  #trim(): void {
    this.#paths = this.#paths.slice(0, this.#count)
    this.#documents = this.#documents.slice(0, this.#count)
    this.#isArray = this.#isArray.slice(0, this.#count)
    this.#ids = this.#ids.slice(0, this.#count)
  }

  /** Icechunk always sorts. */
  #sort(): void {
    const paths = this.#paths.slice()
    const documents = this.#documents.slice()
    const isArray = this.#isArray.slice()
    const ids = this.#ids.slice()
    const order = Uint32Array.from(paths.keys()).sort((one, other) =>
      this.#comparePaths(paths[one] ?? 0, paths[other] ?? 0),
    )
    for (const [index, from] of order.entries()) {
      const path = paths[from] ?? 0
      if (index > 0 && this.#comparePaths(this.#paths[index - 1] ?? 0, path) === 0) {
        throw this.#allowance.damage(`node ${this.#show(path)} is listed twice`)
      }
      this.#paths[index] = path
      this.#documents[index] = documents[from] ?? 0
      this.#isArray[index] = isArray[from] ?? 0
      this.#ids[index] = ids[from] ?? 0
    }
  }

  #comparePaths(one: number, other: number): number {
    const oneEnd = one + 4 + this.#view.getUint32(one, true)
    const otherEnd = other + 4 + this.#view.getUint32(other, true)
    return compareBytes(this.#bytes, one + 4, oneEnd, this.#bytes, other + 4, otherEnd)
  }

  /** The path at a position as errors show it: without its leading slash. */
  #show(path: number): string {
    return JSON.stringify(this.#bytes.toString('utf8', path + 5, path + 4 + this.#view.getUint32(path, true)))
  }
}
