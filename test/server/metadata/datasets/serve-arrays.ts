// A server of one repository that contains arrays of given shapes.
import type { Test } from 'tap'
import { buildId, buildNode, buildRepo, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import type { StorageTemplate } from '../../../../server/catalog/published-storage.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { type RunningServer, startServer } from '../../start-server.ts'

/** Arrays of 32-bit integers by name. `shape` is of bigint where a number would not be exact. */
export type Arrays = Readonly<
  Record<
    string,
    {
      readonly shape: readonly (number | bigint)[]
      readonly names?: readonly (string | null)[]
      readonly attributes?: object
    }
  >
>

function writeGroup(attributes: object): string {
  return JSON.stringify({ zarr_format: 3, node_type: 'group', attributes })
}

function writeArray({ shape, names, attributes = {} }: Arrays[string]): string {
  const document = {
    zarr_format: 3,
    node_type: 'array',
    data_type: 'int32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: shape.map(() => 1) } },
    chunk_key_encoding: { name: 'default' },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    attributes,
    dimension_names: names,
  }
  return `{"shape":[${shape.join(',')}],${JSON.stringify(document).slice(1)}`
}

type SampleOptions = {
  /** Attributes of the groups. */
  readonly attributes?: object
  /** Name of a group in the root that has the arrays; default: the root itself. */
  readonly group?: string
  /** How readers open the repository. */
  readonly published?: StorageTemplate
}

/** Starts a server whose repository `sample` has these arrays in one group. */
export function serveArrays(
  t: Test,
  arrays: Arrays,
  { attributes = {}, group, published }: SampleOptions = {},
): Promise<RunningServer> {
  const folder = group === undefined ? '' : `/${group}`
  const groups = ['/', ...(group === undefined ? [] : [folder])].map((path) =>
    buildNode(path, 2, writeGroup(attributes)),
  )
  const members = Object.entries(arrays).map(([name, array]) => buildNode(`${folder}/${name}`, 1, writeArray(array)))
  const store = new MemoryStore([
    ['repo', buildRepo()],
    [`snapshots/${buildId(1)}`, buildSnapshot({ nodes: [...groups, ...members] })],
  ])
  return startServer(t, { sources: [{ kind: 'repository', name: 'sample', store, published }] })
}
