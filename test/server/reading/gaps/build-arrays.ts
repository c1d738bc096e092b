// Snapshots of arrays with manifests that name given positions.
import {
  decodeSnapshot,
  defaultLimits,
  type ManifestArray,
  type ManifestChunks,
  type ManifestId,
} from '@floe/storage/icechunk'
import { type ReadManifests, SnapshotManifests } from '../../../../server/reading/manifests/snapshot-manifests.ts'
import {
  buildArrayData,
  buildId,
  buildNode,
  buildSnapshot,
} from '../../../storage/repositories/icechunk/build-object.ts'

export type Positions = readonly (readonly number[])[]

export type SampleArray = {
  readonly path: string
  /** Positions along each dimension. */
  readonly grid: readonly number[]
  readonly names?: readonly (string | null)[]
  readonly attributes?: object
  /** Other members of the document. */
  readonly document?: object
  /** The positions that each manifest names; its range is the box around them, unless it is given. */
  readonly manifests: readonly SampleManifest[]
}

type SampleManifest = {
  readonly id: number
  readonly positions: Positions
  readonly ranges?: readonly (readonly [first: number, end: number])[]
  /** What the snapshot says. */
  readonly references?: number
}

const elements = 2

/** What one chunk has. */
export const chunkBytes = 10

function buildNodeId(number: number): Uint8Array {
  const id = Buffer.alloc(8)
  id.writeUInt32BE(number)
  return Uint8Array.from(id)
}

function writeDocument({ grid, names, attributes = {}, document = {} }: SampleArray): string {
  return JSON.stringify({
    zarr_format: 3,
    node_type: 'array',
    shape: grid.map((count) => count * elements),
    data_type: 'int8',
    fill_value: 0,
    codecs: [{ name: 'bytes' }],
    chunk_grid: { name: 'regular', configuration: { chunk_shape: grid.map(() => elements) } },
    chunk_key_encoding: { name: 'default' },
    attributes,
    ...(names && { dimension_names: names }),
    ...document,
  })
}

/** The box around positions. */
function boundPositions(positions: Positions, dimensions: number): readonly (readonly [number, number])[] {
  return Array.from({ length: dimensions }, (_, axis) => {
    const along = positions.map((position) => position[axis] ?? 0)
    return along.length === 0 ? [0, 0] : [Math.min(...along), Math.max(...along) + 1]
  })
}

/** What a manifest says of an array, as if it had been decoded. */
function nameChunks(node: number, dimensions: number, positions: Positions): ManifestArray {
  const box = boundPositions(positions, dimensions)
  const first = box.map(([start]) => start)
  const size = box.map(([start, end]) => end - start)
  const bits = new Uint8Array(Math.ceil(size.reduce((product, count) => product * count, 1) / 8))
  for (const position of positions) {
    const at = position.reduce((sum, along, axis) => sum * (size[axis] ?? 0) + along - (first[axis] ?? 0), 0)
    bits[at >>> 3] = (bits[at >>> 3] ?? 0) | (1 << (at & 7))
  }
  const none = { chunks: 0, bytes: 0 }
  const id = Buffer.from(buildNodeId(node)).toString('latin1') as ManifestArray['node']
  const native = { chunks: positions.length, bytes: chunkBytes * positions.length }
  return { node: id, first, size, bits, native, inline: none, virtual: none }
}

export type SampleSnapshot = {
  /** The snapshot with these manifests read, by default all. */
  readonly open: (isRead?: (id: ManifestId) => boolean) => SnapshotManifests
  readonly manifests: ReadManifests
}

/** Builds a snapshot of arrays in groups that are created too. */
export async function buildArrays(arrays: readonly SampleArray[], version: 1 | 2 = 2): Promise<SampleSnapshot> {
  const sorted = arrays.toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
  const groups = new Set(
    sorted.flatMap(({ path }) => path.split('/').map((_, depth, all) => all.slice(0, depth).join('/'))),
  )
  const nodes = [
    ...[...groups].map((path) => ({ path, node: buildNode(`/${path}`, 2, '{"zarr_format":3,"node_type":"group"}') })),
    ...sorted.map((array, index) => ({
      path: array.path,
      node: [
        ...buildNode(`/${array.path}`, 1, writeDocument(array), buildNodeId(index + 1)),
        {
          table:
            buildArrayData(
              {
                shape: array.grid.map((count) => [count * elements, elements] as const),
                manifests: array.manifests.map(({ id, positions, ranges }) => ({
                  id,
                  ranges: ranges ?? boundPositions(positions, array.grid.length),
                })),
              },
              version,
            ) ?? [],
        },
      ],
    })),
  ].toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
  const read = new Map<number, { arrays: ManifestArray[]; count: number }>()
  for (const [index, { grid, manifests }] of sorted.entries()) {
    for (const { id, positions, references = positions.length } of manifests) {
      const { arrays: others, count } = read.get(id) ?? { arrays: [], count: 0 }
      const named = positions.length === 0 ? [] : [nameChunks(index + 1, grid.length, positions)]
      read.set(id, { arrays: [...others, ...named], count: count + references })
    }
  }
  const ids = [...read.keys()].toSorted((one, other) => one - other)
  const bytes = buildSnapshot({
    version,
    nodes: nodes.map(({ node }) => node),
    manifests: ids.map((id) => ({ id, count: read.get(id)?.count ?? 0 })),
  })
  const file = { repository: 'memory', key: 'snapshots/1', bytes }
  const snapshot = await decodeSnapshot(file, buildId(1), defaultLimits)
  const manifests = new Map<ManifestId, ManifestChunks>(
    ids.map((id) => [String(buildId(id)) as ManifestId, { arrays: read.get(id)?.arrays ?? [], sizeBytes: 0 }]),
  )
  return {
    manifests,
    open: (isRead = () => true) =>
      new SnapshotManifests(snapshot, new Map([...manifests].filter(([id]) => isRead(id)))),
  }
}
