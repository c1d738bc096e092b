import type { Cancellation } from '../../../json/index.ts'
import { Allowance } from '../../encoding/allowance.ts'
import type { Table, TableVector } from '../../encoding/flatbuffers.ts'
import type { ObjectErrors } from '../../errors.ts'
import type { ReaderLimits } from '../../limits.ts'
import type { Envelope } from '../envelope.ts'
import { nodeIdBytes } from '../object-id.ts'
import { compareBytes } from './compare-bytes.ts'
import { type NodeColumns, nodeKinds, NodeList } from './node-list.ts'
import { checkNodePath, isPlainPath } from './node-path.ts'

/** Number of nodes between two checks of the cancellation. */
const nodesPerCheck = 1_000

/**
 * Reading this number of nodes takes 3 ms. Nodes of a larger snapshot are read on request, up to this number; then all
 * are read.
 */
const maxReadAtOnce = 10_000

/** Number of neighbours that are read together. */
const neighbours = 32

/** The fields of a `NodeSnapshot`, and their places in this list. */
const fields = [
  { slot: 0, size: nodeIdBytes },
  { slot: 1, size: 4 },
  { slot: 2, size: 4 },
  { slot: 3, size: 1 },
  { slot: 4, size: 4 },
]
const [idField, pathField, documentField, kindField, dataField] = [0, 1, 2, 3, 4]

/** The bytes of a snapshot, their root table and its list of nodes, and what limits the nodes. */
type Source = {
  readonly bytes: Buffer
  readonly root: Table
  readonly tables: TableVector
  readonly limits: ReaderLimits
  readonly errors: ObjectErrors
}

/**
 * Reads the nodes of a snapshot and checks each, leaves out those that Zarr readers cannot address, and sorts the
 * others if necessary. The nodes of a large snapshot are read and checked when they are asked for.
 *
 * @throws DamagedObjectError, LimitExceededError, and what the cancellation throws
 */
export function readNodes(
  { payload, errors }: Envelope,
  root: Table,
  limits: ReaderLimits,
  cancellation?: Cancellation,
): NodeList {
  const { maxNodes } = limits
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
  const tables = root.readTables(2)
  if (tables === undefined) throw errors.damage('it has no list of nodes')
  const { length } = tables
  if (length > maxNodes) throw errors.exceed('maxNodes', `it has more than ${maxNodes} nodes`)
  if (bytes.length > 2 ** 32) throw errors.damage('it is larger than its offsets can express')
  const source = { bytes, root, tables, limits, errors }
  if (length <= maxReadAtOnce) return new NodeList(bytes, readAll(source, cancellation))
  const columns = allocate(length)
  let left = maxReadAtOnce
  const readAround = (index: number) => {
    left -= neighbours
    const first = index - (index % neighbours)
    const end = Math.min(first + neighbours, length)
    const read = left < 0 ? undefined : readColumns(source, { first, end })
    if (read === undefined || !read.isSorted || read.count < end - first) return false
    columns.kinds.set(read.columns.kinds, first)
    for (const name of ['paths', 'documents', 'ids', 'data'] as const) columns[name].set(read.columns[name], first)
    return true
  }
  return new NodeList(bytes, columns, { readAround, readAll: () => readAll(source) })
}

function readAll(source: Source, cancellation?: Cancellation): NodeColumns {
  const { length } = source.tables
  const { columns, count, isSorted } = readColumns(source, { first: 0, end: length }, cancellation)
  if (isSorted && count === length) return columns
  const order = Uint32Array.from({ length: count }, (_, index) => index)
  if (!isSorted) sortByPath(source, columns, order)
  return pickNodes(columns, order)
}

/**
 * Reads those nodes of a range that Zarr readers can address, in one loop, because a snapshot can have a quarter of a
 * million. Their paths and documents together have a limit. Also returns how many they are, and whether their paths are
 * sorted and differ.
 */
function readColumns(
  { bytes, root, tables, limits, errors }: Source,
  range: { readonly first: number; readonly end: number },
  cancellation?: Cancellation,
) {
  const columns = allocate(range.end - range.first)
  const allowance = new Allowance(errors, limits)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const node = root.readFields(fields)
  let count = 0
  let isSorted = true
  let [lastStart, lastEnd, isLastPlain] = [0, 0, false]
  for (let index = range.first; index < range.end; index++) {
    if (index % nodesPerCheck === 0) cancellation?.throwIfAborted()
    node.moveTo(tables.find(index))
    const kind = node.readU8(kindField)
    if (kind !== nodeKinds.array && kind !== nodeKinds.group)
      throw errors.damage(`a node is neither array nor group but ${kind}`)
    const path = node.findBytes(pathField)
    if (path === 0) throw errors.damage('null is not the path of a node')
    const start = path + 4
    const end = start + view.getUint32(path, true)
    allowance.takeBytes(end - start)
    let different = start
    let lastDifferent = lastStart
    while (different < end && lastDifferent < lastEnd && bytes[different] === bytes[lastDifferent]) {
      different++
      lastDifferent++
    }
    // Most paths begin like the one before, which was checked.
    const isPlain = isPlainPath(bytes, start, end, isLastPlain ? different : start, limits)
    if (!isPlain && !checkNodePath(bytes, start, end, limits, allowance)) continue
    const document = node.findBytes(documentField)
    if (document === 0) throw errors.damage(`node ${quotePath(bytes, path)} has no zarr.json`)
    allowance.takeBytes(view.getUint32(document, true))
    if (different === end) isSorted = false
    else if (lastDifferent < lastEnd && (bytes[lastDifferent] ?? 0) > (bytes[different] ?? 0)) isSorted = false
    columns.kinds[count] = kind
    columns.paths[count] = path
    columns.documents[count] = document
    columns.ids[count] = node.find(idField)
    columns.data[count] = node.findTable(dataField)
    count++
    lastStart = start
    lastEnd = end
    isLastPlain = isPlain
  }
  return { columns, count, isSorted }
}

function allocate(length: number) {
  const [paths, documents] = [new Uint32Array(length), new Uint32Array(length)]
  const [ids, data] = [new Uint32Array(length), new Uint32Array(length)]
  return { kinds: new Uint8Array(length), paths, documents, ids, data }
}

/** Sorts the indexes of nodes by their paths. Rarely needed: Icechunk always sorts nodes. */
function sortByPath({ bytes, errors }: Source, { paths }: NodeColumns, order: Uint32Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const compare = (left: number, right: number) => {
    const [path, other] = [paths[left] ?? 0, paths[right] ?? 0]
    const [end, otherEnd] = [path + 4 + view.getUint32(path, true), other + 4 + view.getUint32(other, true)]
    return compareBytes(bytes, path + 4, end, bytes, other + 4, otherEnd)
  }
  order.sort(compare)
  for (let at = 1; at < order.length; at++) {
    const [index, previous] = [order[at] ?? 0, order[at - 1] ?? 0]
    if (compare(previous, index) === 0)
      throw errors.damage(`node ${quotePath(bytes, paths[index] ?? 0)} is listed twice`)
  }
}

function pickNodes({ kinds, paths, documents, ids, data }: NodeColumns, order: Uint32Array): NodeColumns {
  const pick = (column: Uint32Array) => Uint32Array.from(order, (index) => column[index] ?? 0)
  return {
    kinds: Uint8Array.from(order, (index) => kinds[index] ?? 0),
    paths: pick(paths),
    documents: pick(documents),
    ids: pick(ids),
    data: pick(data),
  }
}

/** Quotes the path at a position for an error message, without its leading slash. */
function quotePath(bytes: Buffer, path: number): string {
  return JSON.stringify(bytes.toString('utf8', path + 5, path + 4 + bytes.readUInt32LE(path)))
}
