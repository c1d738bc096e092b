// One group of a snapshot with the documents of what it directly holds.
import { type Snapshot } from '@floe/storage/icechunk'
import {
  type ArrayMetadata,
  type GroupMetadata,
  parseArrayDocument,
  parseGroupDocument,
  ZarrDocumentError,
} from '@floe/storage/zarr'
import { RequestProblem } from '../problems/request-problem.ts'
import { CannotDecodeError } from './xarray/variable.ts'

/** An array directly in a group. */
type Member = { readonly name: string; readonly array: ArrayMetadata }

/** See the head of this file. */
export type OpenedGroup = {
  readonly path: string
  readonly group: GroupMetadata
  /** Arrays, sorted by the UTF-8 bytes of their names. */
  readonly members: readonly Member[]
  /** Names of the groups directly below, sorted likewise. */
  readonly childGroups: readonly string[]
}

/**
 * Reads a group's documents.
 *
 * @throws RequestProblem `group-not-found`
 * @throws CannotDecodeError when a document is not what its node says
 */
export function openGroup(snapshot: Snapshot, path: string): OpenedGroup {
  const node = findGroup(snapshot, path)
  const children = snapshot.children(path)
  return {
    path,
    group: parsed(null, () => parseGroupDocument(node.document)),
    members: children
      .filter(({ kind }) => kind === 'array')
      .map(({ path: childPath, document }) => {
        const name = lastSegment(childPath)
        return { name, array: parsed(name, () => parseArrayDocument(document)) }
      }),
    childGroups: children.filter(({ kind }) => kind === 'group').map((child) => lastSegment(child.path)),
  }
}

/** The node of a group; throws RequestProblem `group-not-found`. */
export function findGroup(snapshot: Snapshot, path: string) {
  const node = snapshot.node(path)
  if (node?.kind === 'group') return node
  const shown = path === '' ? 'the root group' : JSON.stringify(path)
  const what = node ? `${shown} is an array, not a group` : `snapshot ${snapshot.id} has no group ${shown}`
  throw new RequestProblem('group-not-found', what)
}

/** The name of a node. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Says which array it is that a document spoils; null for the group itself. */
function parsed<Metadata>(array: string | null, parse: () => Metadata): Metadata {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ZarrDocumentError) throw new CannotDecodeError(array, error.message)
    throw error
  }
}
