import type { Node, Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance } from '@floe/storage/json'
import {
  type ArrayMetadata,
  ArrayParser,
  type GroupMetadata,
  MissingMemberError,
  parseGroupDocument,
  ZarrDocumentError,
} from '@floe/storage/zarr'
import { suggestQuotedNames } from '../text/nearest-name.ts'
import { RequestProblem } from '../problems/request-problem.ts'
import type { DecodedDataset } from '../xarray/dataset.ts'
import { decodeGroup } from '../xarray/decode-group.ts'
import type { Member } from '../xarray/open-group.ts'
import { CannotDecodeError } from '../xarray/variable.ts'

export type SnapshotNodes = Pick<Snapshot, 'id' | 'nodes'>

/** The parsed Zarr documents of a group, and of the arrays and groups directly in it. */
export type GroupDocuments = {
  readonly group: GroupMetadata
  /** Arrays and groups, sorted by the UTF-8 bytes of their names. */
  readonly members: readonly Member[]
  /** The arrays by name; null for one that zarr-python does not recognise and leaves out. */
  readonly stored: ReadonlyMap<string, ArrayMetadata | null>
}

/**
 * Reads a group's documents.
 *
 * @param arrays by default, a new parser
 * @throws RequestProblem `group-not-found`
 * @throws CannotDecodeError when a document is not what its node says
 * @throws DocumentsTooLargeError when the documents together exceed the allowance
 */
export function readGroupDocuments(
  snapshot: SnapshotNodes,
  path: string,
  allowance: DocumentAllowance,
  arrays = new ArrayParser(allowance),
): GroupDocuments {
  const group = readGroup(snapshot, path, allowance)
  const members: Member[] = []
  const stored = new Map<string, ArrayMetadata | null>()
  for (const node of snapshot.nodes.listChildren(path)) {
    const name = readNodeName(node.path)
    const member = nameMemberInErrors(name, () => readMember(node, arrays, allowance))
    if (member !== undefined) members.push(member)
    if (node.kind === 'array') stored.set(name, member !== undefined && 'array' in member ? member.array : null)
  }
  return { group, members, stored }
}

/** Reads the document of a group alone. Throws what {@link readGroupDocuments} throws. */
export function readGroup(snapshot: SnapshotNodes, path: string, allowance: DocumentAllowance): GroupMetadata {
  const { document } = findGroup(snapshot, path)
  return nameMemberInErrors(null, () => parseGroupDocument(document, allowance))
}

/**
 * Decodes a group of a snapshot as xarray does.
 *
 * @param allowance for the documents; by default, a new one
 * @throws what {@link readGroupDocuments} throws
 * @throws CannotDecodeError when xarray cannot open the group
 */
export function decodeGroupAt(
  snapshot: SnapshotNodes,
  path: string,
  cancellation?: Cancellation,
  allowance = new DocumentAllowance({}, cancellation),
): DecodedDataset {
  const { group, members } = readGroupDocuments(snapshot, path, allowance)
  return decodeGroup(group, members, cancellation)
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
  const missing = path === '' ? 'root group' : `group ${JSON.stringify(path)}`
  const detail =
    explainArray(snapshot, path) ??
    `snapshot ${snapshot.id} has no ${missing}${suggestQuotedNames(path, walkGroups(snapshot.nodes))}`
  throw new RequestProblem('group-not-found', detail)
}

export function isGroup({ nodes }: Pick<Snapshot, 'nodes'>, path: string): boolean {
  return nodes.find(path)?.kind === 'group'
}

/** Whether a path is that of a group with arrays. */
export function isDataset({ nodes }: Pick<Snapshot, 'nodes'>, path: string): boolean {
  return isGroup({ nodes }, path) && nodes.countChildren(path).arrays > 0
}

/**
 * Says that an array is no group; null for what is none. A root that is an array is the only node: there is no dataset.
 */
export function explainArray({ nodes }: Pick<Snapshot, 'nodes'>, path: string): string | null {
  if (nodes.find(path)?.kind !== 'array') return null
  return `${path === '' ? 'the root' : JSON.stringify(path)} is an array, not a group`
}

/** The paths of the groups except the root. */
function* walkGroups(nodes: SnapshotNodes['nodes']): Generator<string> {
  for (let index = 0; index < nodes.length; index++) {
    const path = nodes.readKind(index) === 'group' ? nodes.readPath(index) : ''
    if (path !== '') yield path
  }
}

/** Returns the name of a node, which is the last segment of its path. */
export function readNodeName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Returns the path of the group above a node; undefined for the root. */
export function findParent(path: string): string | undefined {
  return path === '' ? undefined : path.slice(0, Math.max(path.lastIndexOf('/'), 0))
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
