import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance, DocumentsTooLargeError, type JsonObject } from '@floe/storage/json'
import { CannotDecodeError } from '../xarray/variable.ts'
import { readCitation } from '../self-description/read-citation.ts'
import { writeCitation, type WrittenCitation } from '../self-description/write-citation.ts'
import { findParent, readGroup } from './group-documents.ts'

/** Which group is cited, and the absolute address of its page at the snapshot. */
export type CitedGroup = { readonly repository: string; readonly group: string; readonly url: string }

/**
 * Says how to cite a group of a snapshot.
 *
 * @throws RequestProblem `group-not-found`
 * @throws CannotDecodeError, DocumentsTooLargeError when the document of the group cannot be read
 */
export function citeDataset(snapshot: Snapshot, cited: CitedGroup, cancellation?: Cancellation): WrittenCitation {
  readGroup(snapshot, cited.group, new DocumentAllowance({}, cancellation))
  return citeGroup(snapshot, cited, cancellation)
}

/** The same for a page, which a damaged document does not stop: it states nothing. */
export function citeGroup(snapshot: Snapshot, cited: CitedGroup, cancellation?: Cancellation): WrittenCitation {
  const path: JsonObject[] = []
  for (let group: string | undefined = cited.group; group !== undefined; group = findParent(group))
    path.push(readAttributes(snapshot, group, cancellation))
  return writeCitation(readCitation(path), { ...cited, snapshotId: snapshot.id, writtenAt: snapshot.writtenAt })
}

function readAttributes(snapshot: Snapshot, path: string, cancellation: Cancellation | undefined): JsonObject {
  if (snapshot.nodes.find(path)?.kind !== 'group') return new Map()
  try {
    return readGroup(snapshot, path, new DocumentAllowance({}, cancellation)).attributes
  } catch (error) {
    if (error instanceof CannotDecodeError || error instanceof DocumentsTooLargeError) return new Map()
    throw error
  }
}
