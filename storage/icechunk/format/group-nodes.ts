// A run of groups in bytes of our own, so that one group of a huge snapshot can be read without the others. Each group has a record: its
// own node, then the nodes directly in it. The bytes are checked like those of an object.
//
//   record  u32 length of what follows · u32 count of nodes · nodes, sorted by path
//   node    u8 kind (1 array, 2 group) · u32 length, path as Icechunk stores it · u32 length, zarr.json
import { Allowance } from '../encoding/allowance.ts'
import { CheckedBytes } from '../encoding/checked-bytes.ts'
import { bindErrors } from '../errors.ts'
import type { ReaderLimits } from '../limits.ts'
import type { Node } from '../types.ts'
import type { StoredFile } from './envelope.ts'
import type { NodeList } from './node-list.ts'
import { NodeListBuilder } from './node-list-builder.ts'

/** Writes the record of a group. */
export function writeGroupNodes(group: Node, children: readonly Node[]): Buffer {
  const nodes = [group, ...children]
  const parts = [writeNumber(nodes.length), ...nodes.flatMap(writeNode)]
  return Buffer.concat([writeNumber(parts.reduce((sum, { length }) => sum + length, 0)), ...parts])
}

/**
 * Finds the record of a group among others. Returns undefined when there is none.
 *
 * @throws DamagedObjectError, LimitExceededError
 */
export function findGroupNodes(
  { repository, key, bytes }: StoredFile,
  group: string,
  limits: ReaderLimits,
): NodeList | undefined {
  const allowance = new Allowance(bindErrors(repository, key, limits), limits)
  const checked = new CheckedBytes(bytes, allowance)
  const wanted = Buffer.from(`/${group}`)
  for (let start = 0; start < bytes.length; start += 4 + checked.readU32(start)) {
    const length = checked.readU32(start)
    checked.check(start + 4, length)
    const path = checked.readBytes(start + 9)
    if (wanted.equals(path)) return readNodes(checked, start + 4, limits, allowance)
  }
  return undefined
}

function readNodes(bytes: CheckedBytes, start: number, limits: ReaderLimits, allowance: Allowance): NodeList {
  const count = bytes.readU32(start)
  const nodes = new NodeListBuilder(bytes.bytes, count, limits, allowance)
  let position = start + 4
  for (let index = 0; index < count; index++) {
    bytes.check(position, 1)
    const path = position + 1
    const document = path + 4 + bytes.readBytes(path).length
    nodes.add(bytes.view.getUint8(position), path, document)
    position = document + 4 + bytes.readBytes(document).length
  }
  return nodes.finish()
}

function writeNode({ path, kind, document }: Node): Uint8Array[] {
  const stored = Buffer.from(`/${path}`)
  const head = Buffer.of(kind === 'array' ? 1 : 2)
  return [head, writeNumber(stored.length), stored, writeNumber(document.length), document]
}

function writeNumber(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}
