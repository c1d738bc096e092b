// Consolidated metadata of Zarr, in the form in which zarr-python writes it: the document of a group with those of all
// nodes below it (zarr-python, `zarr/core/metadata/v3.py` and `zarr/core/group.py`, version 3.4.2). Documents are not
// written again, so attributes stay byte for byte as they were stored.
import type { ZarrDocument } from '@floe/contract'
import type { Node, Snapshot } from '@floe/storage/icechunk'
import {
  type AnyEncodable,
  type Cancellation,
  DocumentAllowance,
  type Encodable,
  isJsonObject,
  JsonSyntaxError,
  keepStoredJson,
  Members,
  parseJson,
  readMemberTexts,
} from '@floe/storage/json'
import { CannotDecodeError } from '../../xarray/variable.ts'
import { findGroup } from '../../groups/group-documents.ts'

const member = 'consolidated_metadata'

/**
 * Returns the stored document of a group with those of all nodes below it, or the document of an array. The documents
 * below are read when they are written, one after the other.
 *
 * @throws RequestProblem `group-not-found`
 * @throws CannotDecodeError when a document is not a JSON object; DocumentsTooLargeError
 */
export function consolidateDocuments(
  { id, nodes }: Pick<Snapshot, 'id' | 'nodes'>,
  path: string,
  cancellation?: Cancellation,
): Encodable<ZarrDocument> {
  const found = nodes.find(path)
  const node = found?.kind === 'array' ? found : findGroup({ id, nodes }, path)
  const document = readDocument(node, cancellation)
  if (node.kind === 'array') return keepStoredJson(document)
  const consolidated = new Members<AnyEncodable>([
    ['kind', 'inline'],
    ['must_understand', false],
    ['metadata', new Members(readBelow(nodes, path, cancellation))],
  ])
  const own = new Map<string, AnyEncodable>()
  for (const [name, text] of readMemberTexts(document, new DocumentAllowance({}, cancellation)))
    own.set(name, keepStoredJson(Buffer.from(text)))
  own.delete(member)
  return new Members([...own, [member, consolidated]])
}

function* readBelow(
  nodes: Snapshot['nodes'],
  path: string,
  cancellation?: Cancellation,
): Generator<[string, AnyEncodable]> {
  const { first, end } = nodes.findBelow(path)
  for (let index = first; index < end; index++) {
    const node = nodes.at(index)
    if (node.path !== path)
      yield [node.path.slice(path === '' ? 0 : path.length + 1), keepStoredJson(readDocument(node, cancellation))]
  }
}

/** The bytes of a document, which is a JSON object. */
function readDocument({ path, document }: Node, cancellation: Cancellation | undefined): Uint8Array {
  try {
    if (isJsonObject(parseJson(document, new DocumentAllowance({}, cancellation)))) return document
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new CannotDecodeError(path, error.message)
    throw error
  }
  throw new CannotDecodeError(path, 'its document is not a JSON object')
}
