// Consolidated metadata of Zarr, in the form in which zarr-python writes it: the document of a group with those of all
// nodes below it (zarr-python, `zarr/core/metadata/v3.py` and `zarr/core/group.py`, version 3.4.2).
import type { ZarrDocument } from '@floe/contract'
import type { Node, Snapshot } from '@floe/storage/icechunk'
import {
  type Cancellation,
  DocumentAllowance,
  type Encodable,
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  Members,
  parseJson,
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
  const document = parseDocument(node, cancellation)
  if (node.kind === 'array') return document
  const below = new Members(readBelow(nodes, path, cancellation))
  // The writer reads each document when it writes it; a map would hold all of them.
  const metadata = below as unknown as JsonObject
  const consolidated = new Map<string, JsonValue>([
    ['kind', 'inline'],
    ['must_understand', false],
    ['metadata', metadata],
  ])
  return new Map([...document, [member, consolidated]])
}

function* readBelow(
  nodes: Snapshot['nodes'],
  path: string,
  cancellation?: Cancellation,
): Generator<[string, JsonObject]> {
  const { first, end } = nodes.findBelow(path)
  for (let index = first; index < end; index++) {
    const node = nodes.at(index)
    if (node.path !== path)
      yield [node.path.slice(path === '' ? 0 : path.length + 1), parseDocument(node, cancellation)]
  }
}

function parseDocument({ path, document }: Node, cancellation: Cancellation | undefined): JsonObject {
  const value = parse(path, document, cancellation)
  if (isJsonObject(value)) return value
  throw new CannotDecodeError(path, 'its document is not a JSON object')
}

function parse(path: string, document: Uint8Array, cancellation: Cancellation | undefined): JsonValue {
  try {
    return parseJson(document, new DocumentAllowance({}, cancellation))
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new CannotDecodeError(path, error.message)
    throw error
  }
}
