// The documents of one group of a snapshot and of what it directly holds, parsed.
import type { Node, Snapshot } from '@floe/storage/icechunk'
import { type GroupMetadata, parseArrayDocument, parseGroupDocument, ZarrDocumentError } from '@floe/storage/zarr'
import { RequestProblem } from '../problems/request-problem.ts'
import type { Member } from './xarray/open-group.ts'
import { CannotDecodeError } from './xarray/variable.ts'

/** See the head of this file. */
export type GroupDocuments = {
  readonly group: GroupMetadata
  /** Arrays and groups, sorted by the UTF-8 bytes of their names. */
  readonly members: readonly Member[]
}

/**
 * Reads a group's documents.
 *
 * @throws RequestProblem `group-not-found`
 * @throws CannotDecodeError when a document is not what its node says
 */
export function readGroupDocuments(snapshot: Snapshot, path: string): GroupDocuments {
  const { document } = findGroup(snapshot, path)
  return { group: parsed(null, () => parseGroupDocument(document)), members: snapshot.children(path).map(readMember) }
}

function readMember({ path, kind, document }: Node): Member {
  const name = lastSegment(path)
  return kind === 'array'
    ? { name, array: parsed(name, () => parseArrayDocument(document)) }
    : { name, group: parsed(name, () => parseGroupDocument(document)) }
}

/** The node of a group; throws RequestProblem `group-not-found`. */
export function findGroup(snapshot: Snapshot, path: string): Node {
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

/** Says which member it is that a document spoils; null for the group itself. */
function parsed<Metadata>(member: string | null, parse: () => Metadata): Metadata {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ZarrDocumentError) throw new CannotDecodeError(member, error.message)
    throw error
  }
}
