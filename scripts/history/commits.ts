// The content of the commits of made-up repositories, by their numbers.
import { buildNodeId } from '../../test/storage/repositories/icechunk/build-log.ts'
import { buildArrayData, buildId, buildNode } from '../../test/storage/repositories/icechunk/build-object.ts'
import { writeArrayDocument } from '../../test/server/search/describe/array-document.ts'

/** The only group with an array, so the only dataset. */
export const datasetPath = 'a'

/** The groups of each snapshot. Each commit writes the document of one of them again. */
const groups = ['', 'a', 'a/b', 'c']
const array = { path: `${datasetPath}/t`, id: groups.length + 1 }
/** The array gets another type after as many commits. Its only chunk is written, or deleted, after as many. */
const commitsOfType = 3
const commitsOfChunk = 5

/** The numbers of all snapshots by their ids. */
export const numbers = new Map(Array.from({ length: 65_536 }, (_, number) => [String(buildId(number)), number]))

/** The type of the array, whether its chunk is written, and the attribute of `c`. */
export function describe(commit: number) {
  const type = Math.floor(commit / commitsOfType) % 2 === 0 ? 'float32' : 'float64'
  const isWritten = Math.floor(commit / commitsOfChunk) % 2 === 0
  return { type, isWritten, run: Math.floor((commit + 1) / groups.length) }
}

/** The manifest of the array in the snapshot with this number, which has at most one reference. */
export function listManifests(commit: number) {
  return [{ id: commit, count: describe(commit).isWritten ? 1 : 0 }]
}

/** The nodes of the snapshot with this number, in the order of their paths. */
export function buildNodes(commit: number) {
  const { type, run } = describe(commit)
  const nodes = groups.map((path, index) => {
    const attributes = path === 'c' ? { run } : {}
    return {
      path,
      kind: 2,
      id: index + 1,
      document: JSON.stringify({ zarr_format: 3, node_type: 'group', attributes }),
    }
  })
  const document = writeArrayDocument({}).replace('float32', type)
  const data = buildArrayData({ shape: [[4, 4]], manifests: [{ id: commit, ranges: [[0, 1]] }] })
  return [...nodes, { ...array, kind: 1, document }]
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .map(({ path, kind, id, document }) => [
      ...buildNode(`/${path}`, kind, document, buildNodeId(id)),
      kind === 1 && data ? { table: data } : undefined,
    ])
}

/** The ids of the nodes in the transaction log of a commit: all that changed with the numbers since its parent. */
export function listUpdated(commit: number, parent: number | undefined) {
  const count = Math.min(commitsOfType * groups.length, commit - (parent ?? commit - 1))
  const since = Array.from({ length: count }, (_, back) => commit - back)
  return {
    updatedGroups: [...new Set(since.map((number) => 1 + (number % groups.length)))].sort((a, b) => a - b),
    updatedArrays: since.some((number) => number % commitsOfType === 0) ? [array.id] : [],
  }
}

/** The paths of the nodes that the transaction log of a commit lists, sorted. */
export function listUpdatedPaths(commit: number, parent: number): readonly string[] {
  const { updatedGroups, updatedArrays } = listUpdated(commit, parent)
  return [...updatedGroups.map((id) => groups[id - 1] ?? ''), ...updatedArrays.map(() => array.path)].sort()
}
