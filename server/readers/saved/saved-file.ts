// The form of a saved snapshot: blocks of groups, so that one group is read without the others. Each part is a zstd frame with a checksum,
// so damage shows when it is decompressed.
//
//   list of datasets | blocks of groups | directory | u32 length of the directory | "floekep1"
import type { FileHandle } from 'node:fs/promises'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  findGroupNodes,
  type Node,
  type ReaderLimits,
  type Snapshot,
  type SnapshotId,
  writeGroupNodes,
} from '@floe/storage/icechunk'
import { compareUtf8 } from '@floe/storage/objects'
import { type FileDirectory, readDirectory, writeDirectory, writeNumber } from './file-directory.ts'

/** Which snapshot a file holds. */
export type SavedKey = {
  /** See {@link Repository.identity}. */
  readonly repository: string
  readonly id: SnapshotId
}

/** What can be answered from a file: the parts of a {@link Snapshot} that hold one group and what lies directly in it. */
export type SavedGroup = Pick<Snapshot, 'id' | 'nodes'>

/** A saved file is damaged, or is not the file of this snapshot. */
class SavedFileError extends Error {
  override name = 'SavedFileError'
}

const mark = Buffer.from('floekep1')
const trailerLength = 4 + mark.length

/** Groups are collected in blocks of this size, in bytes. A larger group has a block of its own. */
const blockBytes = 256 * 1024

/** A group with larger documents is left out, in bytes: reading it takes as long as reading most of the snapshot. */
const maxGroupBytes = 8 * 1024 * 1024

/** Largest part of a file, stored and decompressed. The list of datasets is an answer, so it has at most as many bytes. */
const maxPartBytes = 32 * 1024 * 1024

type Block = FileDirectory['blocks'][number]

function deflate(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  })
}

/** Writes the parts of a file. `datasets` is the list of datasets as JSON. */
export function* writeSavedFile(key: SavedKey, { nodes }: Snapshot, datasets: Uint8Array): Generator<Uint8Array> {
  const list = deflate(datasets)
  yield list
  const blocks: Block[] = []
  let pending: { readonly first: string; readonly records: Buffer[]; length: number } | undefined
  for (const node of nodes) {
    if (node.kind === 'array') continue
    const children = nodes.listChildren(node.path)
    if (measure([node, ...children]) > maxGroupBytes) continue
    const record = writeGroupNodes(node, children)
    pending ??= { first: node.path, records: [], length: 0 }
    pending.records.push(record)
    pending.length += record.length
    if (pending.length < blockBytes) continue
    yield endBlock(pending, blocks)
    pending = undefined
  }
  if (pending !== undefined) yield endBlock(pending, blocks)
  const { length: count, objectBytes } = nodes
  const directory = deflate(writeDirectory({ ...key, nodes: count, objectBytes, datasetsLength: list.length, blocks }))
  yield Buffer.concat([directory, writeNumber(directory.length), mark])
}

function measure(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { path, document }) => sum + path.length + document.length, 0)
}

function endBlock(
  { first, records }: { readonly first: string; readonly records: readonly Buffer[] },
  blocks: Block[],
): Uint8Array {
  const stored = deflate(Buffer.concat(records))
  blocks.push({ first, length: stored.length })
  return stored
}

/** An open file. Its methods throw errors of many kinds when the file is damaged, which all mean that it cannot be used. */
export class SavedFile {
  readonly #handle: FileHandle
  readonly #directory: FileDirectory
  readonly #limits: ReaderLimits

  private constructor(handle: FileHandle, directory: FileDirectory, limits: ReaderLimits) {
    this.#handle = handle
    this.#directory = directory
    this.#limits = limits
  }

  /** Reads the directory. The file must hold this snapshot, within the limits. */
  static async open(handle: FileHandle, key: SavedKey, limits: ReaderLimits): Promise<SavedFile> {
    const { size } = await handle.stat()
    const trailer = await readFrom(handle, size - trailerLength, trailerLength)
    if (!mark.equals(trailer.subarray(4))) throw new SavedFileError('it does not end like a saved snapshot')
    const length = trailer.readUInt32LE(0)
    const directory = readDirectory(await inflatePart(handle, size - trailerLength - length, length))
    if (directory.repository !== key.repository || directory.id !== key.id) {
      throw new SavedFileError('it holds another snapshot')
    }
    if (directory.nodes > limits.maxNodes || directory.objectBytes > limits.maxInflatedBytes) {
      throw new SavedFileError('it holds a snapshot that is too large now')
    }
    return new SavedFile(handle, directory, limits)
  }

  /** The list of datasets as JSON. */
  async readDatasets(): Promise<Uint8Array> {
    const bytes = await inflatePart(this.#handle, 0, this.#directory.datasetsLength)
    // With zod this would take 15 ms for 20,000 datasets.
    const names: unknown = JSON.parse(bytes.toString('latin1'))
    const isList = Array.isArray(names) && names.every((name) => typeof name === 'string')
    if (!isList) throw new SavedFileError('its list of datasets is none')
    return bytes
  }

  /** A group with what lies directly in it; undefined when it is not in the file. */
  async readGroup(group: string): Promise<SavedGroup | undefined> {
    const { blocks, repository, id } = this.#directory
    let position = this.#directory.datasetsLength
    let found: { readonly position: number; readonly length: number } | undefined
    for (const { first, length } of blocks) {
      if (compareUtf8(first, group) > 0) break
      found = { position, length }
      position += length
    }
    if (found === undefined) return undefined
    const bytes = await inflatePart(this.#handle, found.position, found.length)
    const nodes = findGroupNodes({ repository, key: 'saved snapshot', bytes }, group, this.#limits)
    return nodes && { id: id as SnapshotId, nodes } // `open` compared it with the id of the key
  }
}

async function inflatePart(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const stored = await readFrom(handle, position, length)
  return zstdDecompressSync(stored, { maxOutputLength: maxPartBytes, chunkSize: 2 * blockBytes })
}

async function readFrom(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  if (position < 0 || length > maxPartBytes) throw new SavedFileError('it has a part of an impossible size')
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw new SavedFileError('it is cut short')
  return buffer
}
