import type { Node, Snapshot } from '@floe/storage/icechunk'
import type { DocumentAllowance } from '@floe/storage/json'
import {
  ArrayParser,
  type GroupMetadata,
  MissingMemberError,
  parseGroupDocument,
  ZarrDocumentError,
} from '@floe/storage/zarr'
import { RequestProblem } from '../http/problems/request-problem.ts'
import type { Member } from '../xarray/open-group.ts'
import { CannotDecodeError } from '../xarray/variable.ts'

type SnapshotNodes = Pick<Snapshot, 'id' | 'nodes'>

/** The parsed Zarr documents of a group, and of the arrays and groups directly in it. */
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
 * @throws DocumentsTooLargeError when the documents together exceed the allowance
 */
export function readGroupDocuments(
  snapshot: SnapshotNodes,
  path: string,
  allowance: DocumentAllowance,
): GroupDocuments {
  const { document } = findGroup(snapshot, path)
  const group = nameMemberInErrors(null, () => parseGroupDocument(document, allowance))
  const arrays = new ArrayParser(allowance)
  const members: Member[] = []
  for (const node of snapshot.nodes.listChildren(path)) {
    const member = nameMemberInErrors(readNodeName(node.path), () => readMember(node, arrays, allowance))
    if (member !== undefined) members.push(member)
  }
  return { group, members }
}

/** Undefined for a document that zarr-python does not recognise and leaves out. */
function readMember(
  { path, kind, document }: Node,
  arrays: ArrayParser,
  allowance: DocumentAllowance,
): Member | undefined {
  const name = readNodeName(path)
  try {
    return kind === 'array'
      ? { name, array: arrays.parse(document) }
      : { name, group: parseGroupDocument(document, allowance) }
  } catch (error) {
    if (error instanceof MissingMemberError) return undefined
    throw error
  }
}

/** Finds the node of a group; throws RequestProblem `group-not-found`. */
export function findGroup(snapshot: SnapshotNodes, path: string): Node {
  const node = snapshot.nodes.find(path)
  if (node?.kind === 'group') return node
  const [shown, missing] =
    path === '' ? ['the root', 'root group'] : [JSON.stringify(path), `group ${JSON.stringify(path)}`]
  const what = node ? `${shown} is an array, not a group` : `snapshot ${snapshot.id} has no ${missing}`
  throw new RequestProblem('group-not-found', what)
}

/** Returns the name of a node, which is the last segment of its path. */
export function readNodeName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Parses a document. An error names the member that the document belongs to; null is the group itself. */
function nameMemberInErrors<Metadata>(member: string | null, parse: () => Metadata): Metadata {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ZarrDocumentError) throw new CannotDecodeError(member, error.message)
    throw error
  }
}
